/** Fixtures with one JSON object per line. */
import { readFileSync } from 'node:fs';
import { fixtures } from '../../setup/fixtures.js';
import type { JsonObject } from '../../../server/core/bytes/json.js';

export function fixtureBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(fixtures + path));
}

export function base64Bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** @typeParam T the type of a line, according to the fixture's README */
export function fixtureLines<T>(path: string): readonly T[] {
  const lines = readFileSync(fixtures + path, 'utf8')
    .split('\n')
    .filter(Boolean);
  return lines.map((line): T => JSON.parse(line));
}

/** A numcodecs configuration. */
export interface NumcodecsConfig extends JsonObject {
  readonly id: string;
}

/**
 * The registry's name for a numcodecs codec over bytes, and its options.
 * @param dtype type of the input for bitround, because its options do not include one (see
 * metadata/v2-codecs.ts)
 */
export function overBytes(
  { id, ...options }: NumcodecsConfig,
  dtype?: string,
): {
  readonly name: string;
  readonly options: JsonObject;
} {
  if (id === 'bitround' && dtype !== undefined)
    return { name: 'v2.bitround', options: { ...options, dtype } };
  const filters = ['astype', 'bitround', 'delta', 'fixedscaleoffset', 'packbits', 'quantize'];
  return { name: filters.includes(id) ? `v2.${id}` : `numcodecs.${id}`, options };
}

/** Chunks that numcodecs encoded. */
export interface NumcodecsCase {
  readonly id: string;
  readonly path: string;
  readonly codec: NumcodecsConfig;
  readonly items: number;
  readonly expected: string;
  readonly layout: { readonly kind: string };
}

export const numcodecsCases = fixtureLines<NumcodecsCase>('peers/codec-cases.jsonl');
