/** Converts the inputs of mutations that create groups and arrays. */
import {
  type CreateArrayRequest,
  type CreateOptions,
  InputError,
  type ZarrFormat,
} from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { CreateArrayInput, CreateGroupInput, IfExists, InputMaybe } from '../generated/types.js';
import { parseJsonInput, parseJsonObjectInput } from './json-input.js';

const ifExists: Readonly<Record<IfExists, CreateOptions['ifExists']>> = {
  ERROR: 'error',
  KEEP: 'keep',
  REPLACE: 'replace',
};

/** @throws InputError for an unknown format */
export function createOptionsOf(
  input: Pick<CreateGroupInput, 'zarrFormat' | 'ifExists'>,
  { signal }: GatewayContext,
): CreateOptions {
  return { zarrFormat: formatOf(input.zarrFormat), ifExists: ifExists[input.ifExists], signal };
}

function formatOf(format: InputMaybe<number> | undefined): ZarrFormat | undefined {
  if (format === null || format === undefined) return undefined;
  if (format === 1 || format === 2 || format === 3) return format;
  throw new InputError(`"zarrFormat" is ${format}; expected 2 or 3, or 1 for single arrays`);
}

/** @throws InputError for invalid JSON, and for lengths beyond 2^53 - 1 */
export function parseCreateArray(input: CreateArrayInput): CreateArrayRequest {
  const { shape, chunkShape, shardShape, fillValue, codecs } = input;
  return {
    shape: parseLengths(shape, 'shape'),
    dtype: parseJsonInput(input.dtype, 'dtype'),
    chunkShape: isGiven(chunkShape) ? parseLengths(chunkShape, 'chunkShape') : undefined,
    shardShape: isGiven(shardShape) ? parseLengths(shardShape, 'shardShape') : undefined,
    fillValue: fillValue === undefined ? undefined : parseJsonInput(fillValue, 'fillValue'),
    order: input.order ?? undefined,
    codecs: isGiven(codecs) ? parseJsonInput(codecs, 'codecs') : undefined,
    dimensionNames: input.dimensionNames?.map((name) => name ?? null),
    separator: input.separator ?? undefined,
    attributes: parseJsonObjectInput(input.attributes, 'attributes'),
  };
}

export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

/** @throws InputError for a length that is negative or beyond 2^53 - 1 */
export function parseLengths(lengths: readonly (number | bigint)[], name: string): number[] {
  return lengths.map((length) => parseLength(length, name));
}

/** @throws InputError for a length that is negative or beyond 2^53 - 1 */
export function parseLength(length: number | bigint, name: string): number {
  if (typeof length === 'number' && length >= 0) return length;
  throw new InputError(`"${name}" contains ${length}; expected lengths from 0 to 2^53 - 1`);
}
