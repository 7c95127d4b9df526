/** Flattens nested lists (including typed arrays) to a shape and one flat list. */
import { sizeOf } from '../bytes/shape.js';
import { InputError } from '../errors.js';

/** A JavaScript array or a typed array. */
export function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

export interface FlatValues {
  readonly shape: readonly number[];
  /** Values in C order. */
  readonly values: ArrayLike<unknown>;
}

/** Maximum nesting of lists: more than the maximum rank of arrays. */
const MAX_DEPTH = 65;

/**
 * @param isLeaf whether a list (such as bytes) is a single value
 * @param levels maximum nesting; deeper lists are values
 * @throws InputError if neighbouring lists differ in length or depth, or are nested too deeply
 */
export function flattenNested(
  nested: unknown,
  isLeaf: (value: unknown) => boolean = () => false,
  levels: number = MAX_DEPTH,
): FlatValues {
  const shape: number[] = [];
  let first = nested;
  while (isArrayLike(first) && !isLeaf(first) && shape.length < levels) {
    if (shape.length >= MAX_DEPTH)
      throw new InputError(`the lists of values are nested deeper than ${MAX_DEPTH} levels`);
    shape.push(first.length);
    first = first[0];
  }
  if (shape.length === 0) return { shape, values: [nested] };
  if (shape.length === 1 && isArrayLike(nested)) {
    if (Array.isArray(nested))
      for (let i = 0; i < nested.length; i++) checkLeaf(nested[i], isLeaf, shape, levels, [i]);
    return { shape, values: nested };
  }
  const values: unknown[] = [];
  const at: number[] = [];
  const collect = (value: unknown): void => {
    const depth = at.length;
    if (depth === shape.length) {
      checkLeaf(value, isLeaf, shape, levels, at);
      values.push(value);
      return;
    }
    if (!isArrayLike(value) || isLeaf(value) || value.length !== shape[depth])
      throw new InputError(
        `${positionText(at)} ${isArrayLike(value) ? `has ${value.length} values` : 'is not a list'}, but its neighbour is a list of ${shape[depth]}`,
      );
    for (let i = 0; i < value.length; i++) {
      at.push(i);
      collect(value[i]);
      at.pop();
    }
  };
  collect(nested);
  return { shape, values };
}

function checkLeaf(
  value: unknown,
  isLeaf: (value: unknown) => boolean,
  shape: readonly number[],
  levels: number,
  at: readonly number[],
): void {
  if (shape.length < levels && isArrayLike(value) && !isLeaf(value))
    throw new InputError(`${positionText(at)} is a list, but its neighbour is not`);
}

function positionText(index: readonly number[]): string {
  return index.length === 0 ? 'the value' : `the value at [${index.join(', ')}]`;
}

/** The position of element `i` of a flat list in its shape, for errors. */
export function positionTextIn(shape: readonly number[]): (i: number) => string {
  return (i) => {
    let rest = i;
    const index = shape.map((_, d) => {
      const inner = sizeOf(shape.slice(d + 1));
      const at = Math.floor(rest / inner);
      rest -= at * inner;
      return at;
    });
    return positionText(index);
  };
}
