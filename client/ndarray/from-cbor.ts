/** Creates NDArrays from CBOR arrays (RFC 8746) of a known data type. */
import { TypedBytes, WireArray } from '../../wire/cbor/typed-arrays.js';
import { elementOf, isComplexName } from '../../wire/data-types.js';
import { TransportError } from '../errors.js';
import { toJsonForm } from '../json/json-form.js';
import { isRecord } from '../json/json.js';
import type { ParsedType } from './data-type.js';
import { createFromBytes, createFromColumns } from './from-bytes.js';
import { createFromItems } from './from-items.js';
import { objectsOf, type ValueLayout } from './layout.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { assertPackable, packStruct } from './pack.js';
import { parseValueShape, sizeOf } from './shape.js';

export interface WireBlock {
  readonly type: ParsedType;
  /** A {@link WireArray}; for structs, an object with one per field. */
  readonly values: unknown;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE for values that do not match the type */
export function createFromWire(block: WireBlock): AnyNDArray {
  const { type, values, coordinates } = block;
  if (type.layout?.name === 'struct') return createFromFields(block, type.layout, values);
  if (!(values instanceof WireArray)) throw malformedArray('not an array');
  const shape = parseValueShape(values.shape, objectsOf(type.layout));
  const dimensions = shape.map((_, d) => block.dimensions[d] ?? null);
  if (values.values instanceof TypedBytes) return createFromTyped(block, values.values, shape);
  const items = values.values;
  if (items.length !== sizeOf(shape))
    throw malformedArray(`${items.length} values for ${sizeOf(shape)} elements`);
  const plain = type.variable === 'json' ? items.map(toJsonForm) : items;
  return createFromItems({ type, shape, dimensions, items: plain, coordinates });
}

function createFromTyped(
  { type: { layout }, dimensions, coordinates }: WireBlock,
  typed: TypedBytes,
  shape: readonly number[],
): AnyNDArray {
  const { element, bytes } = typed;
  if (layout === undefined || elementOf(layout.name) !== element) throw malformedArray(element);
  const isComplex = isComplexName(layout.name);
  const own = isComplex ? shape.slice(0, -1) : shape;
  if (isComplex && shape.at(-1) !== 2) throw malformedArray('complex numbers that are not pairs');
  if (bytes.length !== sizeOf(own) * layout.itemSize)
    throw malformedArray(
      `${bytes.length} bytes for ${sizeOf(own)} elements; expected ${sizeOf(own) * layout.itemSize}`,
    );
  return createFromBytes({ layout, shape: own, dimensions, bytes: aligned(typed), coordinates });
}

/** Copies of arrays, which several parts of a response may share. */
const copies = new WeakMap<TypedBytes, Uint8Array<ArrayBuffer>>();

/** A view if the offset is aligned, otherwise a copy: the same one for each reference to an array. */
function aligned(typed: TypedBytes): Uint8Array<ArrayBuffer> {
  if (typed.bytes.byteOffset % 8 === 0) return typed.bytes;
  const copy = copies.get(typed) ?? typed.bytes.slice();
  copies.set(typed, copy);
  return copy;
}

function createFromFields(
  block: WireBlock,
  layout: Extract<ValueLayout, { name: 'struct' }>,
  values: unknown,
): AnyNDArray {
  if (!isRecord(values)) throw malformedArray('no struct fields');
  const columns = layout.fields.map((field) => ({
    field,
    values: createFromWire({
      type: { layout: field.layout },
      values: Object.hasOwn(values, field.name) ? values[field.name] : undefined,
      dimensions: block.dimensions,
    }),
  }));
  const [first] = columns;
  if (first === undefined) throw malformedArray('a struct without fields');
  const shape = first.values.shape.slice(0, Math.max(0, first.values.ndim - first.field.shape.length));
  const size = sizeOf(shape);
  const fits = columns.every(({ field, values: column }) =>
    isSameShape(column.shape, [...shape, ...field.shape]),
  );
  if (!fits) throw malformedArray('fields of different shapes');
  assertPackable(size, layout.itemSize);
  return createFromColumns(columns, {
    shape,
    dimensions: shape.map((_, d) => block.dimensions[d] ?? null),
    bytes: () => packStruct(columns, size, layout.itemSize),
    coordinates: block.coordinates,
  });
}

function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, d) => size === b[d]);
}

function malformedArray(received: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the values do not match their data type: ${received}`);
}
