/** The node that a mutation changes, and the checks that all mutations share. */
import type { GraphQLResolveInfo } from 'graphql';
import {
  type ChangeOptions,
  InputError,
  NotFoundError,
  parseNodePath,
  ReadOnlyError,
  withContext,
} from '../../zarr/index.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { SetAttributesInput } from '../generated/types.js';
import { parseGlobalId } from '../nodes/global-id.js';
import type { StoreModel } from '../models.js';
import { isGiven } from './create-input.js';

export interface MutationTarget {
  readonly store: StoreModel;
  /** Absolute path of the node. */
  readonly path: string;
}

/** The node of a mutation: its id, or its store and path. */
type NodeLocationInput = Pick<SetAttributesInput, 'id' | 'store' | 'path'>;

/** @throws InputError unless exactly one of `id` and `store` is given; NotFoundError for an id of no node */
function locationOf({ id, store, path }: NodeLocationInput): {
  readonly store: string;
  readonly path: string;
} {
  if (!isGiven(id)) {
    if (isGiven(store)) return { store, path: path ?? '/' };
    throw new InputError('the input names no node; state "id", or "store" and "path"');
  }
  if (isGiven(store) || isGiven(path))
    throw new InputError('the input names its node twice; omit either "id", or "store" and "path"');
  const parsed = parseGlobalId(id);
  if (parsed?.kind === 'node') return parsed;
  throw new NotFoundError(`"${id.slice(0, 100)}" is not the id of a group or an array`);
}

/**
 * Changes a node if the caller has permission. Then clears the request's cached nodes, so that later fields
 * see the change.
 * @throws NotFoundError for an unknown store, ForbiddenError, ReadOnlyError; errors from the change, with its
 * location
 */
export async function changeAt<T>(
  input: NodeLocationInput & { readonly message?: string | null | undefined },
  context: GatewayContext,
  info: GraphQLResolveInfo,
  change: (target: MutationTarget) => Promise<T>,
): Promise<T> {
  const location = locationOf(input);
  const store = context.store(location.store);
  try {
    return await changeIn(store, parseNodePath(location.path), input.message, context, info, change);
  } catch (error) {
    if (store.history?.begin !== undefined) context.commits.fail(store.name, info);
    throw error;
  }
}

async function changeIn<T>(
  store: StoreModel,
  path: string,
  message: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
  change: (target: MutationTarget) => Promise<T>,
): Promise<T> {
  try {
    context.assertMayWrite(store.name, path);
    assertServedWritable(store);
    if (context.budget.costOnly) throw new NotReadError('only the cost was requested');
    return await context.commits.run(store, { message, path, info }, context, (changed) =>
      change({ store: changed, path }),
    );
  } catch (error) {
    throw withContext(error, { store: store.name, path });
  } finally {
    context.nodes.forget();
    context.datasets.forget();
  }
}

/** @throws ReadOnlyError */
export function assertServedWritable({ name, writable, hierarchy, history }: StoreModel): void {
  const { can, readOnlyReason } = hierarchy.store;
  if (writable && (can.write || history?.writing !== undefined)) return;
  const advice = readOnlyReason ?? `start the gateway with "--allow-write ${name}" to allow writes`;
  throw new ReadOnlyError(`the store is read-only; ${advice}`);
}

/** The options that every change of an existing node accepts. */
export function changeOptionsOf(
  input: { readonly ifVersion?: string | null | undefined },
  { signal }: GatewayContext,
): ChangeOptions {
  return { ifVersion: input.ifVersion ?? undefined, signal };
}
