/** Creates NDArrays from CBOR, or from the values of a gateway in this process. */
import { TransportError } from '../errors.js';
import { toJsonForm } from '../json/json-form.js';
import { isList, isRecord } from '../json/json.js';
import { createFromBytes } from './from-bytes.js';
import { createFromItems, createFromLists } from './from-items.js';
import { objectsOf } from './layout.js';
import type { AnyNDArray } from './ndarray.js';
import { parseValueShape, sizeOf } from './shape.js';
import { createFromWire, type WireBlock } from './from-cbor.js';

/** @throws TransportError BAD_RESPONSE for values that do not match the type */
export function createFromNative(block: WireBlock): AnyNDArray {
  const own = blockOf(block.values);
  if (own === undefined) return createFromWire(block);
  const { type, dimensions, coordinates } = block;
  const shape = parseValueShape(own.shape, objectsOf(type.layout));
  // Uses the JSON form of the gateway's objects.
  if (type.variable === 'json')
    return createFromLists({
      name: 'json',
      shape,
      dimensions,
      values: toJsonForm(block.values),
      coordinates,
    });
  return createFromBlock(block, own);
}

/** A block of the engine: bytes in C order (structs packed), or one item per value. */
export interface NativeBlock {
  readonly shape: readonly number[];
  readonly bytes?: Uint8Array | undefined;
  readonly items?: readonly unknown[] | undefined;
  /** 1 where a value is missing. */
  readonly mask?: Uint8Array | undefined;
}

/** The block of a value of the scalar NDArray from a gateway in this process; undefined for other values. */
export function blockOf(value: unknown): NativeBlock | undefined {
  const block = isRecord(value) ? value['block'] : undefined;
  if (!isRecord(block) || !isList(block['shape'])) return undefined;
  const { shape, bytes, mask } = block;
  // Converts items, because the block stores variable-length values as offsets and bytes.
  const items = isRecord(value) ? value['items'] : undefined;
  if (!shape.every((size) => typeof size === 'number')) return undefined;
  return {
    shape,
    bytes: bytes instanceof Uint8Array ? bytes : undefined,
    items: isList(items) ? items : undefined,
    mask: mask instanceof Uint8Array ? mask : undefined,
  };
}

function createFromBlock(
  { type, dimensions: names, coordinates }: WireBlock,
  block: NativeBlock,
): AnyNDArray {
  const shape = parseValueShape(block.shape, objectsOf(type.layout));
  const dimensions = shape.map((_, d) => names[d] ?? null);
  if (type.layout === undefined) {
    if (block.items?.length !== sizeOf(shape)) throw malformed();
    return createFromItems({ type, shape, dimensions, items: block.items, coordinates });
  }
  if (block.bytes?.length !== sizeOf(shape) * type.layout.itemSize) throw malformed();
  const { mask } = block;
  return createFromBytes({
    layout: type.layout,
    shape,
    dimensions,
    bytes: owned(block.bytes),
    mask,
    coordinates,
  });
}

/** Returns the bytes at an aligned offset of an ArrayBuffer, copied if necessary, for views of typed arrays. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer && byteOffset % 8 === 0
    ? new Uint8Array(buffer, byteOffset, length)
    : new Uint8Array(bytes);
}

function malformed(): TransportError {
  return new TransportError('BAD_RESPONSE', 'the values do not match their shape and data type');
}
