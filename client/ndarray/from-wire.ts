/** Values as CBOR brought them (RFC 8746), as an NDArray of the data type that the gateway says. */
import { TypedBytes, WireArray } from '../cbor/wire-array.js';
import type { ElementName } from '../cbor/wire-array.js';
import { TransportError } from '../errors.js';
import { isRecord, namedRecord } from '../json.js';
import { toJsonForm } from '../json-form.js';
import type { ParsedType } from './data-type.js';
import { createDense } from './dense.js';
import { createFromBytes } from './from-bytes.js';
import { createFromItems } from './from-lists.js';
import { createFromTexts } from './from-texts.js';
import { objectsOf } from './layout.js';
import type { ValueLayout } from './layout.js';
import { packMasked } from './masked.js';
import type { AnyNDArray, Coordinates, StructScalar } from './ndarray.js';
import { assertPackable, packStruct } from './pack.js';
import { nest, parseValueShape, sizeOf } from './shape.js';

export interface WireBlock {
  readonly type: ParsedType;
  /** A {@link WireArray}, or an object with one for each field of a struct. */
  readonly values: unknown;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE where the values are not of that type */
export function createFromWire(block: WireBlock): AnyNDArray {
  const { type, values, coordinates } = block;
  if (type.layout?.name === 'struct') return createFromColumns(block, type.layout, values);
  if (!(values instanceof WireArray)) throw malformed('no grid');
  const shape = parseValueShape(values.shape, objectsOf(type.layout));
  const dimensions = shape.map((_, d) => block.dimensions[d] ?? null);
  if (values.values instanceof TypedBytes) return createFromTyped(block, values.values, shape);
  const items = values.values;
  if (items.length !== sizeOf(shape)) throw malformed(`${items.length} values for ${sizeOf(shape)} places`);
  if (type.layout === undefined) {
    const plain = type.variable === 'json' ? items.map(toJsonForm) : items;
    return createFromItems({ name: type.variable, shape, dimensions, items: plain, coordinates });
  }
  const { layout } = type;
  const texts = createFromTexts({ layout, shape, dimensions, items, coordinates });
  if (texts !== undefined) return texts;
  const { bytes, mask } = packMasked(layout, items);
  return createFromBytes({ layout, shape, dimensions, bytes, mask, coordinates });
}

function createFromTyped(
  { type: { layout }, dimensions, coordinates }: WireBlock,
  { element, bytes }: TypedBytes,
  shape: readonly number[],
): AnyNDArray {
  const part = layout === undefined ? undefined : parts[layout.name];
  if (layout === undefined || part?.element !== element) throw malformed(element);
  const own = part.length === 1 ? shape : shape.slice(0, -1);
  if (part.length > 1 && shape.at(-1) !== part.length) throw malformed('numbers of one part');
  if (bytes.length !== sizeOf(own) * layout.itemSize)
    throw malformed(`${bytes.length} bytes for ${sizeOf(own)} places`);
  return createFromBytes({ layout, shape: own, dimensions, bytes: aligned(bytes), coordinates });
}

/** Of what elements a value of the type is made, and of how many. */
const parts: Readonly<Partial<Record<ValueLayout['name'], { element: ElementName; length: number }>>> = {
  bool: { element: 'uint8', length: 1 },
  uint8: { element: 'uint8', length: 1 },
  uint16: { element: 'uint16', length: 1 },
  uint32: { element: 'uint32', length: 1 },
  uint64: { element: 'uint64', length: 1 },
  int8: { element: 'int8', length: 1 },
  int16: { element: 'int16', length: 1 },
  int32: { element: 'int32', length: 1 },
  int64: { element: 'int64', length: 1 },
  float16: { element: 'float16', length: 1 },
  float32: { element: 'float32', length: 1 },
  float64: { element: 'float64', length: 1 },
  complex64: { element: 'float32', length: 2 },
  complex128: { element: 'float64', length: 2 },
  'numpy.datetime64': { element: 'int64', length: 1 },
  'numpy.timedelta64': { element: 'int64', length: 1 },
};

/** A view where a typed array may begin there, else one copy. */
function aligned(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

function createFromColumns(
  block: WireBlock,
  layout: Extract<ValueLayout, { name: 'struct' }>,
  values: unknown,
): AnyNDArray {
  if (!isRecord(values)) throw malformed('no fields');
  const columns = layout.fields.map((field) => ({
    field,
    values: createFromWire({
      type: { layout: field.layout },
      values: Object.hasOwn(values, field.name) ? values[field.name] : undefined,
      dimensions: block.dimensions,
    }),
  }));
  const [first] = columns;
  if (first === undefined) throw malformed('a struct without fields');
  const shape = first.values.shape.slice(0, Math.max(0, first.values.ndim - first.field.shape.length));
  const size = sizeOf(shape);
  const fits = columns.every(({ field, values: column }) =>
    isSameShape(column.shape, [...shape, ...field.shape]),
  );
  if (!fits) throw malformed('fields of different shapes');
  assertPackable(size, layout.itemSize);
  const read = (place: number): StructScalar =>
    namedRecord(
      columns.map(({ field, values: column }): [string, unknown] => {
        const from = place * sizeOf(field.shape);
        return [field.name, nest(field.shape, (i) => column.at(from + i))];
      }),
    );
  return createDense({
    dtype: 'struct',
    shape,
    dimensions: shape.map((_, d) => block.dimensions[d] ?? null),
    data: namedRecord(columns.map(({ field, values: column }) => [field.name, column])),
    bytes: () => packStruct(columns, size, layout.itemSize),
    coordinates: block.coordinates,
    read,
  });
}

function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, d) => size === b[d]);
}

function malformed(came: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the values that came do not fit their data type: ${came}`);
}
