/**
 * N5 containers as Zarr format 3: a store over the store of the files. It answers requests for `zarr.json` from
 * `attributes.json`; blocks are chunks of the codec `n5_default` (zarr-extensions, codecs/n5_default, "Storage"). A folder
 * without `attributes.json` is a group, unless it is below an array.
 */
import { isZarrError, ReadOnlyError, withContext } from '../core/errors.js';
import { inTurns } from '../core/turns.js';
import { assertObjectSize, assertRequest, assertVersion, atKey, resolveRange } from './checks.js';
import { joinKey, parentOf, sortByCodePoint } from './keys.js';
import { implicitGroup, MAX_ATTRIBUTES_BYTES, readN5Node } from './n5/zarr-document.js';
import { type WalkedNode, walkNodes } from './n5/walk-nodes.js';
import { wrapStore } from './wrap.js';
import type { KeyStore, Listing, ReadOptions, ReadRequest, ReadResult, StoreValue } from './store.js';

const ZARR = 'zarr.json';
const N5 = 'attributes.json';
/** Documents of Zarr format 2, which a container does not have. */
const otherDocuments = /(?:^|\/)(?:\.zarray|\.zgroup|\.zattrs|\.zmetadata)$/;
const IMPLICIT = 'implicit';
const READ_ONLY = 'N5 is read-only; copy it to Zarr to change it';

const isDocument = (key: string): boolean => key === ZARR || key.endsWith(`/${ZARR}`);
const isShown = (key: string): boolean =>
  !isDocument(key) && !otherDocuments.test(key) && key !== N5 && !key.endsWith(`/${N5}`);

/** @param files the store of the container; closed with this one */
export function createN5Store(files: KeyStore): KeyStore {
  const { label } = files;
  const refuse = async (): Promise<never> => {
    throw new ReadOnlyError(`the store is read-only: ${READ_ONLY}`, { where: { store: label } });
  };
  const document = (request: ReadRequest, options: ReadOptions | undefined): Promise<ReadResult> =>
    readDocument(files, request, options);

  const store = wrapStore(files, {
    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      const blocks: { readonly request: ReadRequest; readonly i: number }[] = [];
      const documents: { readonly request: ReadRequest; readonly i: number }[] = [];
      for (const [i, request] of requests.entries())
        if (isDocument(request.key)) documents.push({ request, i });
        else if (otherDocuments.test(request.key)) each(i, undefined);
        else blocks.push({ request, i });
      await Promise.all([
        blocks.length === 0
          ? undefined
          : files.getMany(
              blocks.map(({ request }) => request),
              (at, result) => each(blocks[at]?.i ?? at, result),
              options,
            ),
        ...documents.map(async ({ request, i }) => each(i, await document(request, options))),
      ]);
    },
    list: (prefix, options) => listNodes(files, prefix, options),
    walk: (prefix, options) =>
      walkNodes(
        files.walk(prefix, options),
        prefix,
        (folder) => nodeAt(files, folder, { signal: options?.signal }),
        isShown,
      ),
    set: refuse,
    delete: refuse,
    deletePrefix: refuse,
    ...(files.locate === undefined ? {} : { locate: files.locate }),
  });
  return {
    ...store,
    readOnlyReason: READ_ONLY,
    can: { ...files.can, write: false, conditionalWrite: false },
  };
}

async function readOne(
  files: KeyStore,
  request: ReadRequest,
  options: ReadOptions | undefined,
): Promise<ReadResult> {
  let result: ReadResult;
  await files.getMany([request], (_, found) => (result = found), { ...options, taken: undefined });
  return result;
}

