/**
 * What numcodecs' `json2` and `msgpack2` store: one list of the chunk's values, nested as its dimensions are, then
 * NumPy's type string and the shape: `[["a", "b"], ["c", "d"], "|O", [2, 2]]`.
 */
import { sizeOf } from '../bytes/shape.js';
import { CodecError } from '../errors.js';

/** The values in C order. @throws CodecError for another structure or shape */
export function readObjectList(codec: string, list: unknown, shape: readonly number[]): readonly unknown[] {
  if (!Array.isArray(list) || list.length < 2) throw wrong(codec, 'no list that ends in a type and a shape');
  const stored: readonly unknown[] = list;
  const given = stored[stored.length - 1];
  if (!Array.isArray(given)) throw wrong(codec, 'no list that ends in a shape');
  const expected = sizeOf(shape);
  const dims: readonly unknown[] = given;
  const count = dims.reduce<number>(
    (product, length) => product * (typeof length === 'number' ? length : NaN),
    1,
  );
  if (count !== expected)
    throw wrong(codec, `a list of ${describeShape(dims)}, the chunk has the shape [${shape.join(', ')}]`);
  const values = stored.slice(0, -2);
  // Writers that flatten the chunk first store a flat list, whatever shape they name.
  const flat = dims.length < 2 || (values.length === expected && values.length !== dims[0]);
  const result = flat ? values : flatten(values, dims.length - 1);
  if (result.length !== expected)
    throw wrong(codec, `${result.length} values, a chunk of shape [${shape.join(', ')}] takes ${expected}`);
  return result;
}

/** The list to store. */
export function makeObjectList(items: readonly unknown[], shape: readonly number[]): readonly unknown[] {
  const nested = nest(items, shape.length === 0 ? [1] : shape, 0);
  return [...nested, '|O', shape];
}

function nest(items: readonly unknown[], shape: readonly number[], depth: number): readonly unknown[] {
  const length = shape[depth] ?? 0;
  if (depth === shape.length - 1) return items;
  const each = length === 0 ? 0 : items.length / length;
  return Array.from({ length }, (_, i) => nest(items.slice(i * each, (i + 1) * each), shape, depth + 1));
}

function flatten(values: readonly unknown[], levels: number): readonly unknown[] {
  let flat = values;
  for (let level = 0; level < levels; level++) {
    const next: unknown[] = [];
    for (const part of flat) {
      if (!Array.isArray(part)) return next;
      for (const value of part) next.push(value);
    }
    flat = next;
  }
  return flat;
}

/** Anything may stand there, also what has no text of its own. */
function describeShape(dims: readonly unknown[]): string {
  const isShape = dims.length <= 64 && dims.every((length) => typeof length === 'number');
  return isShape ? `shape [${dims.join(', ')}]` : 'something else than a shape';
}

function wrong(codec: string, what: string): CodecError {
  return new CodecError(`codec "${codec}": the chunk holds ${what}`);
}
