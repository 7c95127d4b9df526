/** Mutations of the history of a store: its repository, branches and tags. */
import { InputError, UnsupportedError, type VersionWriting, withContext } from '../../zarr/index.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { StoreVersion } from '../generated/types.js';
import type { StoreModel } from '../models.js';
import { assertServedWritable } from '../mutations/mutation-target.js';
import { baseName, snapshotOf } from '../nodes/store-name.js';
import { snapshotIdOf } from './store-versions.js';

interface Writable {
  readonly store: StoreModel;
  readonly writing: VersionWriting;
}

/**
 * A branch or tag contains all nodes, so it requires the right to write all of them.
 * @throws NotFoundError, ForbiddenError, ReadOnlyError; UnsupportedError for a store without a history
 */
function writableHistory(name: string, context: GatewayContext): Writable {
  const store = context.store(baseName(name));
  const { history } = store;
  context.assertMayWrite(store.name, '/');
  if (history === undefined)
    throw new UnsupportedError(
      'the store keeps no history; only Icechunk repositories have branches and tags',
    );
  assertServedWritable(store);
  const { writing } = history;
  if (writing === undefined) throw new UnsupportedError('the history of the store cannot be changed');
  if (context.budget.costOnly) throw new NotReadError('only the cost was requested');
  return { store, writing };
}

export async function createRepository(
  input: { readonly store: string; readonly specVersion: number },
  context: GatewayContext,
): Promise<{ readonly store: StoreModel }> {
  try {
    const { store, writing } = writableHistory(input.store, context);
    await writing.createRepository(input.specVersion);
    return { store };
  } catch (error) {
    throw withContext(error, { store: input.store });
  }
}

/** @throws errors from `writableHistory`, `snapshotIdOf` and the creation */
export async function nameSnapshot(
  create: 'createBranch' | 'createTag',
  { store: storeName, name, at }: { readonly store: string; readonly name: string; readonly at: StoreVersion | null | undefined }, // prettier-ignore
  context: GatewayContext,
): Promise<{ readonly store: StoreModel; readonly snapshot: string }> {
  try {
    const { store, writing } = writableHistory(storeName, context);
    if (context.commits.isOpen(store.name))
      throw new InputError(
        'the changes of this request are committed at its end; send this mutation in another request after it',
      );
    const { signal } = context;
    const snapshot = at
      ? await snapshotIdOf(store, at, context)
      : (snapshotOf(storeName) ?? (await store.history?.resolve(undefined, { signal, fresh: true })));
    if (snapshot === undefined) throw new UnsupportedError('the store keeps no history');
    await writing[create](name, snapshot);
    return { store, snapshot };
  } catch (error) {
    throw withContext(error, { store: storeName });
  }
}
