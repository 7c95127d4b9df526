/**
 * What numcodecs' `json2` and `msgpack2` store: one list of the chunk's values, nested as its dimensions are, then
 * NumPy's type string and the shape: `[["a", "b"], ["c", "d"], "|O", [2, 2]]`.
 */
import { sizeOf } from '../bytes/shape.js';
import { toTypedArray } from '../dtype/arrays.js';
import { isFixedSize, type TypeName } from '../dtype/data-type.js';
import { numpyTypestr } from '../dtype/names.js';
import { packFixed } from '../dtype/pack-values.js';
import { CodecError, InputError } from '../errors.js';
import type { ChunkRep, ChunkValues } from './codec.js';
import { checkType, itemsOf } from './vlen.js';

/** What may be stored so: objects and texts, and whatever JSON has words for. */
const TYPES = [
  'json', 'string', 'bool', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float16',
  'float32', 'float64', 'fixed_length_utf32',
] as const satisfies readonly TypeName[]; // prettier-ignore

/** @throws MetadataError for any other type */
export function checkListedType(codec: string, rep: ChunkRep): void {
  checkType(codec, rep, ...TYPES);
}

/** @throws CodecError for a list of another shape, or values that are none of the chunk's type */
export function valuesOfList(codec: string, list: unknown, rep: ChunkRep): ChunkValues {
  const { dtype } = rep;
  const items = readObjectList(codec, list, rep.shape);
  if (isFixedSize(dtype) && dtype.name !== 'struct') {
    try {
      return { bytes: packFixed(items, dtype, (i) => `item ${i}`) };
    } catch (cause) {
      if (cause instanceof InputError) throw new CodecError(`codec "${codec}": ${cause.detail}`, { cause });
      throw cause;
    }
  }
  const other =
    dtype.name === 'string' ? items.findIndex((item) => typeof item !== 'string' && item !== null) : -1;
  if (other < 0) return { items };
  throw new CodecError(`codec "${codec}": item ${other} is no text, but the array's type is string`);
}

/** The list to store. @throws InputError where the values do not fill the chunk */
export function listOfValues(codec: string, values: ChunkValues, rep: ChunkRep): readonly unknown[] {
  const { dtype, shape } = rep;
  if (!isFixedSize(dtype) || !('bytes' in values))
    return makeObjectList(itemsOf(codec, values, rep), shape, '|O');
  const items: readonly unknown[] = Array.from(toTypedArray({ dtype, shape, bytes: values.bytes }));
  const plain = dtype.name === 'bool' ? items.map((item) => item !== 0) : items;
  return makeObjectList(plain, shape, numpyTypestr(dtype) ?? '|O');
}

/** The values in C order. @throws CodecError for another structure or shape */
function readObjectList(codec: string, list: unknown, shape: readonly number[]): readonly unknown[] {
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

/** @param typestr as NumPy names the type */
function makeObjectList(
  items: readonly unknown[],
  shape: readonly number[],
  typestr: string,
): readonly unknown[] {
  const nested = nest(items, shape.length === 0 ? [1] : shape, 0);
  return [...nested, typestr, shape];
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
