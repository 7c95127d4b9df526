import { readBlocks } from '../reading/blocks.js';
import type { ArrayBlock, BlockOptions } from '../reading/blocks.js';
import type { Connection } from '../transport/connection.js';
import { found } from '../transport/connection.js';
import { assertDType } from './dtype-option.js';
import { DataTypeError } from '../errors.js';
import { ArrayDocument, EstimateDocument, HrefDocument } from '../generated/operations.js';
import type { FileFormat } from '../generated/operations.js';
import { parseArrayInfo, parseEstimate, toDTypeName } from '../info/info.js';
import type { ArrayInfo, Estimate } from '../info/info.js';
import type { JsonObject } from '../json/json.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import type { ValuesInput } from '../ndarray/values-input.js';
import { createNodeWriter } from '../writing/node-writer.js';
import type { NodeWriter } from '../writing/node-writer.js';
import { toSelectionInput } from '../selection/selection.js';
import type { Selection } from '../selection/selection.js';
import type { RequestOptions } from '../transport/document.js';
import { appendValues, resizeArray, writeValues } from '../writing/mutations.js';
import type { AppendOptions, ChangeOptions, WriteOptions, WriteReport } from '../writing/mutations.js';

export interface SliceOptions extends RequestOptions {
  /** Also the coordinates along the slice, as `coordinates` of the result. @default false */
  readonly coordinates?: boolean | undefined;
}

export interface HrefOptions extends RequestOptions {
  /** NumPy's file, the bare bytes in C order, a table, nested lists. @default 'NPY' */
  readonly format?: FileFormat | undefined;
}

/** An array by its place; nothing is read before a method asks. */
export interface ArrayHandle<
  D extends DTypeName = DTypeName,
  N extends string = string,
  A extends object = JsonObject,
> extends NodeWriter {
  readonly store: string;
  readonly path: string;
  /** Shape, data type, chunks, attributes. @throws RequestError, TransportError, DataTypeError */
  info(options?: RequestOptions): Promise<ArrayInfo<A, N>>;
  /**
   * The values of a part, without one of the whole array. Slices that are asked for together travel as one request.
   * @throws GatewayError, TransportError, InputError for a selection that is none, DataTypeError where the array has
   * another data type than was said
   */
  slice(selection?: Selection<N>, options?: SliceOptions): Promise<NDArrayUnion<D>>;
  /** What reading a part would cost; reads no chunk. @throws RequestError, TransportError, InputError */
  estimate(selection?: Selection<N>, options?: RequestOptions): Promise<Estimate>;
  /**
   * A link to the same values as a file, for what is too large for an answer; nothing is read before it is followed. It
   * works without credentials until it expires. @throws RequestError, TransportError, InputError
   */
  href(selection?: Selection<N>, options?: HrefOptions): Promise<string>;
  /**
   * The whole array in blocks that are made of whole chunks, in C order. A few are read ahead, never more.
   * @throws as `slice`, while it is iterated
   */
  blocks(options?: BlockOptions): AsyncIterable<ArrayBlock<D>>;
  /**
   * Writes values to a part. They have its shape, or are broadcast to it as NumPy does: one number fills all of it.
   * Not sent twice, also where no answer comes.
   * @throws RequestError (READ_ONLY, BAD_INPUT, CONFLICT ...), TransportError, InputError
   */
  write(
    selection: Selection<N> | undefined,
    values: ValuesInput<D>,
    options?: WriteOptions,
  ): Promise<WriteReport>;
  /** Makes the array longer along `axis` by these values. Its new shape. @throws as `write` */
  append(values: ValuesInput<D>, options?: AppendOptions): Promise<ArrayInfo<A, N>>;
  /** Cuts, or extends with fill values. @throws as `write` */
  resize(shape: readonly number[], options?: ChangeOptions): Promise<ArrayInfo<A, N>>;
}

/** @param expected the data types that the caller said; undefined is any */
export function createArrayHandle<D extends DTypeName, N extends string, A extends object>(
  connection: Connection,
  store: string,
  path: string,
  expected: readonly D[] | undefined,
): ArrayHandle<D, N, A> {
  const where = `array "${path}" of store "${store}"`;
  const place = { store, path };

  async function slice(selection?: Selection<N>, options: SliceOptions = {}): Promise<NDArrayUnion<D>> {
    const request = { ...place, select: toSelectionInput(selection) };
    const { coordinates = false } = options;
    const array = await connection.slice({ request, coordinates }, options);
    return assertDType(array, expected, where);
  }

  async function info(options?: RequestOptions): Promise<ArrayInfo<A, N>> {
    const data = await connection.requestJson(ArrayDocument, place, options);
    const parsed = parseArrayInfo<A, N>(store, found(data.store?.array, where));
    if (expected !== undefined && !expected.some((name) => name === toDTypeName(parsed.dtype)))
      throw new DataTypeError(expected, parsed.dtype.name, where);
    return parsed;
  }

  return {
    ...place,
    ...createNodeWriter(connection, place),
    slice,
    info,
    async estimate(selection, options) {
      const variables = { ...place, select: toSelectionInput(selection) };
      const data = await connection.requestJson(EstimateDocument, variables, options);
      const part = found(data.store?.array?.slice, where);
      return parseEstimate(part.shape, found(part.estimate, where));
    },
    async href(selection, { format = 'NPY', ...call } = {}) {
      const variables = { ...place, select: toSelectionInput(selection), format };
      const data = await connection.requestJson(HrefDocument, variables, call);
      return connection.absolute(found(data.store?.array?.slice?.href, where));
    },
    async *blocks(options = {}) {
      const { shape, chunkShape, dtype } = await info(options);
      const array = { shape, chunkShape, itemSize: dtype.itemSize };
      for await (const block of readBlocks(connection, place, array, options))
        yield { ...block, values: assertDType(block.values, expected, where) };
    },
    write: (selection, values, options) => writeValues(connection, place, selection, values, options),
    append: async (values, options) =>
      parseArrayInfo(store, await appendValues(connection, place, values, options)),
    resize: async (shape, options) =>
      parseArrayInfo(store, await resizeArray(connection, place, shape, options)),
  };
}
