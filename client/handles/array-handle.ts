import { type ArrayBlock, type BlockOptions, readBlocks } from '../reading/blocks.js';
import { type Connection, requireResult } from '../transport/connection.js';
import { origins } from '../transport/origin.js';
import { assertDType } from './dtype-option.js';
import { DataTypeError } from '../errors.js';
import {
  ArrayDocument,
  EstimateDocument,
  HrefDocument,
  type FileFormat,
  ZarrUrlDocument,
} from '../generated/operations.js';
import { parseArrayInfo, parseEstimate, toDTypeName, type ArrayInfo, type Estimate } from '../info/info.js';
import type { JsonObject } from '../json/json.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import type { ValuesInput } from '../ndarray/values-input.js';
import type { AnyVariables, CoordinatesOf } from './stores.js';
import { toSelectionInput, type Selection } from '../selection/selection.js';
import type { RequestOptions } from '../transport/document.js';
import {
  type AppendOptions,
  appendValues,
  type ChangeOptions,
  resizeArray,
  type WriteOptions,
  type WriteReport,
  writeValues,
} from '../writing/mutations.js';
import { createNodeWriter, type NodeWriter } from '../writing/node-writer.js';

export interface SliceOptions extends RequestOptions {
  /**
   * Whether to load the coordinates of the slice into `coordinates` of the result.
   * @default false for arrays, true for lazy slices of variables
   */
  readonly coordinates?: boolean | undefined;
}

export interface ZarrUrlOptions extends RequestOptions {
  /** Lifetime of the URL in seconds. @default the longest that the gateway allows */
  readonly expiresSeconds?: number | undefined;
}

export interface HrefOptions extends RequestOptions {
  /** NPY is NumPy's format, RAW the bytes in C order, CSV a table, JSON nested lists. @default 'NPY' */
  readonly format?: FileFormat | undefined;
  /**
   * For ARROW: the first dimensions of the slice, whose positions are rows; each value is a tensor over the others.
   * @default a row per element
   */
  readonly rows?: readonly string[] | undefined;
}

/** A handle for an array. Only methods that return a promise or iterate send requests. */
export interface ArrayHandle<
  D extends DTypeName = DTypeName,
  N extends string = string,
  A extends object = JsonObject,
  V extends object = AnyVariables,
> extends NodeWriter {
  readonly store: string;
  readonly path: string;
  /** Shape, data type, chunks, attributes. @throws RequestError, TransportError, DataTypeError */
  info(options?: RequestOptions): Promise<ArrayInfo<A, N>>;
  /**
   * Reads a part of the array, or all of it without a selection. Slices requested together share requests.
   * @throws GatewayError, TransportError, InputError for a malformed selection, DataTypeError if the array does not have the stated data type
   * @example
   * const slice = await array.slice({ time: 0, lat: { between: [-10, 10] } });
   */
  slice(selection?: Selection<N, V>, options?: SliceOptions): Promise<NDArrayUnion<D, CoordinatesOf<V>>>;
  /**
   * The cost of reading a part. Reads no chunks of the array.
   * @throws RequestError, TransportError, InputError
   * @example
   * const { chunks, outputBytes, allowed } = await array.estimate({ time: 0 });
   */
  estimate(selection?: Selection<N, V>, options?: RequestOptions): Promise<Estimate>;
  /**
   * A signed link to the same values as a file, for slices that are too large for a response. The gateway reads nothing
   * until the link is requested. The link needs no credentials until it expires.
   * @throws RequestError, TransportError, InputError
   * @example
   * const url = await array.href({ time: 0 }, { format: 'CSV' });
   */
  href(selection?: Selection<N, V>, options?: HrefOptions): Promise<string>;
  /**
   * A signed URL under which the same values, with their coordinates, are a Zarr store without credentials, for other
   * tools.
   * @throws RequestError, TransportError, InputError
   * @example
   * const url = await array.zarrUrl({ time: 0 }, { expiresSeconds: 600 }); // xarray.open_zarr(url)
   */
  zarrUrl(selection?: Selection<N, V>, options?: ZarrUrlOptions): Promise<string>;
  /**
   * Reads the array in blocks of whole chunks, in C order, with a bounded number of prefetched blocks.
   * @throws errors from `info` and `slice`, InputError for an invalid option, during iteration
   * @example
   * for await (const { start, values } of array.blocks()) console.log(start, values.shape);
   */
  blocks(options?: BlockOptions): AsyncIterable<ArrayBlock<D>>;
  /**
   * Writes values to a part. Values are broadcast as in NumPy: one number fills the part. Never retried,
   * even without a response.
   * @throws RequestError (READ_ONLY, BAD_INPUT, CONFLICT ...), TransportError, InputError
   * @example
   * await array.write({ time: 0 }, ndarray(new Float32Array(16200), [90, 180]));
   * await array.write({ time: 1 }, 0);
   */
  write(
    selection: Selection<N, V> | undefined,
    values: ValuesInput<D>,
    options?: WriteOptions,
  ): Promise<WriteReport>;
  /**
   * Appends values along `axis`.
   * @returns the array after the append.
   * @throws errors from `write`
   * @example
   * const { shape } = await array.append(ndarray(new Float32Array(16200), [1, 90, 180]), { offset: 12 });
   */
  append(values: ValuesInput<D>, options?: AppendOptions): Promise<ArrayInfo<A, N>>;
  /** Changes the shape: truncates, or extends with the fill value. @throws errors from `write` */
  resize(shape: readonly number[], options?: ChangeOptions): Promise<ArrayInfo<A, N>>;
}

