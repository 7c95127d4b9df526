/** The node that a mutation changes, and the checks that all mutations share. */
import { withContext, parseNodePath, ReadOnlyError } from '../../zarr/index.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { StoreModel } from '../models.js';

export interface MutationTarget {
  readonly store: StoreModel;
  /** Absolute path. */
  readonly path: string;
}

/**
 * Changes a node if the caller has permission. Then clears the request's cached nodes, so that later fields
 * see the change.
 * @throws NotFoundError for an unknown store, ForbiddenError, ReadOnlyError; errors of the change, with its
 * location
 */
export async function changeAt<T>(
  input: { readonly store: string; readonly path: string },
  context: GatewayContext,
  change: (target: MutationTarget) => Promise<T>,
): Promise<T> {
  const store = context.store(input.store);
  const path = parseNodePath(input.path);
  try {
    context.assertMayWrite(store.name, path);
    assertWritable(store);
    if (context.budget.costOnly) throw new NotReadError('only the cost was requested');
    return await change({ store, path });
  } catch (error) {
    throw withContext(error, { store: store.name, path });
  } finally {
    context.nodes.forget();
    context.datasets.forget();
  }
}

function assertWritable({ name, writable, hierarchy }: StoreModel): void {
  const { can, readOnlyReason } = hierarchy.store;
  if (writable && can.write) return;
  const advice = readOnlyReason ?? `start the gateway with "--allow-write ${name}" to allow writes`;
  throw new ReadOnlyError(`the store is read-only; ${advice}`);
}
