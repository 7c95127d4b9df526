/** What one operation on a slice is: its arguments as plain data, and how it makes another slice. */
import type { z } from 'zod';
import type { CoordinateReader } from '../../dataset/coordinate-reader.js';
import type { Dataset } from '../../dataset/dataset.js';
import type { LazySlice } from '../../zarr/index.js';

/** What operations may use beside the slice, on account of one request and with the rights of its caller. */
export interface OperationScope {
  /** The dataset that the slice belongs to; undefined where it belongs to none. */
  dataset(): Promise<Dataset | undefined>;
  readonly coordinates: CoordinateReader;
}

/**
 * @typeParam Step an object with one member, the operation's name, that holds its arguments
 * @typeParam Value the arguments as they are kept: plain data that survives JSON
 * @typeParam Given the arguments as they are asked for, where that is more: labels
 */
export interface Operation<Step, Value, Given = Value> {
  /** Accepts kept arguments from links, and bounds them. */
  readonly form: z.ZodType<Value>;
  /** What is kept of what is asked for. @throws SelectionError, InputError; what reading coordinates throws */
  resolve(given: Given, slice: LazySlice, scope: OperationScope): Promise<Step>;
  /**
   * The slice that comes out. Shape, type and cost of the result are known then; only coordinates may be read for it.
   * @throws SelectionError, InputError, UnsupportedError, NotFoundError; what reading coordinates throws
   */
  apply(slice: LazySlice, value: Value, scope: OperationScope): LazySlice | Promise<LazySlice>;
}
