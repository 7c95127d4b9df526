/** The scalar NDArray as an argument: a block of the type that it is written to, in whichever form it came. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { NDArrayInput } from '../../transport/nd-array-input.js';
import {
  type Block,
  blockOfLists,
  type DataType,
  InputError,
  LimitError,
  type Limits,
  parseBase64,
  parseBytesOf,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';

const gunzipAsync = promisify(gunzip);

/**
 * @param shape of what is written to: types whose single values are lists need its rank, and `[]` says nothing of the
 *   lengths within it
 * @throws InputError that says which value is wrong and why; LimitError for more bytes than `maxOutputBytes`;
 *   UnsupportedError for a type that this engine does not know
 */
export async function blockOfInput(
  values: unknown,
  dtype: DataType,
  shape: readonly number[],
  limits: Limits,
): Promise<Block> {
  if (dtype.name === 'unknown')
    throw new UnsupportedError(
      `values of the type ${JSON.stringify(dtype.given.slice(0, 80))} cannot be written`,
    );
  if (isBase64Array(values) && !areFields(values, dtype)) return blockOfBase64(values, dtype, limits);
  return withInnerLengths(blockOfLists(values, dtype, shape.length, blockOfNumbers), shape);
}

/** As JSON, values of the shape [2, 0, 5] are `[[], []]`, whose shape is [2, 0]. */
function withInnerLengths(block: Block, wanted: readonly number[]): Block {
  const { shape } = block;
  if (shape.at(-1) !== 0 || !shape.every((length, d) => length === wanted[d])) return block;
  return { ...block, shape: [...wanted] };
}

/** Numbers of a binary body, in the array's own type or one whose values it holds. */
function blockOfNumbers(values: unknown, dtype: DataType): Block | undefined {
  if (!(values instanceof NDArrayInput)) return undefined;
  const { shape, bytes } = values;
  const pair = complexOf[values.dtype];
  if ((dtype.name === 'complex64' || dtype.name === 'complex128') && pair !== undefined) {
    if (shape.at(-1) === 2) return parseBytesOf(pair, dtype).blockOf(shape.slice(0, -1), bytes);
    throw new InputError('complex numbers are pairs: the last dimension of their parts must be 2');
  }
  return parseBytesOf(values.dtype, dtype).blockOf(shape, bytes);
}

/** The complex type of pairs of floats. */
const complexOf: Readonly<Record<string, string>> = { '<f4': '<c8', '<f8': '<c16' };

/** The type Base64Array as input, its members not yet looked at. */
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

/** A struct's fields may be called like that, and a JSON object may hold anything: then these are the values themselves. */
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
      `the values take ${charged} bytes, but ${limits.maxOutputBytes} are allowed; write them in parts`,
      {
        excess: [{ limit: 'maxOutputBytes', allowed: limits.maxOutputBytes, needed: charged }],
      },
    );
  const bytes = await unpacked(bytesOf(input.data), input.compression, needed);
  if (bytes.length === needed) return blockOf(shape, bytes);
  throw new InputError(
    `"data" holds ${bytes.length} bytes; the shape [${shape.join(', ')}] and the type ${input.dtype.slice(0, 80)} take ${needed}`,
  );
}

function shapeOf(lengths: readonly unknown[]): number[] {
  return lengths.map((length) => {
    if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return length;
    throw new InputError('"shape" must be a list of whole numbers that are not negative');
  });
}

function bytesOf(data: string | Uint8Array): Uint8Array {
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
        throw new InputError(`"data" is no gzip of ${needed} bytes`, { cause });
      }
    default:
      throw new InputError('"compression" must be NONE or GZIP');
  }
}
