/**
 * Buffers encoded by Python's libraries (test/fixtures/codec/make_reference.py), and the expected decoded
 * data.
 */
import { readFileSync } from 'node:fs';
import { decodeBlosc } from '../../../server/format/codec/compression/blosc.js';
import { decodeBzip2 } from '../../../server/format/codec/compression/bzip2.js';
import { decodeLz4 } from '../../../server/format/codec/compression/lz4.js';
import type { LzmaFilter } from '../../../server/format/codec/compression/lzma-filters.js';
import { decodeLzma, type LzmaFormat } from '../../../server/format/codec/compression/lzma.js';
import type { Size } from '../../../server/format/codec/codec.js';
import { decodeZstd } from '../../../server/format/codec/compression/zstd.js';

export type Decode = (source: Uint8Array, size: Size, into?: Uint8Array) => Uint8Array;

export interface Reference {
  readonly title: string;
  readonly codec: string;
  readonly source: Uint8Array;
  readonly expected: Uint8Array;
  readonly decode: Decode;
}

interface StoredCase {
  readonly codec: string;
  readonly name: string;
  readonly data: keyof typeof data;
  readonly encoded: string;
  readonly length?: number;
  readonly format?: LzmaFormat;
  readonly filters?: readonly LzmaFilter[];
}

/** The upper 4 bits of each state of a linear congruential generator. */
function draws(count: number): number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 28;
  });
}

function walk(): Uint8Array {
  let value = 0;
  return new Uint8Array(Int32Array.from(draws(2048), (draw) => (value += draw - 8)).buffer);
}

function skewed(): Uint8Array {
  const all = draws(16384);
  return Uint8Array.from(all, (draw, i) => draw * (all[all.length - 1 - i] ?? 0));
}

export const data = { walk: walk(), skewed: skewed(), empty: new Uint8Array(0) };

export const decoders: Readonly<Record<string, Decode>> = {
  blosc: decodeBlosc,
  lz4: decodeLz4,
  zstd: decodeZstd,
  bz2: decodeBzip2,
};

const storedCases: StoredCase[] = JSON.parse(
  readFileSync(new URL('../../fixtures/codec/reference.json', import.meta.url), 'utf8'),
);

function referenceOf(stored: StoredCase): Omit<Reference, 'decode'> {
  return {
    title: `${stored.codec}: ${stored.name}`,
    codec: stored.codec,
    source: new Uint8Array(Buffer.from(stored.encoded, 'base64')),
    expected: data[stored.data].subarray(0, stored.length),
  };
}

const isDeflate = ({ codec }: StoredCase): boolean => ['gzip', 'zlib', 'deflate'].includes(codec);

export const references: readonly Reference[] = storedCases
  .filter((stored) => !isDeflate(stored))
  .map((stored) => ({ ...referenceOf(stored), decode: decoderOf(stored) }));

/** Formats that `#deflate` decodes instead of the compiled modules. */
export const deflateReferences = storedCases.filter(isDeflate).map(referenceOf);

export function reference(title: string): Reference {
  const match = references.find((candidate) => candidate.title === title);
  if (match === undefined) throw new Error(`unknown reference "${title}"`);
  return match;
}

function decoderOf({ codec, format, filters }: StoredCase): Decode {
  if (codec === 'lzma')
    return (source, size, into) => decodeLzma(source, { format: format ?? 1, filters }, size, into);
  const decode = decoders[codec];
  if (decode === undefined) throw new Error(`no decoder for "${codec}"`);
  return decode;
}

/** The error thrown by a call, or undefined. */
export function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
