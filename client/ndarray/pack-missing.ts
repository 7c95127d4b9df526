/** Packs lists of numbers with missing values: bytes with zeros in their positions, and a mask. */
import { integerRange, isComplexName, isNumberName, isTimeName } from '../../wire/data-types.js';
import { narrowToHalves } from '../../wire/float16.js';
import { TransportError } from '../errors.js';
import { isList, shown } from '../json/json.js';
import { maskOf, type ValueLayout } from './layout.js';
import { numericRow } from './wire-rows.js';

interface Masked {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mask: Uint8Array | undefined;
}

type ParseNumber = (layout: ValueLayout, item: unknown) => unknown;

/** @throws TransportError BAD_RESPONSE for an item that is not a value of that type */
export function packMasked(layout: ValueLayout, items: readonly unknown[], parse: ParseNumber): Masked {
  const { name, itemSize } = layout;
  if (name === 'float16') {
    const { bytes, mask } = packMasked({ name: 'float32', itemSize: 4 }, items, parse);
    return { bytes: new Uint8Array(narrowToHalves(new Float32Array(bytes.buffer)).buffer), mask };
  }
  if (isComplexName(name)) {
    const parts = items.flatMap((item) => (item === null ? [NaN, NaN] : partsOf(layout, item)));
    const part = { name: name === 'complex64' ? 'float32' : 'float64', itemSize: itemSize / 2 } as const;
    return { bytes: packMasked(part, parts, parse).bytes, mask: maskOf(items) };
  }
  const row = isNumberName(name) || isTimeName(name) ? numericRow(name) : undefined;
  if (row === undefined) throw misfit(layout, items[0]);
  const bytes = new Uint8Array(items.length * itemSize);
  const data = row.view(bytes);
  items.forEach((given, i) => {
    if (given === null) return;
    const item = parse(layout, given);
    if (typeof item !== 'number' && typeof item !== 'bigint' && typeof item !== 'boolean')
      throw misfit(layout, item);
    if (!isInRange(name, item)) throw misfit(layout, item);
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(item);
    else data[i] = Number(item);
  });
  return { bytes, mask: maskOf(items) };
}

/** The real and the imaginary part of a complex number. */
function partsOf(layout: ValueLayout, item: unknown): readonly unknown[] {
  if (isList(item) && item.length === 2 && !item.includes(null)) return item;
  throw misfit(layout, item);
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
