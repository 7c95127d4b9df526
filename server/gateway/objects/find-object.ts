/** Finds the stored object that a request may read: a metadata document, or a chunk of an array. */
import type { GatewayContext } from '../../resolvers/context.js';
import { storeAt } from '../../resolvers/versions/store-versions.js';
import type { StoreVersion } from '../../resolvers/generated/types.js';
import type { StoreModel } from '../../resolvers/models.js';
import { InputError, isZarrError, NotFoundError } from '../../zarr/index.js';
import { type ObjectKey, parseObjectKey } from './object-key.js';

export interface FoundObject {
  readonly store: StoreModel;
  readonly key: string;
  /** The node's path. */
  readonly path: string;
  /** The name of a metadata document; undefined for a chunk. */
  readonly document: string | undefined;
  /** Called before an absent chunk is reported as such. @throws errors of `ConfirmMissing` */
  readonly confirmMissing: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/**
 * @param name name of a store, or of one of its snapshots
 * @param version the version, as in `branch=main`; undefined for the one that the name says
 * @param path percent-encoded key below the root of the store
 * @param lookedUp called before each array after the first is looked up, to charge for it
 * @throws NotFoundError also for objects that the caller may not see; InputError for an invalid version; errors from
 * opening the node
 */
export async function findObject(
  {
    name,
    version,
    path,
  }: { readonly name: string; readonly version: string | undefined; readonly path: string },
  context: GatewayContext,
  lookedUp: () => void,
): Promise<FoundObject> {
  const store =
    version === undefined
      ? await context.pinned(name)
      : await storeAt(name, parseStoreVersion(version), context);
  const parsed = parseObjectKey(path);
  const found =
    parsed &&
    ((await documentOf(store, parsed, context)) ?? (await chunkOf(store, parsed, context, lookedUp)));
  if (found === undefined) throw noObject(store);
  return found;
}

/** Equal for keys that no node has and for those of hidden nodes. */
export function noObject({ name }: Pick<StoreModel, 'name'>): NotFoundError {
  return new NotFoundError('no metadata document or chunk of a node has this key', {
    where: { store: name },
  });
}

async function documentOf(
  store: StoreModel,
  { key, document }: ObjectKey,
  { rights, signal }: GatewayContext,
): Promise<FoundObject | undefined> {
  if (document === undefined || !rights.mayRead(store.name, document.path)) return undefined;
  const { path, name, isOfV1 } = document;
  if (isOfV1 && (await store.hierarchy.node(path, { signal }))?.meta.zarrFormat !== 1) return undefined;
  return { store, key, path, document: name, confirmMissing: undefined };
}

async function chunkOf(
  store: StoreModel,
  { chunks }: ObjectKey,
  { signal }: GatewayContext,
  lookedUp: () => void,
): Promise<FoundObject | undefined> {
  let failure: Error | undefined;
  for (const [i, { path, name }] of chunks.entries()) {
    if (i > 0) lookedUp();
    try {
      const node = await store.hierarchy.node(path, { signal });
      if (node?.kind !== 'array') continue;
      const key = node.objectKey(name);
      // An array contains no nodes.
      return key === undefined
        ? undefined
        : { store, key, path, document: undefined, confirmMissing: node.confirmMissing };
    } catch (error) {
      // A broken node above the array does not affect it.
      if (!isZarrError(error, 'INVALID_METADATA') && !isZarrError(error, 'UNSUPPORTED')) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

/** @throws InputError unless it is `branch=NAME`, `tag=NAME`, `snapshot=ID`, `time=TIME`, or the id of a snapshot */
export function parseStoreVersion(text: string): StoreVersion {
  if (/^[0-9A-HJKMNP-TV-Z]{20}$/.test(text)) return { snapshot: text };
  const [, kind, name = ''] = /^(branch|tag|snapshot|time)=(.+)$/s.exec(text) ?? [];
  if (kind === 'branch') return { branch: name };
  if (kind === 'tag') return { tag: name };
  if (kind === 'snapshot') return { snapshot: name };
  if (kind === 'time') return { time: name };
  throw new InputError(
    `${JSON.stringify(text.slice(0, 100))} is not a version; write branch=NAME, tag=NAME, snapshot=ID or time=TIME`,
  );
}
