/** Values at more dates than the slice has. */
import * as z from 'zod';
import { defined } from '../../../../wire/guards.js';
import { periodStarts } from '../../../dataset/grouping/resolve-grouping.js';
import { calendarUnits } from '../../../dataset/grouping/grouping.js';
import { labelsAlong } from '../../../dataset/labels/labels-along.js';
import { distance, neighbours, sortedDirection } from '../../../dataset/labels/label-search.js';
import type { LabelKeys } from '../../../dataset/labels/label-keys.js';
import {
  guardSlice,
  InputError,
  type InterpolatedAxis,
  interpolateSlice,
  inTurns,
  LimitError,
  positionOfDim,
  SelectionError,
} from '../../../zarr/index.js';
import { choice, declareOperation, dimension } from '../declared.js';
import { findNeighbours } from '../neighbours.js';
import { labelsOf } from '../interpolate.js';

/** Maximum number of dates of the result. */
const MAX_DATES = 2 ** 16;
const MAX_EVERY = 1_000_000;

const methods = {
  LINEAR: 'Linear interpolation; missing before the first date.',
  FORWARD: 'The value of the date before.',
  BACKWARD: 'The value of the date after.',
  NEAREST: 'The value of the nearest date; of two equally near ones, the later.',
};
type Method = keyof typeof methods;

const unitNames = Object.fromEntries(calendarUnits.map((unit) => [unit, `Every ${unit.toLowerCase()}, in the calendar of the data.`])); // prettier-ignore

export const upsampleOperation = declareOperation({
  about: 'Values at the starts of equal periods from the first date to the last, such as every 6 hours.',
  details:
    'As `resample(...).interpolate()`, `ffill`, `bfill` and `nearest` in xarray. The dates must be sorted. Values are float64; at most 65536 dates.',
  form: z.strictObject({
    dim: dimension,
    unit: choice<(typeof calendarUnits)[number]>('UpsampleUnit', 'The unit of the periods.', withUnits()),
    every: z.int().min(1).max(MAX_EVERY).default(1).describe('Number of units of a period.'),
    method: choice<Method>('UpsampleMethod', 'Where values between the dates come from.', methods).default('LINEAR'),
  }),
  result: 'float64',
  step: (upsample) => ({ upsample }),
  async apply(slice, { dim, unit, every, method }, scope) {
    const axis = positionOfDim(dim, slice.dims);
    const labels = await labelsAlong(slice, axis, undefined, scope, 'inAnyOrder');
    if (labels.times === undefined)
      throw new SelectionError(`the labels of "${labels.name}" are ${labels.keys.form}; upsampling requires dates`);
    const starts = await periodStarts(labels, { unit, every });
    if (starts.length > MAX_DATES)
      throw new LimitError(`upsampling would have ${starts.length} dates; at most ${MAX_DATES} are allowed`, {
        excess: [{ limit: 'dates', allowed: MAX_DATES, needed: starts.length }],
      });
    const targets = Array.from(starts);
    const linear = await inTurns(findNeighbours(labels, axis, targets));
    const along = method === 'LINEAR' ? linear : stepped(labels.keys, axis, targets, method);
    const made = { labels: await labelsOf(labels.name, labels, targets), chosen: undefined };
    const name = slice.dims[axis]?.name ?? null;
    const result = { name, made, axes: [along], count: targets.length, dropped: false };
    return guardSlice(interpolateSlice(slice, [result]), labels.known);
  },
}); // prettier-ignore

function withUnits(): Readonly<Record<(typeof calendarUnits)[number], string>> {
  const about = (unit: (typeof calendarUnits)[number]): string => defined(unitNames[unit]);
  return { YEAR: about('YEAR'), QUARTER: about('QUARTER'), MONTH: about('MONTH'), WEEK: about('WEEK'), DAY: about('DAY'), HOUR: about('HOUR'), MINUTE: about('MINUTE'), SECOND: about('SECOND') };
} // prettier-ignore

/** The position from which each date takes its value; -1 for none. */
function stepped(
  keys: LabelKeys,
  axis: number,
  targets: readonly bigint[],
  method: Exclude<Method, 'LINEAR'>,
): InterpolatedAxis {
  const order = sortedDirection(keys);
  if (order === undefined) throw new InputError('upsampling requires sorted dates');
  const at = Float64Array.from(targets, (target) => {
    const { below, above } = neighbours({ keys, order, positions: undefined }, target);
    if (method === 'FORWARD') return below ?? -1;
    if (method === 'BACKWARD') return above ?? -1;
    if (below === undefined || above === undefined) return below ?? above ?? -1;
    const [low, high] = [distance(keys.at(below) ?? target, target) ?? 0n, distance(keys.at(above) ?? target, target) ?? 0n];
    return low < high ? below : above;
  });
  return { axis, below: at, above: at, share: new Float64Array(targets.length) };
} // prettier-ignore
