/** Where a mutation writes, and what holds for all of them. */
import { atPlace, parseNodePath, ReadOnlyError, type StoreKind } from '../../zarr/index.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { StoreModel } from '../models.js';

export interface PlaceToWrite {
  readonly store: StoreModel;
  /** Absolute. */
  readonly path: string;
}

/**
 * Runs a change of a node, after asking whether this caller may make it. What this request knows of nodes is forgotten:
 * the fields after this one see them as they are now.
 * @throws NotFoundError for an unknown store, ForbiddenError, ReadOnlyError; what the change throws, with its place
 */
export async function changeAt<T>(
  input: { readonly store: string; readonly path: string },
  context: GatewayContext,
  change: (place: PlaceToWrite) => Promise<T>,
): Promise<T> {
  const store = context.store(input.store);
  const path = parseNodePath(input.path);
  try {
    context.assertMayWrite(store.name, path);
    assertWritable(store);
    if (context.budget.costOnly) throw new NotReadError('only the cost was asked for');
    return await change({ store, path });
  } catch (error) {
    throw atPlace(error, { store: store.name, path });
  } finally {
    context.nodes.forget();
    context.datasets.forget();
  }
}

/** Kinds of stores that no option makes writable, and why. */
const readOnlyKinds: Readonly<Partial<Record<StoreKind, string>>> = {
  HTTP: 'web servers take no writes',
  ZIP: 'an archive that is there cannot be written into',
};

function assertWritable({ name, kind, writable, hierarchy }: StoreModel): void {
  const { can } = hierarchy.store;
  if (writable && can.write) return;
  const why = can.write ? undefined : readOnlyKinds[kind];
  const advice = why ?? `who runs the gateway can start it with "--allow-write ${name}"`;
  throw new ReadOnlyError(`the store is read-only; ${advice}`);
}
