/**
 * Checks the order of int64, datetime64 and timedelta64 labels as they are stored, so that only the labels that a search
 * for bins compares are converted.
 */
import { NAT } from '../../../wire/data-types.js';
import type { Values } from '../../core/bytes/values.js';
import type { ElementRegion } from '../../format/plan/region.js';
import type { PieceForm } from '../piece.js';
import { applyTransform } from '../transform/apply-transform.js';
import type { ElementTransform, TickTransform } from '../../format/plan/element-transform.js';

/** Sorted labels of one chunk. */
export interface LongLabels {
  readonly count: number;
  readonly keyAt: (i: number) => bigint;
  /** The difference of neighbours, if it is the same for all. */
  readonly step: bigint | undefined;
}

/** Number of labels compared between two yields. */
const STEP = 2 ** 16;

/**
 * Returns the labels of a region, and checks their order. Yields every few dozen microseconds.
 * @param region region with one dimension
 * @returns undefined for labels that may be unsorted, missing or invalid, for fewer than two labels, and for
 * other data types, layouts and transforms
 */
export function* longLabelsOf(
  { dtype, transform, itemSize, cells }: PieceForm,
  isDescending: boolean,
  values: Values,
  { from, dims }: ElementRegion,
): Generator<void, LongLabels | undefined> {
  const [dim] = dims;
  if (dims.length !== 1 || dim?.from !== 8 || dim.fromAt !== undefined || dim.count < 2) return undefined;
  if (!('bytes' in values) || itemSize !== 8 || cells !== undefined) return undefined;
  if (transform !== undefined && !isLinear(transform)) return undefined;
  const { buffer, byteOffset } = values.bytes;
  const name = transform?.values.name ?? dtype.name;
  if (!['int64', 'numpy.datetime64', 'numpy.timedelta64'].includes(name)) return undefined;
  if ((byteOffset + from) % 8 !== 0) return undefined;
  const { count } = dim;
  const labels = new BigInt64Array(buffer, byteOffset + from, count);
  const [first, second, last] = [labels[0], labels[1], labels[count - 1]];
  if (first === NAT || last === NAT) return undefined;
  const words = new Int32Array(buffer, byteOffset + from, 2 * count);
  let step = second - first;
  let isRegular = last - first === step * BigInt(count - 1) && (step === 0n || step < 0n === isDescending);
  for (let i = 1; i < count; i += STEP) {
    const end = Math.min(count, i + STEP);
    isRegular = isRegular && areRegular(words, i, end, step);
    if (!isRegular && !areSorted(words, i, end, isDescending)) return undefined;
    yield;
  }
  const origin = transform === undefined ? first : firstKey(transform, first, last);
  if (origin === undefined) return undefined;
  const factor = BigInt(transform?.count.factor ?? 1);
  step *= factor;
  return {
    count,
    keyAt: (i) => origin + ((labels[i] ?? NAT) - first) * factor,
    step: isRegular ? step : undefined,
  };
}

type LinearTransform = TickTransform & { readonly count: { readonly kind: 'integers' } };

/** Whether keys are start + factor * label. */
function isLinear(transform: ElementTransform): transform is LinearTransform {
  if (transform.kind !== 'ticks' || transform.count.kind !== 'integers') return false;
  const { missing, packedRange, scale, offset, unpackedRange } = transform.values;
  const ranges = [packedRange, scale, offset, unpackedRange];
  const isWhole = (transform.unit?.ticks ?? 1) === 1;
  return isWhole && missing.length === 0 && ranges.every((range) => range === undefined);
}

/**
 * Whether each label equals the preceding label plus `step`, modulo 2^64.
 * @param from first index, at least 1; `to` is exclusive
 */
function areRegular(words: Int32Array, from: number, to: number, step: bigint): boolean {
  const stepLow = Number(BigInt.asIntN(32, step));
  const stepHigh = Number(BigInt.asIntN(32, step >> 32n));
  let low = words[2 * from - 2];
  let high = words[2 * from - 1];
  for (let i = from; i < to; i++) {
    low = (low + stepLow) | 0;
    high = (high + stepHigh + (low >>> 0 < stepLow >>> 0 ? 1 : 0)) | 0;
    if (words[2 * i] !== low || words[2 * i + 1] !== high) return false;
  }
  return true;
}

/**
 * Whether each label is at or before the next one in the direction of the order.
 * @param from first index, at least 1; `to` is exclusive
 */
function areSorted(words: Int32Array, from: number, to: number, isDescending: boolean): boolean {
  let low = words[2 * from - 2] >>> 0;
  let high = words[2 * from - 1];
  for (let i = from; i < to; i++) {
    const nextLow = words[2 * i] >>> 0;
    const nextHigh = words[2 * i + 1];
    if (nextHigh === high ? (isDescending ? nextLow > low : nextLow < low) : nextHigh > high === isDescending)
      return false;
    low = nextLow;
    high = nextHigh;
  }
  return true;
}

/**
 * The key of the first label. Undefined if an end is missing or cannot be converted; otherwise all labels
 * between them can.
 */
function firstKey(transform: LinearTransform, first: bigint, last: bigint): bigint | undefined {
  const labels = BigInt64Array.of(first, last);
  const keys = new BigInt64Array(labels.length);
  try {
    applyTransform(transform, new Uint8Array(labels.buffer), new Uint8Array(keys.buffer));
  } catch {
    // The conversion of all labels reports the first one that is invalid.
    return undefined;
  }
  return keys.includes(NAT) ? undefined : keys[0];
}