/** @param expected the expected data types; undefined for any type */
export function createArrayHandle<D extends DTypeName, N extends string, A extends object>(
  connection: Connection,
  store: string,
  path: string,
  expected: readonly D[] | undefined,
): ArrayHandle<D, N, A> {
  const where = `array "${path}" of store "${store}"`;
  const location = { store, path };

  async function slice(selection?: Selection<N>, options: SliceOptions = {}): Promise<NDArrayUnion<D>> {
    const request = { ...location, select: toSelectionInput(selection) };
    const { coordinates = false } = options;
    const array = await connection.slice({ request, coordinates }, options);
    return assertDType(array, expected, where);
  }

  async function info(options?: RequestOptions): Promise<ArrayInfo<A, N>> {
    const data = await connection.requestJson(ArrayDocument, location, options);
    const parsed = parseArrayInfo<A, N>(store, requireResult(data.store?.array, where));
    if (expected !== undefined && !expected.some((name) => name === toDTypeName(parsed.dtype)))
      throw new DataTypeError(expected, parsed.dtype.name, where);
    return parsed;
  }

  const handle: ArrayHandle<D, N, A> = {
    ...location,
    ...createNodeWriter(connection, location),
    slice,
    info,
    async estimate(selection, options) {
      const variables = { ...location, select: toSelectionInput(selection) };
      const data = await connection.requestJson(EstimateDocument, variables, options);
      const part = requireResult(data.store?.array?.slice, where);
      return parseEstimate(part.shape, requireResult(part.estimate, where));
    },
    async href(selection, { format = 'NPY', rows, ...call } = {}) {
      const variables = { ...location, select: toSelectionInput(selection), format, rows };
      const data = await connection.requestJson(HrefDocument, variables, call);
      return connection.absolute(requireResult(data.store?.array?.slice?.href, where));
    },
    async zarrUrl(selection, { expiresSeconds: expires, ...call } = {}) {
      const variables = { ...location, select: toSelectionInput(selection), expires };
      const data = await connection.requestJson(ZarrUrlDocument, variables, call);
      return connection.absolute(requireResult(data.store?.array?.slice?.zarrUrl, where));
    },
    async *blocks(options = {}) {
      const { shape, chunkShape, dtype } = await info(options);
      const array = { shape, chunkShape, itemSize: dtype.itemSize };
      for await (const block of readBlocks(connection, location, array, options))
        yield { ...block, values: assertDType(block.values, expected, where) };
    },
    write: (selection, values, options) => writeValues(connection, location, selection, values, options),
    append: async (values, options) =>
      parseArrayInfo(store, await appendValues(connection, location, values, options)),
    resize: async (shape, options) =>
      parseArrayInfo(store, await resizeArray(connection, location, shape, options)),
  };
  origins.set(handle, { connection, ...location, expected });
  return handle;
}
