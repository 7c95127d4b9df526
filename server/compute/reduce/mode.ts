/**
 * MODE: the most frequent value; of equally frequent values, the smallest. Also FIRST and LAST for text; for
 * numbers and times, see `pick.ts`.
 */
import { fixedItemSize } from '../../core/dtype/data-type.js';
import { contentsAt } from '../../core/bytes/items.js';
import type { Values } from '../../core/bytes/values.js';
import type { DataType } from '../../core/dtype/data-type.js';
import { LimitError } from '../../core/errors.js';
import type { Collector } from '../kernel.js';
import { integerOf, planesOf } from '../number-planes.js';

/** Maximum number of different values of one result. */
const MAX_DISTINCT = 2 ** 20;

export function modeCollector(dtype: DataType, isText: boolean): Collector {
  if (isText)
    return countingCollector(
      (values, i) => textOf(contentsOf(values, i, dtype)),
      encodeLatin1,
      isBefore(dtype),
    );
  if (planesOf(dtype) === 1)
    return countingCollector(
      (_, i, first) => first[i],
      (value) => value,
      (a, b) => a < b,
    );
  return countingCollector(
    (_, i, first, second) => integerOf(first[i], second?.[i] ?? 0),
    (value) => value,
    (a, b) => a < b,
  );
}

function countingCollector<K>(
  keyAt: (values: Values, i: number, first: Float64Array, second: Float64Array | undefined) => K,
  resultOf: (key: K) => number | bigint | Uint8Array,
  isLess: (a: K, b: K) => boolean,
): Collector {
  const counts = new Map<K, number>();
  let present = 0;
  // `best` is updated with each element, because a search of all counts at the end would block the event
  // loop.
  let best: { key: K; count: number } | undefined;
  return {
    begin() {
      counts.clear();
      present = 0;
      best = undefined;
    },
    add({ planes: [first, second] }, length, values) {
      for (let i = 0; i < length; i++) {
        if (first[i] !== first[i]) continue;
        const key = keyAt(values, i, first, second);
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        present++;
        if (best === undefined) best = { key, count };
        else if (count > best.count || (count === best.count && isLess(key, best.key))) {
          best.key = key;
          best.count = count;
        }
      }
      if (counts.size > MAX_DISTINCT)
        throw new LimitError(
          `a result of MODE has more than ${MAX_DISTINCT} different values; reduce fewer elements per result, or coarsen first`,
        );
    },
    get present() {
      return present;
    },
    results: () => (best === undefined ? [] : [resultOf(best.key)]),
  };
}

/** Creates the collector of FIRST and LAST for text. */
export function pickCollector(dtype: DataType, last: boolean, skipMissing: boolean): Collector {
  /** Null if missing; undefined until an element is picked. */
  let picked: Uint8Array | null | undefined;
  let present = 0;
  return {
    begin() {
      picked = undefined;
      present = 0;
    },
    add({ planes: [first] }, count, values) {
      for (let i = 0; i < count; i++) {
        const isMissing = first[i] !== first[i];
        if (!isMissing) present++;
        if ((isMissing && skipMissing) || (!last && picked !== undefined)) continue;
        // Copies the value, because the buffer of the values is reused.
        picked = isMissing ? null : contentsOf(values, i, dtype).slice();
      }
    },
    get present() {
      return present;
    },
    results: () => (picked === undefined || picked === null ? [] : [picked]),
  };
}

function contentsOf(values: Values, i: number, dtype: DataType): Uint8Array {
  if ('items' in values) return contentsAt(values.items, i) ?? new Uint8Array(0);
  const size = fixedItemSize(dtype);
  return values.bytes.subarray(i * size, (i + 1) * size);
}

/** Converts bytes to text with one character per byte, as a key. */
function textOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Compares text: UTF-32 by code points, other types by bytes, which for UTF-8 is the same order. */
function isBefore({ name }: DataType): (a: string, b: string) => boolean {
  if (name !== 'fixed_length_utf32') return (a, b) => a < b;
  return (a, b) => {
    const [left, right] = [new DataView(encodeLatin1(a).buffer), new DataView(encodeLatin1(b).buffer)];
    for (let at = 0; at < left.byteLength; at += 4) {
      const difference = left.getUint32(at, true) - right.getUint32(at, true);
      if (difference !== 0) return difference < 0;
    }
    return false;
  };
}
