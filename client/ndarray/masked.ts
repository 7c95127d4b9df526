/** Numbers with gaps, which travel as a list with null in it: typed bytes with zeros there, and a mask. */
import { integerRange, isTimeName } from '../../wire/data-types.js';
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

/** Integers out of range would wrap round. */
function isInRange(name: ValueLayout['name'], item: number | bigint | boolean): boolean {
  const range = isTimeName(name) ? integerRange('int64') : integerRange(name);
  if (range === undefined) return true;
  const value = typeof item === 'bigint' ? item : Number.isInteger(Number(item)) ? BigInt(item) : undefined;
  return value !== undefined && value >= range[0] && value <= range[1];
}

function misfit(layout: ValueLayout, item: unknown): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway gave ${shown(item)} for a value of ${layout.name}`);
}