async function readDocument(
  files: KeyStore,
  { key, range, ifNoneMatch, ifMatch }: ReadRequest,
  options: ReadOptions | undefined,
): Promise<ReadResult> {
  const folder = parentOf(key);
  const isImplicit = ifNoneMatch === IMPLICIT;
  const found = await readOne(
    files,
    {
      key: joinKey(folder, N5),
      ...(ifNoneMatch === undefined || isImplicit ? {} : { ifNoneMatch }),
      ...(ifMatch === undefined || ifMatch === IMPLICIT ? {} : { ifMatch }),
    },
    withinAttributes(options),
  );
  if (found === 'unchanged') return found;
  let value: StoreValue;
  if (found === undefined) {
    if (!(await isGroup(files, folder, options))) return undefined;
    if (isImplicit) return 'unchanged';
    value = { bytes: implicitGroup, version: IMPLICIT };
  } else {
    const bytes = (await nodeOf(files, folder, found)).document;
    value = { ...found, bytes, total: bytes.length };
  }
  return atKey(files.label, key, () => {
    assertVersion(value.version, ifMatch);
    assertObjectSize(value.bytes.length, options?.maxBytes);
    if (range === undefined) return value;
    const { offset, length } = resolveRange(range, value.bytes.length);
    return { ...value, total: value.bytes.length, bytes: value.bytes.subarray(offset, offset + length) };
  });
}

/** Attributes are read as a whole. */
function withinAttributes(options: ReadOptions | undefined): ReadOptions {
  return { ...options, maxBytes: MAX_ATTRIBUTES_BYTES };
}

/** @throws MetadataError, with the key, for attributes that are not of N5 */
async function nodeOf(
  { label }: KeyStore,
  folder: string,
  { bytes }: StoreValue,
): Promise<{ readonly isArray: boolean; readonly document: Uint8Array }> {
  try {
    const node = await inTurns(readN5Node(bytes));
    return { isArray: node.isArray, document: node.document() };
  } catch (error) {
    throw withContext(error, { store: label, key: joinKey(folder, N5) });
  }
}

/** Whether a folder without attributes is a group: it has members, and is not below an array. */
async function isGroup(files: KeyStore, folder: string, options: ReadOptions | undefined): Promise<boolean> {
  if (!files.can.list) return folder === '';
  const { keys, folders } = await files.list(folder, options);
  return keys.length + folders.length > 0 && !(await isBelowArray(files, folder, options));
}

async function isBelowArray(
  files: KeyStore,
  folder: string,
  options: ReadOptions | undefined,
): Promise<boolean> {
  for (let above = folder; above !== '';) {
    above = parentOf(above);
    const found = await readOne(files, { key: joinKey(above, N5) }, withinAttributes(options));
    if (typeof found === 'object' && (await nodeOf(files, above, found)).isArray) return true;
  }
  return false;
}

async function listNodes(
  files: KeyStore,
  prefix: string,
  options: ReadOptions | undefined,
): Promise<Listing> {
  const { keys, folders } = await files.list(prefix, options);
  const isEmpty = keys.length + folders.length === 0;
  const isNode =
    keys.includes(joinKey(prefix, N5)) || (!isEmpty && !(await isBelowArray(files, prefix, options)));
  const others = keys.filter(isShown);
  return { keys: sortByCodePoint(isNode ? [...others, joinKey(prefix, ZARR)] : others), folders };
}

async function nodeAt(
  files: KeyStore,
  folder: string,
  options: ReadOptions,
): Promise<WalkedNode | undefined> {
  const key = joinKey(folder, ZARR);
  const found = await readOne(files, { key: joinKey(folder, N5) }, withinAttributes(options));
  if (typeof found === 'object') {
    try {
      const { isArray, document } = await nodeOf(files, folder, found);
      return { document: { key, bytes: document.length }, isArray };
    } catch (error) {
      // Reading the document reports the error. What is below it may be blocks.
      if (!isZarrError(error, 'INVALID_METADATA')) throw error;
      return { document: { key, bytes: found.bytes.length }, isArray: true };
    }
  }
  if (!(await isGroup(files, folder, options))) return undefined;
  return { document: { key, bytes: implicitGroup.length }, isArray: false };
}
