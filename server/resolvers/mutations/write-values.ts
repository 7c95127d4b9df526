/**
 * Mutations that write values. The cost of a write is charged to the request before anything is written, that
 * of an append afterwards, limited to the remaining budget.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isComplexName } from '../../../wire/data-types.js';
import { NDArrayInput } from '../../transport/nd-array-value.js';
import {
  type ChangeOptions,
  isStored,
  type Selection,
  writtenContents,
  type ZarrArray,
  withContext,
  parseNodePath,
  ReadOnlyError,
  type Block,
  blockOfLists,
  type DataType,
  InputError,
  invalidValue,
  LimitError,
  NotFoundError,
  type Limits,
  parseBase64,
  parseBytesOf,
  sizeOf,
  UnsupportedError,
} from '../../zarr/index.js';
import { NotReadError } from '../budget.js';
import type { GatewayContext } from '../context.js';
import type { AppendToArrayInput, SetAttributesInput, WriteSliceInput } from '../generated/types.js';
import { parseGlobalId } from '../nodes/global-id.js';
import type { ArrayModel, WriteReportModel, StoreModel } from '../models.js';
import { sliceOfSlice, wholeArray } from '../slices/slice-model.js';
import { isGiven, parseLength } from './create-input.js';

// Converts arguments of the scalar NDArray, in any of its forms, to a block of the data type that is written.

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

/** The options that every change of an existing node accepts. */
export function changeOptionsOf(
  input: { readonly ifVersion?: string | null | undefined },
  { signal }: GatewayContext,
): ChangeOptions {
  return { ifVersion: input.ifVersion ?? undefined, signal };
}

export async function writeValues(
  { store, path }: MutationTarget,
  input: WriteSliceInput,
  context: GatewayContext,
): Promise<WriteReportModel> {
  const { limits } = context.gateway;
  const array = await context.nodes.array(store, path);
  const { slice: stored } = await sliceOfSlice(wholeArray(array), input.select, context);
  if (!isStored(stored)) throw new TypeError('the slice of an array must have stored values');
  const values = await blockOfInput(input.values, stored.dtype, stored.shape, limits);
  const contents = writtenContents(values, stored.shape);
  context.budget.chargeWrite(stored, contents);
  const { writeEmptyChunks } = input;
  const report = await context.budget.whileWriting(stored.cost(), contents, context.signal, () =>
    stored.write(values, { ...changeOptionsOf(input, context), limits, writeEmptyChunks }),
  );
  return { ...report, array };
}

export async function appendValues(
  { store, path }: MutationTarget,
  input: AppendToArrayInput,
  context: GatewayContext,
): Promise<ArrayModel> {
  const { node } = await context.nodes.array(store, path);
  const { dtype, shape } = node.meta;
  const values = await blockOfInput(input.values, dtype, shape, context.gateway.limits);
  const offset = isGiven(input.offset) ? parseLength(input.offset, 'offset') : undefined;
  const options = { ...changeOptionsOf(input, context), offset, limits: context.budget.left() };
  const whole = node.select({ kind: 'all' }).cost();
  const contents = writtenContents(values, values.shape);
  const { array, appended } = await context.budget.whileWriting(whole, contents, context.signal, () =>
    store.hierarchy.append(path, values, input.axis, options),
  );
  // The position is known only now, because other writers may append as well.
  context.budget.chargeWrite(array.select(appendedPart(array, appended)), contents);
  return { store, node: array };
}

function appendedPart(
  { shape }: ZarrArray,
  { axis, start, stop }: { readonly axis: number; readonly start: number; readonly stop: number },
): Selection {
  return {
    kind: 'dims',
    dims: shape.map((_, d) => (d === axis ? { kind: 'slice', start, stop } : { kind: 'slice' })),
  };
}

// The node that a mutation changes, and the checks that all mutations share.

interface MutationTarget {
  readonly store: StoreModel;
  /** Absolute path of the node. */
  readonly path: string;
}

/** The node of a mutation: its id, or its store and path. */
type NodeLocationInput = Pick<SetAttributesInput, 'id' | 'store' | 'path'>;

/** @throws InputError unless exactly one of `id` and `store` is given; NotFoundError for an id of no node */
function locationOf({ id, store, path }: NodeLocationInput): {
  readonly store: string;
  readonly path: string;
} {
  if (!isGiven(id)) {
    if (isGiven(store)) return { store, path: path ?? '/' };
    throw new InputError('the input names no node; state "id", or "store" and "path"');
  }
  if (isGiven(store) || isGiven(path))
    throw new InputError('the input names its node twice; omit either "id", or "store" and "path"');
  const parsed = parseGlobalId(id);
  if (parsed?.kind === 'node') return parsed;
  throw new NotFoundError(`"${id.slice(0, 100)}" is not the id of a group or an array`);
}

/**
 * Changes a node if the caller has permission. Then clears the request's cached nodes, so that later fields
 * see the change.
 * @throws NotFoundError for an unknown store, ForbiddenError, ReadOnlyError; errors from the change, with its
 * location
 */
export async function changeAt<T>(
  input: NodeLocationInput & { readonly message?: string | null | undefined },
  context: GatewayContext,
  info: GraphQLResolveInfo,
  change: (target: MutationTarget) => Promise<T>,
): Promise<T> {
  const location = locationOf(input);
  const store = context.store(location.store);
  try {
    return await changeIn(store, parseNodePath(location.path), input.message, context, info, change);
  } catch (error) {
    if (store.history?.begin !== undefined) context.commits.fail(store.name, info);
    throw error;
  }
}

async function changeIn<T>(
  store: StoreModel,
  path: string,
  message: string | null | undefined,
  context: GatewayContext,
  info: GraphQLResolveInfo,
  change: (target: MutationTarget) => Promise<T>,
): Promise<T> {
  try {
    context.assertMayWrite(store.name, path);
    assertServedWritable(store);
    if (context.budget.costOnly) throw new NotReadError('only the cost was requested');
    return await context.commits.run(store, { message, path, info }, context, (changed) =>
      change({ store: changed, path }),
    );
  } catch (error) {
    throw withContext(error, { store: store.name, path });
  } finally {
    context.nodes.forget();
    context.datasets.forget();
  }
}

/** @throws ReadOnlyError */
export function assertServedWritable({ name, writable, hierarchy, history }: StoreModel): void {
  const { can, readOnlyReason } = hierarchy.store;
  if (writable && (can.write || history?.writing !== undefined)) return;
  const advice = readOnlyReason ?? `start the gateway with "--allow-write ${name}" to allow writes`;
  throw new ReadOnlyError(`the store is read-only; ${advice}`);
}
