/**
 * Compression of responses: negotiation (RFC 9110, sections 8.4 and 12.5.3) and encoders. A compressed
 * response is a separate representation; its ETag is the plain one's, followed by the name of the encoding.
 */
import { pipeline, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { RawResponse } from '../gateway/options.js';

/**
 * Minimum size to compress. Smaller responses nearly fit one packet, so compressing them is not worth the
 * time.
 */
const MIN_BYTES = 1024;

/** Media types to compress: text. CBOR and binary files contain numbers, which compress poorly. */
const compressible = /^(application\/([\w.-]+\+)?json|text\/(?!event-stream))\b/i;

/** A response ready to be sent. */
export interface EncodedResponse extends Pick<RawResponse, 'status' | 'headers'> {
  /** The buffers of a fully buffered body, else its stream; null for none. */
  readonly body: readonly Uint8Array[] | AsyncIterable<Uint8Array> | null;
}

/** Compressed bodies by ETag, for large responses that many clients request. */
export type EncodingCache = LRUCache<string, Promise<Uint8Array>>;

/** Maximum number of cached bodies: the GraphiQL page in both encodings, with two sets of examples. */
const MAX_CACHED_BODIES = 4;

export function createEncodingCache(): EncodingCache {
  return new LRUCache({ max: MAX_CACHED_BODIES });
}

/**
 * @param enabled whether responses may be compressed
 * @param cache cache of compressed bodies
 */
export function negotiateEncoding(
  headers: {
    readonly 'accept-encoding'?: string | string[] | undefined;
    readonly 'if-none-match'?: string | undefined;
  },
  enabled: boolean,
  cache?: EncodingCache,
) {
  const accepted = headers['accept-encoding'] ?? '';
  const encoding = enabled ? chooseEncoding(String(accepted)) : undefined;
  const condition = headers['if-none-match'];
  // The ETag of the encoded response is derived from that of the plain one.
  const ending = encoding === undefined ? undefined : `-${encoding.name}"`;
  const ifNoneMatch =
    condition === undefined || ending === undefined ? condition : condition.replaceAll(ending, '"');
  return {
    /** `If-None-Match` with the ETags of plain responses. */
    ifNoneMatch,
    encode(plain: RawResponse, withBody: boolean): EncodedResponse | Promise<EncodedResponse> {
      if (!enabled) return plain;
      if (plain.status === 304) return notModified(plain, condition, ending);
      if (!isCompressible(plain)) return plain;
      const varied = { ...plain, headers: { ...plain.headers, vary: varyByEncoding(plain.headers['vary']) } };
      return encoding === undefined ? varied : compress(varied, encoding, withBody, cache);
    },
  };
}

/** Whether the response is compressed for clients that accept it. */
function isCompressible({ status, headers }: RawResponse): boolean {
  if (status !== 200 || headers['content-encoding'] !== undefined || headers['accept-ranges'] === 'bytes')
    return false;
  if (!compressible.test(headers['content-type'] ?? '')) return false;
  const length = headers['content-length'];
  return length === undefined || Number(length) >= MIN_BYTES;
}

function varyByEncoding(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}

/**
 * Creates a 304 response. It repeats the ETag that the client sent, which may be that of the compressed
 * response.
 */
function notModified(
  plain: EncodedResponse,
  condition: string | undefined,
  ending: string | undefined,
): EncodedResponse {
  const etag = plain.headers['etag'];
  const headers = { ...plain.headers, vary: varyByEncoding(plain.headers['vary']) };
  if (etag === undefined || condition === undefined || ending === undefined) return { ...plain, headers };
  const encoded = etag.replace(/"$/, ending);
  return { ...plain, headers: condition.includes(encoded) ? { ...headers, etag: encoded } : headers };
}

/** The compressed stream. Ends when the reader stops, and fails when the body fails. */
function throughEncoder(body: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncIterable<Uint8Array> {
  const encoder = encoding.stream();
  // The encoder reports errors of either side.
  pipeline(body, encoder, () => {});
  return encoder;
}

async function compress(
  plain: EncodedResponse,
  encoding: Encoding,
  withBody: boolean,
  cache: EncodingCache | undefined,
): Promise<EncodedResponse> {
  const { 'content-length': _, ...others } = plain.headers;
  const headers: Record<string, string> = others;
  headers['content-encoding'] = encoding.name;
  if (headers['etag'] !== undefined) headers['etag'] = headers['etag'].replace(/"$/, `-${encoding.name}"`);
  const { body } = plain;
  if (!withBody || body === null) return { ...plain, headers, body };
  if (Symbol.asyncIterator in body) return { ...plain, headers, body: throughEncoder(body, encoding) };
  const bytes = await cached(cache, headers['etag'], () =>
    encoding.whole(body.length === 1 && body[0] !== undefined ? body[0] : Buffer.concat(body)),
  );
  return { ...plain, headers: { ...headers, 'content-length': String(bytes.length) }, body: [bytes] };
}

/** Compresses once, even for concurrent requests. */
function cached(
  cache: EncodingCache | undefined,
  etag: string | undefined,
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (cache === undefined || etag === undefined) return make();
  const known = cache.get(etag);
  if (known !== undefined) return known;
  const compressed = make();
  cache.set(etag, compressed);
  compressed.catch(() => cache.delete(etag));
  return compressed;
}

export interface Encoding {
  readonly name: 'br' | 'gzip';
  /** Compresses a fully buffered body in Node's thread pool. */
  whole(bytes: Uint8Array): Promise<Uint8Array>;
  stream(): Transform;
}

const brotliAsync = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress);
const gzipAsync = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);

/** A low level, because numbers as text compress about equally well at every level. */
const gzipOptions: ZlibOptions = { level: 1, memLevel: 9 };

function brotliOptions(bytes: number | undefined): BrotliOptions {
  // Quality 1 keeps up with the network for large responses. Small ones compress quickly at quality 4 too.
  const quality = bytes !== undefined && bytes <= 2 ** 16 ? 4 : 1;
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 19,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      ...(bytes === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: bytes }),
    },
  };
}

/** The supported encodings, in the order that is used if the client states no preference. Node 22.12 to 22.14 lack zstd. */
export const encodings: readonly Encoding[] = [
  {
    name: 'br',
    whole: (bytes) => brotliAsync(bytes, brotliOptions(bytes.length)),
    stream: () => createBrotliCompress(brotliOptions(undefined)),
  },
  {
    name: 'gzip',
    whole: (bytes) => gzipAsync(bytes, gzipOptions),
    stream: () => createGzip(gzipOptions),
  },
];

/**
 * The best encoding for a client, or undefined for none. A higher quality wins, then the order of
 * `encodings`. `identity` is always acceptable, and wins if its quality is higher.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  return chosen.memo(acceptEncoding).encoding;
}

/** Cached, because clients repeat the same header. */
const chosen = new LRUCache<string, { readonly encoding: Encoding | undefined }>({
  max: 100,
  memoMethod: (header) => ({ encoding: bestEncoding(parseAcceptEncoding(header)) }),
});

function bestEncoding(qualities: ReadonlyMap<string, number>): Encoding | undefined {
  const any = qualities.get('*');
  let best: Encoding | undefined;
  let bestQuality = 0;
  for (const encoding of encodings) {
    const quality = qualities.get(encoding.name) ?? any ?? 0;
    if (quality > bestQuality) [best, bestQuality] = [encoding, quality];
  }
  return (qualities.get('identity') ?? 0) > bestQuality ? undefined : best;
}

function parseAcceptEncoding(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const entry of header.slice(0, 1000).toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    const known = name === 'x-gzip' ? 'gzip' : name;
    if (known !== '') qualities.set(known, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}
