/** Converts arguments of the scalar NDArray, in any of its forms, to a block of the data type that is written. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isComplexName } from '../../../wire/data-types.js';
import { NDArrayInput } from '../../transport/nd-array-value.js';
import {
  type Block,
  blockOfLists,
  type DataType,
  InputError,
  invalidValue,
  LimitError,
  type Limits,
  parseBase64,
  parseBytesOf,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';

const gunzipAsync = promisify(gunzip);

/**
 * @param shape shape of the target, needed for types whose values are lists, and for empty lists, whose
 * inner lengths are unknown
 * @throws InputError naming the invalid value; LimitError beyond `maxOutputBytes`; UnsupportedError for an
 * unknown data type
 */
export async function blockOfInput(
  values: unknown,
  dtype: DataType,
  shape: readonly number[],
  limits: Limits,
): Promise<Block> {
  if (dtype.name === 'unknown')
    throw new UnsupportedError(`data type ${JSON.stringify(dtype.given.slice(0, 80))} cannot be written`);
  if (isBase64Array(values) && !areFields(values, dtype)) return blockOfBase64(values, dtype, limits);
  return withInnerLengths(blockOfLists(values, dtype, shape.length, blockOfNumbers), shape);
}

/**
 * Corrects the inner lengths of an empty list. In JSON, values of shape [2, 0, 5] are `[[], []]`, which looks
 * like shape [2, 0].
 */
function withInnerLengths(block: Block, wanted: readonly number[]): Block {
  const { shape } = block;
  if (shape.at(-1) !== 0 || !shape.every((length, d) => length === wanted[d])) return block;
  return { ...block, shape: [...wanted] };
}

/**
 * Converts the numbers of a binary body, in the array's data type or in a type that converts to it without
 * loss.
 */
function blockOfNumbers(values: unknown, dtype: DataType): Block | undefined {
  if (!(values instanceof NDArrayInput)) return undefined;
  const { shape, bytes } = values;
  const pair = complexOf[values.dtype];
  if (isComplexName(dtype.name) && pair !== undefined) {
    if (shape.at(-1) === 2) return parseBytesOf(pair, dtype).blockOf(shape.slice(0, -1), bytes);
    throw new InputError(
      `the shape of complex numbers is [${shape.join(', ')}]; the last dimension must have size 2 (real, imaginary)`,
    );
  }
  return parseBytesOf(values.dtype, dtype).blockOf(shape, bytes);
}

/** The complex type whose parts are these floats. */
const complexOf: Readonly<Record<string, string>> = { '<f4': '<c8', '<f8': '<c16' };

/** The input form of Base64Array, before its members are checked. */
interface Base64ArrayInput {
  readonly dtype: string;
  readonly shape: readonly unknown[];
  readonly data: string | Uint8Array;
  readonly compression?: unknown;
}

const members = ['dtype', 'shape', 'data', 'compression', '__typename'];

function isBase64Array(values: unknown): values is Base64ArrayInput {
  if (typeof values !== 'object' || values === null) return false;
  const { dtype, shape, data }: Partial<Record<string, unknown>> = { ...values };
  return (
    typeof dtype === 'string' &&
    Array.isArray(shape) &&
    (typeof data === 'string' || data instanceof Uint8Array) &&
    Object.keys(values).every((name) => members.includes(name))
  );
}

/**
 * Whether an object is a value although it has the names of these members: fields of structs and members of
 * JSON objects may have them.
 */
function areFields(values: Base64ArrayInput, dtype: DataType): boolean {
  if (dtype.name === 'json') return true;
  return (
    dtype.name === 'struct' &&
    Object.keys(values).every((name) => dtype.fields.some((field) => field.name === name))
  );
}

async function blockOfBase64(input: Base64ArrayInput, dtype: DataType, limits: Limits): Promise<Block> {
  const shape = shapeOf(input.shape);
  const { itemSize, chargedItemBytes, blockOf } = parseBytesOf(input.dtype, dtype);
  const needed = sizeOf(shape) * itemSize;
  const charged = sizeOf(shape) * chargedItemBytes;
  if (charged > limits.maxOutputBytes)
    throw new LimitError(
      `the values take ${charged} bytes; maxOutputBytes allows ${limits.maxOutputBytes}; write them in several requests`,
      {
        excess: [{ limit: 'maxOutputBytes', allowed: limits.maxOutputBytes, needed: charged }],
      },
    );
  const bytes = await unpacked(decodeBase64Data(input.data), input.compression, needed);
  if (bytes.length === needed) return blockOf(shape, bytes);
  throw new InputError(
    `"data" has ${bytes.length} bytes; shape [${shape.join(', ')}] and data type ${input.dtype.slice(0, 80)} require ${needed}`,
  );
}

function shapeOf(lengths: readonly unknown[]): number[] {
  return lengths.map((length) => {
    if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return length;
    throw invalidValue(length, 'a non-negative integer', 'a length in "shape"');
  });
}

function decodeBase64Data(data: string | Uint8Array): Uint8Array {
  if (typeof data !== 'string') return data;
  const bytes = parseBase64(data);
  if (bytes === undefined) throw new InputError('"data" must be base64 (RFC 4648, with padding)');
  return bytes;
}

async function unpacked(bytes: Uint8Array, compression: unknown, needed: number): Promise<Uint8Array> {
  switch (compression) {
    case undefined:
    case null:
    case 'NONE':
      return bytes;
    case 'GZIP':
      try {
        return await gunzipAsync(bytes, { maxOutputLength: Math.max(1, needed) });
      } catch (cause) {
        throw new InputError(`"data" is not valid gzip, or does not decompress to ${needed} bytes`, {
          cause,
        });
      }
    default:
      throw invalidValue(compression, 'NONE or GZIP', '"compression"');
  }
}
