/** The keys of a Zarr store in the paths of requests, without I/O. */

/** Names of metadata documents of v2 and v3. Those of v1 are names of nodes in later formats. */
const documents: ReadonlySet<string> = new Set(['zarr.json', '.zarray', '.zgroup', '.zattrs', '.zmetadata']);
const v1Documents: ReadonlySet<string> = new Set(['meta', 'attrs']);

/** The form of all chunk names, of at most 64 dimensions: `c/0/1`, `c.0.1`, `0.1`, `0/1`, `c` and `0`. */
const chunkName = /^(?:c(?:[/.]\d{1,16}){0,64}|\d{1,16}(?:[/.]\d{1,16}){0,63})$/;

/** A possible location of the array that a chunk belongs to. */
export interface ChunkPlace {
  /** Path of the array, such as "/a/b". */
  readonly path: string;
  /** Name of the chunk below it, such as "c/0/1". */
  readonly name: string;
}

export interface ObjectKey {
  readonly key: string;
  /** Set for a metadata document. */
  readonly document: { readonly path: string; readonly name: string; readonly isOfV1: boolean } | undefined;
  /** The arrays to which a chunk of this key can belong, from the top: arrays contain no nodes. */
  readonly chunks: readonly ChunkPlace[];
}

/** @param path percent-encoded key; undefined for a path that is no key of a document or chunk */
export function parseObjectKey(path: string): ObjectKey | undefined {
  const parts = path.split('/').map(decodedPart);
  if (parts.some((part) => part === undefined || part === '' || /[/\\\0]|^\.{1,2}$/.test(part)))
    return undefined;
  const names = parts.filter((part) => part !== undefined);
  const pathOf = (count: number): string => `/${names.slice(0, count).join('/')}`;
  const last = names.at(-1) ?? '';
  const isOfV1 = v1Documents.has(last);
  const document =
    isOfV1 || documents.has(last) ? { path: pathOf(names.length - 1), name: last, isOfV1 } : undefined;
  const chunks: ChunkPlace[] = [];
  // Walks up from the end as long as the rest can be a chunk.
  for (let at = names.length - 1; at >= 0; at--) {
    const name = names.slice(at).join('/');
    if (!chunkName.test(name)) break;
    chunks.unshift({ path: pathOf(at), name });
  }
  return { key: names.join('/'), document, chunks };
}

/** A percent-encoded part of a path; undefined for an invalid encoding. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
