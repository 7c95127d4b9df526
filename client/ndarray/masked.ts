/** Packs lists of numbers with missing values: bytes with zeros in their positions, and a mask. */
import { integerRange, isNumberName, isTimeName } from '../../wire/data-types.js';
import { TransportError } from '../errors.js';
import { shown } from '../json/json.js';
import type { ValueLayout } from './layout.js';
import { maskOf } from './typed-arrays.js';
import { numericRows } from './wire-rows.js';

export interface Masked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mask: Uint8Array | undefined;
}

/** @throws TransportError BAD_RESPONSE for an item that is not a value of that type */
export function packMasked(layout: ValueLayout, items: readonly unknown[]): Masked {
  const { name } = layout;
  const row = isNumberName(name) || isTimeName(name) ? numericRows[name] : undefined;
  if (row?.isPackable !== true) throw misfit(layout, items[0]);
  const bytes = new Uint8Array(items.length * layout.itemSize);
  const data = row.view(bytes);
  items.forEach((item, i) => {
    if (item === null) return;
    if (typeof item !== 'number' && typeof item !== 'bigint' && typeof item !== 'boolean')
      throw misfit(layout, item);
    if (!isInRange(name, item)) throw misfit(layout, item);
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(item);
    else data[i] = Number(item);
  });
  return { bytes, mask: maskOf(items) };
}

/** Checks the range, because typed arrays would wrap integers. */
function isInRange(name: ValueLayout['name'], item: number | bigint | boolean): boolean {
  const range = isTimeName(name) ? integerRange('int64') : integerRange(name);
  if (range === undefined) return true;
  const value = typeof item === 'bigint' ? item : Number.isInteger(Number(item)) ? BigInt(item) : undefined;
  return value !== undefined && value >= range[0] && value <= range[1];
}

function misfit(layout: ValueLayout, item: unknown): TransportError {
  return new TransportError(
    'BAD_RESPONSE',
    `malformed value ${shown(item)} of type ${layout.name} in the response`,
  );
}
