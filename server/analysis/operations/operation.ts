/** Interface of operations on slices: their arguments as plain data, and their implementation. */
import type * as z from 'zod';
import type { CoordinateReader } from '../../dataset/coordinate-reader.js';
import type { OpenDataset } from '../../dataset/slice-coordinates.js';
import type { LazySlice } from '../../zarr/index.js';

/**
 * The resources available to operations. Costs are charged to one request; reads are restricted to its caller's
 * permissions.
 */
export interface OperationScope {
  /** The dataset of the slice; undefined if it has none. */
  readonly dataset: OpenDataset;
  readonly coordinates: CoordinateReader;
  /** The units of the values to which the first operation is applied; undefined if they have none. */
  readonly units?: () => Promise<string | undefined>;
  /** The units of the values to which this operation is applied. */
  readonly quantity?: () => Promise<Quantity | undefined>;
}

/** The units of values, and whether they are differences, to which the zero of a temperature scale does not apply. */
export interface Quantity {
  readonly units: string;
  readonly isDifference: boolean;
}

/**
 * @typeParam Step an object with one member, the operation's name, with its arguments
 * @typeParam Value the stored arguments: plain data that can be serialised as JSON
 * @typeParam Arguments the arguments of the caller, which may include labels
 */
export interface Operation<Step, Value, Arguments = Value> {
  /** Validates and bounds stored arguments from links. */
  readonly form: z.ZodType<Value>;
  /**
   * Converts the caller's arguments to stored ones.
   * @throws SelectionError, InputError; errors from reading coordinates
   */
  resolve(args: Arguments, slice: LazySlice, scope: OperationScope): Promise<Step>;
  /**
   * Applies the operation. Determines shape, data type and cost of the result; may read only coordinates.
   * @throws SelectionError, InputError, UnsupportedError, NotFoundError; errors from reading coordinates
   */
  apply(slice: LazySlice, value: Value, scope: OperationScope): LazySlice | Promise<LazySlice>;
}
