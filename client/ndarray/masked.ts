/** Numbers with gaps, which travel as a list with null in it: typed bytes with zeros there, and a mask. */
import { TransportError } from '../errors.js';
import { shown } from '../json.js';
import { maskOf } from './from-texts.js';
import type { ValueLayout } from './layout.js';

export interface Masked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mask: Uint8Array | undefined;
}

/** @throws TransportError BAD_RESPONSE for an item that is no value of that type */
export function packMasked(layout: ValueLayout, items: readonly unknown[]): Masked {
  const bytes = new Uint8Array(items.length * layout.itemSize);
  const view = new DataView(bytes.buffer);
  const write = writers[layout.name];
  if (write === undefined) throw misfit(layout, items[0]);
  items.forEach((item, i) => {
    if (item === null) return;
    if (typeof item !== 'number' && typeof item !== 'bigint' && typeof item !== 'boolean')
      throw misfit(layout, item);
    if (!isInRange(layout.name, item)) throw misfit(layout, item);
    write(view, i * layout.itemSize, item);
  });
  return { bytes, mask: maskOf(items) };
}

type Writer = (view: DataView, at: number, item: number | bigint | boolean) => void;

const writers: Readonly<Partial<Record<ValueLayout['name'], Writer>>> = {
  bool: (view, at, item) => view.setUint8(at, Number(item)),
  int8: (view, at, item) => view.setInt8(at, Number(item)),
  uint8: (view, at, item) => view.setUint8(at, Number(item)),
  int16: (view, at, item) => view.setInt16(at, Number(item), true),
  uint16: (view, at, item) => view.setUint16(at, Number(item), true),
  int32: (view, at, item) => view.setInt32(at, Number(item), true),
  uint32: (view, at, item) => view.setUint32(at, Number(item), true),
  int64: (view, at, item) => view.setBigInt64(at, BigInt(item), true),
  uint64: (view, at, item) => view.setBigUint64(at, BigInt(item), true),
  float32: (view, at, item) => view.setFloat32(at, Number(item), true),
  float64: (view, at, item) => view.setFloat64(at, Number(item), true),
  'numpy.datetime64': (view, at, item) => view.setBigInt64(at, BigInt(item), true),
  'numpy.timedelta64': (view, at, item) => view.setBigInt64(at, BigInt(item), true),
};

/** Bits and sign of integers, which would wrap round. */
const integers: Readonly<Partial<Record<ValueLayout['name'], readonly [bits: number, isSigned: boolean]>>> = {
  int8: [8, true],
  uint8: [8, false],
  int16: [16, true],
  uint16: [16, false],
  int32: [32, true],
  uint32: [32, false],
  int64: [64, true],
  uint64: [64, false],
  'numpy.datetime64': [64, true],
  'numpy.timedelta64': [64, true],
};

function isInRange(name: ValueLayout['name'], item: number | bigint | boolean): boolean {
  const type = integers[name];
  if (type === undefined) return true;
  const [bits, isSigned] = type;
  if (typeof item === 'bigint') {
    if (bits < 64) return isInRange(name, Number(item));
    return (isSigned ? BigInt.asIntN(64, item) : BigInt.asUintN(64, item)) === item;
  }
  const value = Number(item);
  const [min, max] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
  return Number.isInteger(value) && value >= min && value < max;
}

function misfit(layout: ValueLayout, item: unknown): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway gave ${shown(item)} for a value of ${layout.name}`);
}
