/** Assigns the positions of a slice to groups, by the labels along a dimension. */
import {
  type Block,
  type DataType,
  type Grouping,
  InputError,
  type LazySlice,
  numberType,
  positionOfDim,
  runInTurns,
  SelectionError,
} from '../../zarr/index.js';
import type { LabelKey } from '../labels/label-keys.js';
import { labelsAlong, type LabelsAlong, type LabelScope } from '../labels/labels-along.js';
import { type Groups, partsOf, periodsOf } from './calendar-groups.js';
import type { BinGrouping, CalendarPart, GroupingRequest, Resample } from './grouping.js';
import { binsOf, valuesOf } from './key-groups.js';
import { dateLabels, type DateTicks, floatLabels, integerLabels, MadeLabels, meanType, sameLabels, textLabels } from './made-labels.js'; // prettier-ignore

/**
 * Reads the coordinate.
 * @throws InputError, SelectionError for an invalid request; LimitError for too many groups; errors of
 *   reading
 */
export async function resolveGrouping(
  slice: LazySlice,
  request: GroupingRequest,
  scope: LabelScope,
): Promise<Grouping> {
  const axis = positionOfDim(dimOf(request), slice.dims);
  const coordinate = 'values' in request ? request.values.coordinate : undefined;
  const along = await labelsAlong(slice, axis, coordinate, scope);
  const { groups, labels } = await groupsOf(request, along);
  const { of, count } = groups;
  return {
    axis,
    map: { kind: 'groups', of, count, made: { labels, chosen: undefined } },
    known: along.known,
  };
}

function dimOf(request: GroupingRequest): string {
  if ('resample' in request) return request.resample.dim;
  if ('part' in request) return request.part.dim;
  return 'bins' in request ? request.bins.dim : request.values.dim;
}

interface LabelledGroups {
  readonly groups: Groups;
  readonly labels: MadeLabels;
}

async function groupsOf(request: GroupingRequest, along: LabelsAlong): Promise<LabelledGroups> {
  if ('resample' in request) return resampled(request.resample, along);
  if ('part' in request) return parted(request.part.part, along);
  return 'bins' in request ? binned(request.bins, along) : byValue(along);
}

const MAX_EVERY = 1_000_000;

async function resampled({ every = 1, unit }: Resample, along: LabelsAlong): Promise<LabelledGroups> {
  if (!Number.isSafeInteger(every) || every < 1 || every > MAX_EVERY)
    throw new InputError(`"every" is ${every}; it must be an integer from 1 to ${MAX_EVERY}`);
  const dates = datesOf(along);
  const { starts, ...groups } = await runInTurns(periodsOf(dates, every, unit));
  const labelsOf = (ticks: BigInt64Array, shape?: number[]): Block =>
    dateLabels({ ticks, style: dates.style }, along.dtype, shape);
  const ticks = starts.slice(0, groups.count);
  const ends = new BigInt64Array(2 * groups.count);
  ticks.forEach((start, k) => ends.set([start, starts[k + 1] ?? start], 2 * k));
  return {
    groups,
    labels: new MadeLabels(along.name, {
      ...described(along),
      values: labelsOf(ticks),
      bounds: labelsOf(ends, [groups.count, 2]),
      dates: { ticks, style: dates.style },
    }),
  };
}

const partNames: Readonly<Record<CalendarPart, string>> = {
  MONTH: 'month',
  SEASON: 'season',
  DAY_OF_YEAR: 'dayofyear',
  HOUR: 'hour',
};
const seasons = ['DJF', 'MAM', 'JJA', 'SON'];

async function parted(part: CalendarPart, along: LabelsAlong): Promise<LabelledGroups> {
  const { numbers, ...groups } = await runInTurns(partsOf(datesOf(along), part));
  const values =
    part === 'SEASON' ? textLabels(numbers.map((season) => seasons[season] ?? null)) : integerLabels(numbers);
  return { groups, labels: new MadeLabels(partNames[part], { values }) };
}

async function binned({ edges, closed = 'RIGHT' }: BinGrouping, along: LabelsAlong): Promise<LabelledGroups> {
  const { keys, dates, dtype, name } = along;
  if (keys.numbers === undefined)
    throw new SelectionError(`the labels of "${name}" are ${keys.form}; bins require numbers or dates`);
  const limits = edges.map((edge) => keys.span(edge).first);
  const groups = await runInTurns(binsOf(keys, limits, closed));
  const ends = limits.slice(1).flatMap((edge, k) => [limits[k] ?? edge, edge]);
  const middles = Array.from({ length: groups.count }, (_, k) =>
    middleOf(ends[2 * k] ?? 0, ends[2 * k + 1] ?? 0),
  );
  const dateType =
    dates === undefined
      ? dtype
      : meanType({ ticks: ticksOf([...ends, ...middles]), style: dates.style }, dtype);
  const blockOf = (list: readonly LabelKey[], shape: number[]): Block => {
    if (dates !== undefined) return dateLabels({ ticks: ticksOf(list), style: dates.style }, dateType, shape);
    if (dtype.name === 'numpy.timedelta64')
      return { dtype, shape, bytes: new Uint8Array(ticksOf(list).buffer) };
    return floatLabels(Float64Array.from(list, Number), shape);
  };
  return {
    groups,
    labels: new MadeLabels(`${name}_bins`, {
      ...described(along),
      values: blockOf(middles, [groups.count]),
      bounds: blockOf(ends, [groups.count, 2]),
      ...(dates === undefined ? {} : { dates: { ticks: ticksOf(middles), style: dates.style } }),
    }),
  };
}

function ticksOf(list: readonly LabelKey[]): BigInt64Array {
  return BigInt64Array.from(list, (key) => (typeof key === 'bigint' ? key : BigInt(Math.round(Number(key)))));
}

function middleOf(a: LabelKey, b: LabelKey): LabelKey {
  return typeof a === 'bigint' && typeof b === 'bigint' ? (a + b) >> 1n : (Number(a) + Number(b)) / 2;
}

async function byValue(along: LabelsAlong): Promise<LabelledGroups> {
  const { dates, dtype, name } = along;
  const { values, ...groups } = await runInTurns(valuesOf(along.keys));
  const own = dates === undefined ? undefined : { ticks: ticksOf(values), style: dates.style };
  const block = own === undefined ? valueLabels(values, dtype) : dateLabels(own, dtype);
  return {
    groups,
    labels: new MadeLabels(name, {
      ...described(along),
      values: block,
      ...(own === undefined ? {} : { dates: own }),
    }),
  };
}

function valueLabels(values: readonly LabelKey[], dtype: DataType): Block {
  switch (dtype.name) {
    case 'fixed_length_utf32':
    case 'null_terminated_bytes':
    case 'string':
      return textLabels(values.map(String));
    case 'numpy.timedelta64':
      return { dtype, shape: [values.length], bytes: new Uint8Array(ticksOf(values).buffer) };
    case 'float16':
      return sameLabels(values, numberType('float32'));
    default:
      return sameLabels(values, dtype);
  }
}

function datesOf({ dates, name, keys }: LabelsAlong): DateTicks {
  if (dates !== undefined) return dates;
  throw new SelectionError(
    `the labels of "${name}" are ${keys.form}; periods and parts of the calendar require dates`,
  );
}

function described({ units, calendar, attributes }: LabelsAlong): Partial<MadeLabels> {
  return {
    ...(units === undefined ? {} : { units }),
    ...(calendar === undefined ? {} : { calendar }),
    attributes,
  };
}
