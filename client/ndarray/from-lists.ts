/** Creates NDArrays of types of variable length. */
import { TransportError } from '../errors.js';
import { isList } from '../json/json.js';
import { createDense } from './dense.js';
import type { VariableName } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { variableRows } from './wire-rows.js';

export interface ListBlock {
  readonly name: VariableName;
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null)[];
  /** Lists nested by the shape; a bare value for the 0-d shape. */
  readonly values: unknown;
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE for lists that do not match the shape, or values that do not match the type */
export function createFromLists({ values, ...block }: ListBlock): AnyNDArray {
  return createVariable({ ...block, items: flatten(values, block.shape) });
}

export interface ItemBlock extends Omit<ListBlock, 'values'> {
  /** One item per value in C order: text, bytes (or base64), or JSON. */
  readonly items: readonly unknown[];
}

/** @throws TransportError BAD_RESPONSE for an item that does not match the type */
export function createVariable({ name, shape, dimensions, items, coordinates }: ItemBlock): AnyNDArray {
  return createDense({ shape, dimensions, coordinates, dtype: name, ...variableRows[name](items) });
}

/** Flattens nested lists. @throws TransportError BAD_RESPONSE for lists that do not match the shape */
export function flatten(values: unknown, shape: readonly number[]): readonly unknown[] {
  let flat: readonly unknown[] = [values];
  for (const size of shape) {
    flat = flat.flatMap((list) => {
      if (isList(list) && list.length === size) return list;
      throw malformed(`lists of the shape ${JSON.stringify(shape)}`);
    });
  }
  return flat;
}

function malformed(expected: string): TransportError {
  return new TransportError('BAD_RESPONSE', `malformed values in the response: expected ${expected}`);
}
