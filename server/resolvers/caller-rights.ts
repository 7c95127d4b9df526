/**
 * What one caller may read and write. Reading is enforced by handing out stores whose hierarchy shows nothing else, so
 * that no resolver can forget to ask; writing is asked for by each change.
 */
import { NotFoundError } from '../zarr/index.js';
import { ForbiddenError } from './refusals.js';
import type { StoreModel } from './models.js';

/** Asked with the configured name of a store and the absolute path of a node. What is missing allows everything. */
export interface CallerRights {
  /** Whether the caller may know of the node. A hidden node, or store, is one that does not exist. */
  readonly mayRead?: ((store: string, path: string) => boolean) | undefined;
  /**
   * Whether the caller may know of the node or of any below it: elsewhere, listings do not look. A store is shown where
   * this is so for its root.
   * @default mayRead
   */
  readonly mayEnter?: ((store: string, path: string) => boolean) | undefined;
  /** Whether the caller may change or make the node, in a store that is writable. */
  readonly mayWrite?: ((store: string, path: string) => boolean) | undefined;
}

/** The stores of which the caller may read anything, narrowed to that; in the order given. */
export function createVisibleStores(
  all: ReadonlyMap<string, StoreModel>,
  { mayRead, mayEnter = mayRead }: CallerRights,
): readonly StoreModel[] {
  const stores = [...all.values()];
  if (mayRead === undefined || mayEnter === undefined) return stores;
  return stores
    .filter(({ name }) => mayEnter(name, '/'))
    .map((store) => ({
      ...store,
      hierarchy: store.hierarchy.seenBy({
        sees: (path) => mayRead(store.name, path),
        enters: (path) => mayEnter(store.name, path),
      }),
    }));
}

/** @throws ForbiddenError; NotFoundError where the caller may not even know what is there */
export function assertMayWrite({ mayRead, mayWrite }: CallerRights, store: string, path: string): void {
  if (mayRead?.(store, path) === false)
    throw new NotFoundError('there is nothing here', { where: { store, path } });
  if (mayWrite === undefined || mayWrite(store, path)) return;
  throw new ForbiddenError('this caller has no right to change anything here', { store, path });
}
