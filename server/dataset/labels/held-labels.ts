/** Labels of a coordinate as labels in memory, with its kind, calendar, units and attributes. */
import { type Block, type DataType, inTurns, isFixedSize, NAT } from '../../zarr/index.js';
import { dateLabels, MadeLabels, sameLabels, textLabels } from '../grouping/made-labels.js';
import type { LabelKey } from './label-keys.js';
import type { LabelsAlong } from './labels-along.js';

/** Number of labels that are converted between two yields. */
const STEP = 4096;

/**
 * @param keyAt the key of each label; undefined for a missing one
 * @param dtype the data type of labels that are not dates
 */
export async function heldLabels(
  { name, times, dtype: own, units, attributes }: Pick<LabelsAlong, 'name' | 'times' | 'dtype' | 'units' | 'attributes'>,
  count: number,
  keyAt: (i: number) => LabelKey | undefined,
  dtype: DataType = own,
): Promise<MadeLabels> {
  const described = { units, attributes };
  if (times !== undefined) {
    const ticks = await inTurns(ticksOf(count, keyAt));
    return new MadeLabels(name, { ...described, ...(await inTurns(dateLabels(name, times, ticks, own))) });
  }
  const stored = await inTurns(isFixedSize(dtype) ? numbersOf(count, keyAt, dtype) : textsOf(count, keyAt));
  return new MadeLabels(name, { ...described, stored });
} // prettier-ignore

/** Memory of a label while the list is created, in bytes. */
export function heldLabelBytes(dtype: DataType): number {
  return isFixedSize(dtype) ? 2 * dtype.itemSize : TEXT_BYTES;
}

const TEXT_BYTES = 64;

function* ticksOf(
  count: number,
  keyAt: (i: number) => LabelKey | undefined,
): Generator<void, BigInt64Array, void> {
  const ticks = new BigInt64Array(count);
  for (let i = 0; i < count; i++) {
    const key = keyAt(i);
    ticks[i] = typeof key === 'bigint' ? key : NAT;
    if (i % STEP === STEP - 1) yield;
  }
  return ticks;
}

function* numbersOf(
  count: number,
  keyAt: (i: number) => LabelKey | undefined,
  dtype: Extract<DataType, { itemSize: number }>,
): Generator<void, Block, void> {
  const missing = dtype.name.startsWith('float') ? NaN : dtype.name === 'numpy.timedelta64' ? NAT : null;
  const bytes = new Uint8Array(count * dtype.itemSize);
  for (let from = 0; from < count; from += STEP) {
    const values = Array.from({ length: Math.min(STEP, count - from) }, (_, i) => keyAt(from + i) ?? missing);
    const piece = sameLabels(values, dtype);
    if ('bytes' in piece) bytes.set(piece.bytes, from * dtype.itemSize);
    yield;
  }
  return { dtype, shape: [count], bytes };
}

function* textsOf(count: number, keyAt: (i: number) => LabelKey | undefined): Generator<void, Block, void> {
  const texts: (string | null)[] = [];
  for (let i = 0; i < count; i++) {
    const key = keyAt(i);
    texts.push(key === undefined ? null : String(key));
    if (i % STEP === STEP - 1) yield;
  }
  return yield* textLabels(texts);
}
