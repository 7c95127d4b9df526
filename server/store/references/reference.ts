/**
 * What a set of references says of one key: bytes, or a part of another file. Sources: the kerchunk specification
 * ("References specification", versions 0 and 1) and `ReferenceFileSystem` of fsspec, which reads both.
 */
import { LimitError, MetadataError, StoreDeniedError, UnsupportedError } from '../../core/errors.js';
import type { VirtualReference } from '../virtual/virtual-chunks.js';

export type Reference =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'target'; readonly target: VirtualReference };

/** Texts that stand for `{{name}}` in addresses. */
export type Templates = ReadonlyMap<string, string>;

/** Maximum length of an address, in characters. */
const MAX_URL = 8192;
/** Maximum size, in bytes, of a value within a set of references, which is decoded in one step. */
export const MAX_VALUE_BYTES = 16 * 2 ** 20;

/** What the addresses of a set of references mean. */
export interface TargetContext {
  readonly templates: Templates;
  /** The address of the folder of the references, which relative addresses start at; percent-encoded, with a slash at the end. */
  readonly base: string;
}

/**
 * A reference to a part of a file, or to a whole file.
 * @param offset in bytes, as it was recorded
 * @throws MetadataError for an address or numbers that are invalid; UnsupportedError for an expression
 */
export function virtualTarget(
  url: unknown,
  offset: unknown,
  length: unknown,
  context: TargetContext,
): VirtualReference {
  if (typeof url !== 'string') throw new MetadataError('a reference has no address of a file');
  const isWhole = offset === undefined && length === undefined;
  if (!isWhole && !(isCount(offset) && isCount(length) && Number.isSafeInteger(offset + length)))
    throw new MetadataError(
      `a reference has an invalid offset or length; both must be integers from 0, with a sum below 2^53`,
    );
  return {
    url: canonical(expanded(url, context.templates), context.base),
    offset: isWhole || !isCount(offset) ? 0 : offset,
    length: isWhole || !isCount(length) ? undefined : length,
    etag: undefined,
    lastModified: undefined,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Substitutes the names of templates, once: their texts are not expanded again. */
function expanded(url: string, templates: Templates): string {
  assertLength(url.length);
  if (!url.includes('{{')) return url;
  let length = url.length;
  return url.replace(/\{\{([^{}]*)\}\}/g, (whole, name: string) => {
    const text = templates.get(name.trim());
    if (text === undefined || text.includes('{{'))
      throw new UnsupportedError(
        `the address of a reference has an expression, ${whole.slice(0, 40)}; only names of templates without expressions are supported`,
      );
    length += text.length - whole.length;
    assertLength(length);
    return text;
  });
}

function assertLength(length: number): void {
  if (length > MAX_URL)
    throw new MetadataError(`the address of a reference has more than ${MAX_URL} characters`);
}

/** Other names of schemes that fsspec knows. */
const schemes: Readonly<Record<string, string>> = {
  ...{ local: 'file', s3a: 's3', gcs: 'gs' },
  ...{ abfs: 'az', abfss: 'az', azure: 'az', wasbs: 'az' },
};

/**
 * The percent-encoded form of an address, as prefixes have it. Addresses of buckets and files are literal in references:
 * `%` is a character of the name. Those of web servers are encoded already.
 */
function canonical(url: string, base: string): string {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]+):\/\/([^]*)$/i.exec(url) ?? [];
  if (scheme === undefined) {
    // A file of this machine has a name without a host.
    if (url.startsWith('/')) return `file://${encoded(url)}`;
    return resolved(url, base);
  }
  const lower = scheme.toLowerCase();
  if (lower === 'http' || lower === 'https') return url;
  const name = schemes[lower] ?? lower;
  const slash = rest.indexOf('/');
  if (slash < 0) return `${name}://${rest}`;
  const authority = rest.slice(0, slash);
  // Both names are of the same container.
  const host =
    name === 'az' ? authority.replace(/\.dfs\.core\.windows\.net$/, '.blob.core.windows.net') : authority;
  return `${name}://${host}${encoded(rest.slice(slash))}`;
}

/** Resolves an address relative to the folder of the references. @throws MetadataError if it has no meaning */
function resolved(url: string, base: string): string {
  const parts = url.split('/').filter((part) => part !== '.');
  const origin = /^[a-z0-9+.-]+:\/\/[^/]*/.exec(base)?.[0] ?? '';
  const folders = base.slice(origin.length).split('/').slice(0, -1);
  while (parts[0] === '..') {
    parts.shift();
    // The first part is the text before the slash after the host.
    if (folders.length <= 1) throw new StoreDeniedError('the address of a reference leads above its store');
    folders.pop();
  }
  const isWeb = /^https?:/.test(base);
  return `${origin}${[...folders, isWeb ? parts.join('/') : encoded(parts.join('/'))].join('/')}`;
}

/** Encodes what the parser of URLs encodes in paths, and what would end a path. */
function encoded(path: string): string {
  if (/\p{Surrogate}/u.test(path)) throw new MetadataError('the address of a reference has a lone surrogate');
  return encodeURI(path)
    .replace(/[?#]/g, encodeURIComponent)
    .replace(/%5B|%5D|%7C/g, decodeURIComponent);
}

/** @throws LimitError */
export function assertInlineLength(length: number): void {
  if (length > MAX_VALUE_BYTES)
    throw new LimitError(
      `a value within references has ${length} bytes; at most ${MAX_VALUE_BYTES} are allowed`,
      { excess: [{ limit: 'maxInlineBytes', allowed: MAX_VALUE_BYTES, needed: length }] },
    );
}
