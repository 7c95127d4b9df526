/** The origin of handles, for entry points of the package outside the main bundle, which is kept small. */
import type { NamedDimSelection } from '../generated/operations.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import type { Connection } from './connection.js';

export interface Origin {
  readonly connection: Connection;
  readonly store: string;
  /** Path of the array, or of the group of a dataset. */
  readonly path: string;
  /** The selections of its dataset; undefined for an array. */
  readonly selects?: readonly (readonly NamedDimSelection[])[];
  /** The data types that the caller declared; undefined for any. */
  readonly expected?: readonly DTypeName[] | undefined;
}

export const origins = new WeakMap<object, Origin>();
