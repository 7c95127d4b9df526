/**
 * Reads chunks that are parts of files outside of the repository. Only files below configured prefixes are read, each
 * through the store of its prefix.
 */
import { InputError, MetadataError, StoreDeniedError, withContext } from '../../core/errors.js';
import { isKey } from '../keys.js';
import type { ByteRange, KeyStore, ReadOptions, ReadRequest, StoreValue } from '../store.js';

/** A chunk that is a part of a file outside of the store. */
export interface VirtualReference {
  /** The address of the file, percent-encoded. */
  readonly url: string;
  readonly offset: number;
  /** Undefined for the whole file. */
  readonly length: number | undefined;
  /** The tag that the file must have; undefined for any. */
  readonly etag: string | undefined;
  /** Seconds since 1970; the file must not have been modified later. Undefined for any time. */
  readonly lastModified: number | undefined;
}

/** Files that virtual chunks may be in. */
export interface VirtualPrefix {
  /** The beginning of their addresses, which ends with a slash, such as `s3://bucket/archive/`. */
  readonly prefix: string;
  /** The files below the prefix. */
  readonly store: KeyStore;
}

/** A part of a virtual chunk, with the conditions of its file. */
export interface VirtualPart extends Pick<ReadRequest, 'ifMatch' | 'ifNoneMatch'> {
  readonly reference: VirtualReference;
  /** The part of the file; undefined for the whole file. */
  readonly range: ByteRange | undefined;
}

/** @throws InputError */
export function assertVirtualPrefix(prefix: string): void {
  const problem = problemOf(prefix);
  if (problem !== undefined)
    throw new InputError(`the prefix ${JSON.stringify(prefix)} of virtual chunks ${problem}`);
}

function problemOf(prefix: string): string | undefined {
  if (!/^(?:file|https?|s3|gs|az):\/\//.test(prefix))
    return 'must begin with file://, http://, https://, s3://, gs:// or az://';
  if (!prefix.endsWith('/'))
    return 'must end with a slash, because every address that begins with it is allowed';
  const { username: user, password, search, hash, pathname } = new URL(prefix);
  // A container of an account: az://container@account.blob.core.windows.net/
  const username = prefix.startsWith('az://') ? '' : user;
  if (username !== '' || password !== '') return 'must not contain a name or password';
  if (search !== '' || hash !== '') return 'must not contain a query';
  if (prefix.replace(/^[a-z0-9]+:\/\/[^/]*/, '') !== pathname) return `must have the path ${pathname}`;
  return undefined;
}

/**
 * Reads parts of virtual chunks.
 * @param each receives the result of the file: a part with an offset has the requested length
 * @throws StoreDeniedError for an address below no prefix; MetadataError for a file that is missing, too short or
 * changed; store errors
 */
export async function readVirtual(
  prefixes: readonly VirtualPrefix[],
  parts: readonly VirtualPart[],
  each: (index: number, result: StoreValue | 'unchanged') => void,
  options: ReadOptions | undefined,
): Promise<void> {
  const groups = new Map<VirtualPrefix, { readonly index: number; readonly key: string; readonly part: VirtualPart }[]>(); // prettier-ignore
  for (const [index, part] of parts.entries()) {
    const { prefix, key } = fileOf(prefixes, part.reference.url);
    const group = groups.get(prefix) ?? [];
    group.push({ index, key, part });
    groups.set(prefix, group);
  }
  for (const [{ store }, group] of groups)
    await store.getMany(
      group.map(({ key, part: { range, ifMatch, ifNoneMatch } }) => ({
        key,
        ...(range === undefined ? {} : { range }),
        ...(ifMatch === undefined ? {} : { ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
      })),
      (position, result) => {
        const member = group[position];
        if (member === undefined) throw new MetadataError('the store returned too many results');
        const { index, key, part } = member;
        try {
          if (result === undefined) throw new MetadataError('the file of a virtual chunk does not exist');
          if (result !== 'unchanged') {
            assertCurrent(part.reference, result);
            const { range } = part;
            if (range !== undefined && 'length' in range && result.bytes.length !== range.length)
              throw new MetadataError('the file of a virtual chunk is shorter than its reference');
          }
          each(index, result);
        } catch (error) {
          throw withContext(error, { key });
        }
      },
      options,
    );
}

/** @throws StoreDeniedError; MetadataError for an invalid address */
function fileOf(
  prefixes: readonly VirtualPrefix[],
  url: string,
): { readonly prefix: VirtualPrefix; readonly key: string } {
  let found: VirtualPrefix | undefined;
  for (const each of prefixes)
    if (url.startsWith(each.prefix) && each.prefix.length > (found?.prefix.length ?? 0)) found = each;
  if (found === undefined) {
    const folder = folderOf(url);
    throw new StoreDeniedError(
      `the chunk is in another file${folder === undefined ? '' : `, below ${folder}`}, which the configuration does not allow; add this prefix or one above it to virtualChunks of the store, or as ?prefix= to the address of references`,
    );
  }
  const path = url.slice(found.prefix.length);
  const isWeb = found.prefix.startsWith('http');
  const key = decoded(path);
  if (key === undefined || !isKey(key) || (isWeb && /[?#]/.test(path)))
    throw new MetadataError('a virtual chunk has an invalid address');
  return { prefix: found, key };
}

/** The address up to its last slash, without what may be secret: user and query. */
function folderOf(url: string): string | undefined {
  const [, scheme, host = '', path = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#@]*)([^?#]*)/i.exec(url) ?? [];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return scheme === undefined ? undefined : `${scheme}${host}${folder === '' ? '/' : folder}`.slice(0, 300);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** @throws MetadataError if the file is not the one that was referred to, or if that is not known */
function assertCurrent({ etag, lastModified }: VirtualReference, { version, modifiedMs }: StoreValue): void {
  const isSameTag = etag === undefined || (version !== undefined && tagOf(version) === tagOf(etag));
  const isOldEnough =
    lastModified === undefined || (modifiedMs !== undefined && Math.floor(modifiedMs / 1000) <= lastModified);
  if (!isSameTag || !isOldEnough)
    throw new MetadataError(
      'the file of a virtual chunk has changed since the reference to it was written, or its server does not tell',
    );
}

/** Some writers record the tag of a response, others its content. */
function tagOf(etag: string): string {
  return etag.replace(/^"|"$/g, '');
}
