/** CBOR values according to the contract, from the `expected` bytes of fixtures; independent of the gateway. */
import type { Layout } from '../conformance/expected-layout.js';
import { sizeOfLayout } from './expected-json.js';

/** A typed array: NumPy's name of its numbers, and its bytes in hexadecimal, so that NaN payloads and -0 count. */
export interface TypedArray {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly hex: string;
}

const typestrs: Record<string, string> = {
  bool: '|u1', int8: '|i1', uint8: '|u1', int16: '<i2', uint16: '<u2', int32: '<i4', uint32: '<u4', int64: '<i8',
  uint64: '<u8', float16: '<f2', float32: '<f4', float64: '<f8', complex64: '<f4', complex128: '<f8',
  datetime64: '<i8', timedelta64: '<i8',
}; // prettier-ignore

const count = (shape: readonly number[]) => shape.reduce((product, n) => product * n, 1);

export function expectedCbor(bytes: Buffer, shape: number[], layout: Layout): unknown {
  const dtype = typestrs[layout.kind];
  if (dtype !== undefined) {
    const outer = layout.kind.startsWith('complex') ? [...shape, 2] : shape;
    return { dtype, shape: outer, hex: bytes.toString('hex') } satisfies TypedArray;
  }
  if (layout.kind === 'struct')
    return Object.fromEntries(
      (layout.fields ?? []).map((field) => [
        field.name,
        expectedCbor(
          fieldBytes(bytes, count(shape), layout, field),
          [...shape, ...field.shape],
          field.layout,
        ),
      ]),
    );
  let at = 0;
  const size = sizeOfLayout(layout);
  const data = Array.from({ length: count(shape) }, () => {
    const length = size ?? bytes.readUInt32LE(at);
    if (size === undefined) at += 4;
    if (length === 0xffffffff) return null;
    const itemBytes = layout.item === undefined ? length : length * (sizeOfLayout(layout.item) ?? 0);
    const item = bytes.subarray(at, at + itemBytes);
    at += itemBytes;
    return layout.item === undefined ? itemOf(item, layout) : expectedCbor(item, [length], layout.item);
  });
  return { shape, data };
}

function fieldBytes(
  bytes: Buffer,
  items: number,
  { bytes: size = 0 }: Layout,
  field: NonNullable<Layout['fields']>[number],
): Buffer {
  const length = (sizeOfLayout(field.layout) ?? 0) * count(field.shape);
  return Buffer.concat(
    Array.from({ length: items }, (_, i) =>
      bytes.subarray(i * size + field.offset, i * size + field.offset + length),
    ),
  );
}

function itemOf(item: Buffer, { kind }: Layout): unknown {
  switch (kind) {
    case 'fixed_bytes': {
      let end = item.length;
      while (end > 0 && item[end - 1] === 0) end--;
      return item.toString('hex', 0, end);
    }
    case 'raw':
    case 'var_bytes':
      return item.toString('hex');
    case 'json':
      return JSON.parse(item.toString('utf8'));
    case 'fixed_utf32': {
      const points = Array.from({ length: item.length / 4 }, (_, i) => item.readUInt32LE(4 * i));
      while (points.at(-1) === 0) points.pop();
      return String.fromCodePoint(...points);
    }
    default:
      return item.toString('utf8');
  }
}
