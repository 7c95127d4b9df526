/** Converts the inputs of mutations that create groups and arrays. */
import {
  type ChunkLengths,
  type CreateArrayRequest,
  type CreateOptions,
  InputError,
  type ZarrFormat,
  keepFloats,
  type JsonObject,
  type JsonValue,
} from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type {
  CreateArrayInput,
  CreateGroupInput,
  IfExists,
  InputMaybe,
  KeySeparator,
} from '../generated/types.js';

const ifExists: Readonly<Record<IfExists, CreateOptions['ifExists']>> = {
  ERROR: 'error',
  KEEP: 'keep',
  REPLACE: 'replace',
};

const separators: Readonly<Record<KeySeparator, string>> = { SLASH: '/', DOT: '.' };

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
  const { shape, chunkShape, chunkLengths, shardShape, fillValue, codecs } = input;
  return {
    shape: parseLengths(shape, 'shape'),
    dtype: parseJsonInput(input.dtype, 'dtype'),
    chunkShape: isGiven(chunkShape) ? parseLengths(chunkShape, 'chunkShape') : undefined,
    chunkLengths: isGiven(chunkLengths) ? parseChunkLengths(chunkLengths) : undefined,
    shardShape: isGiven(shardShape) ? parseLengths(shardShape, 'shardShape') : undefined,
    fillValue: fillValue === undefined ? undefined : parseJsonInput(fillValue, 'fillValue'),
    order: input.order ?? undefined,
    codecs: isGiven(codecs) ? parseJsonInput(codecs, 'codecs') : undefined,
    dimensionNames: input.dimensionNames?.map((name) => name ?? null),
    separator: isGiven(input.separator) ? separators[input.separator] : undefined,
    attributes: parseJsonObjectInput(input.attributes, 'attributes'),
  };
}

/** @throws InputError for entries that are neither lengths nor lists of lengths and of pairs */
function parseChunkLengths(dims: readonly unknown[]): ChunkLengths[] {
  return dims.map((dim) => (Array.isArray(dim) ? dim.map(lengthOrPair) : chunkLength(dim)));
}

function lengthOrPair(entry: unknown): number | readonly [number, number] {
  if (!Array.isArray(entry)) return chunkLength(entry);
  const pair: readonly unknown[] = entry;
  const [length, count, ...rest] = pair;
  if (rest.length > 0)
    throw new InputError('"chunkLengths" has a list within a list that is no pair [length, count]');
  return [chunkLength(length), chunkLength(count)];
}

function chunkLength(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new InputError('"chunkLengths" has an entry that is no integer up to 2^53 - 1');
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
  throw new InputError(`the length ${length} in "${name}" is invalid; expected 0 to 2^53 - 1`);
}

/** Maximum nesting of Zarr documents. */
const MAX_DEPTH = 64;

/** @throws InputError for values that are not JSON, or nested too deeply */
export function parseJsonInput(value: unknown, name: string, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new InputError(`"${name}" is nested deeper than ${MAX_DEPTH} levels`);
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'bigint':
    case 'string':
      return value;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value))
        return keepFloats(
          value.map((item) => parseJsonInput(item, name, depth + 1)),
          value,
        );
      if (isPlain(value)) return parseEntries(value, name, depth);
      break;
    default:
  }
  throw new InputError(
    `"${name}" contains a value of the JavaScript type ${typeof value}; expected only JSON values`,
  );
}

/**
 * Validates a JSON object. Returns undefined for null or an omitted argument.
 * @throws InputError for invalid JSON, and for JSON that is not an object
 */
export function parseJsonObjectInput(value: unknown, name: string): JsonObject | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object' && isPlain(value)) return parseEntries(value, name, 0);
  throw new InputError(`"${name}" must be an object`);
}

function parseEntries(value: object, name: string, depth: number): JsonObject {
  const entries = Object.entries(value).map(
    ([key, member]) => [key, parseJsonInput(member, name, depth + 1)] as const,
  );
  return keepFloats(Object.fromEntries(entries), value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
