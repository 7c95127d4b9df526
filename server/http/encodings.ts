/** Content codings of responses (RFC 9110, sections 8.4 and 12.5.3): negotiation and encoders. */
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type ZlibOptions,
} from 'node:zlib';
import { promisify } from 'node:util';
import type { Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';

export interface Encoding {
  readonly name: 'br' | 'gzip';
  /** Runs outside the event loop. */
  whole(bytes: Uint8Array): Promise<Uint8Array>;
  stream(): Transform;
}

const brotliAsync = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress);
const gzipAsync = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);

/** Low levels, because numbers as text compress about equally well at every level. */
const gzipOptions: ZlibOptions = { level: 1, memLevel: 9 };

function brotliOptions(bytes: number | undefined): BrotliOptions {
  // Keeps up with the network for large responses. Small responses compress quickly at any level.
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

/** In order of preference for clients without one. Node 20 has no zstd. */
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
 * `encodings`. `identity` is always acceptable, and wins if the client gives it a higher quality.
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
    const given = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.slice(2));
    const known = name === 'x-gzip' ? 'gzip' : name;
    if (known !== '') qualities.set(known, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}
