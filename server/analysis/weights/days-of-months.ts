/** Weights of dates: the number of days of their month. */
import { splitDay } from '../../dataset/calendar/date-text.js';
import { ticksPerSecond } from '../../dataset/calendar/parse-time-units.js';
import { labelsAlong, type LabelsAlong } from '../../dataset/labels/labels-along.js';
import {
  blockSlice,
  guardSlice,
  InputError,
  inTurns,
  type LazySlice,
  numberType,
  SelectionError,
  type WeightFactor,
} from '../../zarr/index.js';
import type { OperationScope } from '../operations/operation.js';

/** @throws InputError unless exactly one dimension has dates */
export async function daysOfMonths(slice: LazySlice, scope: OperationScope): Promise<WeightFactor> {
  const dated: { readonly axis: number; readonly labels: LabelsAlong }[] = [];
  for (const axis of slice.dims.keys()) {
    const labels = await labelsOrNone(slice, axis, scope);
    if (labels?.times !== undefined) dated.push({ axis, labels });
  }
  const [only, ...others] = dated;
  if (only === undefined || others.length > 0)
    throw new InputError(
      `weights DAYS require one dimension with dates; ${only === undefined ? 'no dimension has' : `${dated.map(({ labels }) => `"${labels.name}"`).join(' and ')} have`} dates`,
    );
  const { axis, labels } = only;
  await scope.coordinates.reserve(labels.keys.size * Float64Array.BYTES_PER_ELEMENT);
  const days = await inTurns(daysOf(labels));
  const block = { dtype: numberType('float64'), shape: [days.length], bytes: new Uint8Array(days.buffer) };
  const source = guardSlice(blockSlice(block, slice.where), labels.known);
  return { source, axes: [axis], form: 'plain', label: `the dates "${labels.name}"` };
}

async function labelsOrNone(
  slice: LazySlice,
  axis: number,
  scope: OperationScope,
): Promise<LabelsAlong | undefined> {
  try {
    return await labelsAlong(slice, axis, undefined, scope, 'inOrder');
  } catch (error) {
    if (error instanceof SelectionError) return undefined;
    throw error;
  }
}

/** Missing dates have no weight. */
function* daysOf({ keys, times }: LabelsAlong): Generator<void, Float64Array<ArrayBuffer>, void> {
  const days = new Float64Array(keys.size);
  if (times === undefined) return days;
  const { calendar } = times.style;
  const perDay = 86_400 * ticksPerSecond(times.tick);
  for (let i = 0; i < days.length; i++) {
    const key = keys.at(i);
    if (typeof key === 'bigint') {
      const { year, month } = calendar.dateOf(splitDay(key, perDay)[0]);
      const next = month === 12 ? calendar.dayOf(year + 1, 1, 1) : calendar.dayOf(year, month + 1, 1);
      days[i] = next - calendar.dayOf(year, month, 1);
    } else days[i] = NaN;
    if (i % 4096 === 4095) yield;
  }
  return days;
}
