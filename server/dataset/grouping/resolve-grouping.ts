/** Assigns the positions of a slice to groups, by the labels along a dimension. */
import { defined } from '../../../wire/guards.js';
import {
  type Block,
  countMembers,
  type DataType,
  type Grouping,
  InputError,
  inTurns,
  type LazySlice,
  type ListedGrouping,
  listGroups,
  MEMBERS_BYTES,
  numberType,
  positionOfDim,
  runToEnd,
  SelectionError,
} from '../../zarr/index.js';
import type { TimeAxis } from '../decode/decoding.js';
import type { LabelKey } from '../labels/label-keys.js';
import { labelsAlong, type LabelsAlong, type LabelScope } from '../labels/labels-along.js';
import {
  type Dates,
  type Groups,
  type Spans,
  partNames,
  partsOf,
  periodsOf,
  rangeOfPeriods,
  startsOf,
} from './calendar-groups.js';
import type { Reserve } from '../coordinate-reader.js';
import {
  type BinGrouping,
  type CalendarPart,
  type CalendarUnit,
  type GroupingRequest,
  MAX_VALUES,
  type Resample,
} from './grouping.js';
import { dateLabels, floatLabels, integerLabels, MadeLabels, sameLabels, textLabels } from './made-labels.js';
import { binsOf, STEP, groupEqual } from './group-by-labels.js';

/**
 * Reads the coordinate.
 * @throws InputError, SelectionError for an invalid request; LimitError for too many groups; errors from
 *   reading
 */
export async function resolveGrouping(
  slice: LazySlice,
  request: GroupingRequest,
  scope: LabelScope,
): Promise<Grouping> {
  return resolve(slice, request, scope, false);
}

/** Like `resolveGrouping`, with the group of each position. */
export async function resolveListedGrouping(
  slice: LazySlice,
  request: GroupingRequest,
  scope: LabelScope,
): Promise<ListedGrouping> {
  const grouping = await resolve(slice, request, scope, true);
  return listGroups(grouping, defined(slice.shape[grouping.axis]));
}

async function resolve(
  slice: LazySlice,
  request: GroupingRequest,
  scope: LabelScope,
  isListed: boolean,
): Promise<Grouping> {
  const axis = positionOfDim(dimOf(request), slice.dims);
  const coordinate = 'values' in request ? request.values.coordinate : undefined;
  const along = await labelsAlong(slice, axis, coordinate, scope, 'inOrder');
  const { reserve } = scope.coordinates;
  const isList = isListed || 'part' in request || along.direction !== 'ascending';
  await reserve(isList ? bytesToGroup(along.keys.size) : bytesOfValues(along.keys.size));
  const { members, labels } = await groupsOf(request, along, reserve);
  const made = { labels, chosen: undefined };
  const { known } = along;
  const count = members.kind === 'spans' ? members.starts.length : members.count;
  await reserve(count * MEMBERS_BYTES);
  if (members.kind === 'spans') return { axis, map: { kind: 'spans', starts: members.starts, made }, known };
  const map = { kind: 'groups', of: members.of, count, made } as const;
  await inTurns(countMembers(map));
  return { axis, map, known };
}

/** Memory for the group of each position, and for lists of distinct values or groups with their labels. */
function bytesToGroup(positions: number): number {
  return positions * Int32Array.BYTES_PER_ELEMENT + bytesOfValues(positions);
}

function bytesOfValues(positions: number): number {
  return Math.min(positions, MAX_VALUES) * VALUE_BYTES;
}

const VALUE_BYTES = 128;

function dimOf(request: GroupingRequest): string {
  if ('resample' in request) return request.resample.dim;
  if ('part' in request) return request.part.dim;
  return 'bins' in request ? request.bins.dim : request.values.dim;
}

interface LabelledGroups {
  readonly members: Groups | Spans;
  readonly labels: MadeLabels;
}

async function groupsOf(
  request: GroupingRequest,
  along: LabelsAlong,
  reserve: Reserve,
): Promise<LabelledGroups> {
  if ('resample' in request) return resampled(request.resample, along, reserve);
  if ('part' in request) return parted(request.part.part, along);
  return 'bins' in request ? binned(request.bins, along) : byValue(along);
}

const MAX_EVERY = 1_000_000;

async function resampled(
  { every = 1, unit, fromMonth = 1, fromWeekday = 0 }: Resample,
  along: LabelsAlong,
  reserve: Reserve,
): Promise<LabelledGroups> {
  if (!Number.isSafeInteger(fromMonth) || fromMonth < 1 || fromMonth > 12)
    throw new InputError(`"fromMonth" is ${fromMonth}; expected a month from 1 to 12`);
  if (fromMonth !== 1 && unit !== 'YEAR' && unit !== 'QUARTER')
    throw new InputError('"fromMonth" requires the unit YEAR or QUARTER');
  if (!Number.isSafeInteger(fromWeekday) || fromWeekday < 0 || fromWeekday > 6)
    throw new InputError(`"fromWeekday" is ${fromWeekday}; expected a weekday from 0 (Monday) to 6`);
  if (fromWeekday !== 0 && unit !== 'WEEK') throw new InputError('"fromWeekday" requires the unit WEEK');
  if (!Number.isSafeInteger(every) || every < 1 || every > MAX_EVERY)
    throw new InputError(`"every" is ${every}; expected an integer from 1 to ${MAX_EVERY}`);
  const { dates, times } = datesOf(along);
  const range = await inTurns(
    rangeOfPeriods(dates, every, { name: unit, months: fromMonth - 1, days: fromWeekday }),
  );
  await reserve(range.count * PERIOD_BYTES);
  const { starts, members } = await inTurns(periodsOf(dates, range));
  const labels = await inTurns(periodLabels(along, times, starts));
  return { members, labels: new MadeLabels(along.name, { ...described(along), ...labels }) };
}

/**
 * The starts of periods, from the one with the first date to the one with the last.
 * @throws SelectionError for labels that are not dates; LimitError for too many periods
 */
export async function periodStarts(
  along: LabelsAlong,
  { unit, every }: { readonly unit: CalendarUnit; readonly every: number },
): Promise<BigInt64Array> {
  const { dates } = datesOf(along);
  const range = await inTurns(rangeOfPeriods(dates, every, { name: unit, months: 0, days: 0 }));
  const starts = await inTurns(startsOf(dates, range));
  return starts.subarray(0, Math.max(0, starts.length - 1));
}

/** Memory of a period: its start, and both ends. */
const PERIOD_BYTES = 3 * BigInt64Array.BYTES_PER_ELEMENT;

/** @param starts the start of each period, followed by the end of the last one; empty without periods */
function* periodLabels(
  { name, dtype }: LabelsAlong,
  times: TimeAxis,
  starts: BigInt64Array,
): ReturnType<typeof dateLabels> {
  const ticks = starts.subarray(0, Math.max(0, starts.length - 1));
  const bounds = new BigInt64Array(2 * ticks.length);
  for (let k = 0; k < ticks.length; k++) {
    bounds[2 * k] = defined(ticks[k]);
    bounds[2 * k + 1] = defined(starts[k + 1]);
    if (k % STEP === STEP - 1) yield;
  }
  return yield* dateLabels(name, times, ticks, dtype, bounds);
}

const seasons = ['DJF', 'MAM', 'JJA', 'SON'];

async function parted(part: CalendarPart, along: LabelsAlong): Promise<LabelledGroups> {
  const { numbers, ...members } = await inTurns(partsOf(datesOf(along).dates, part));
  const stored =
    part === 'SEASON'
      ? runToEnd(textLabels(numbers.map((season) => seasons[season] ?? null)))
      : integerLabels(numbers);
  return { members, labels: new MadeLabels(partNames[part], { stored }) };
}

async function binned({ edges, closed = 'RIGHT' }: BinGrouping, along: LabelsAlong): Promise<LabelledGroups> {
  const { keys, times, dtype, name } = along;
  if (!keys.isNumeric && times === undefined)
    throw new SelectionError(`the labels of "${name}" are ${keys.form}; bins require numbers or dates`);
  // Edges are not rounded to the type of the coordinate, as in xarray.
  const limits = edges.map((edge) =>
    keys.isNumeric && typeof edge === 'number' && Number.isFinite(edge) ? edge : keys.span(edge).first,
  );
  const members = await inTurns(binsOf(along, limits, closed));
  const count = limits.length - 1;
  const ends = limits.slice(1).flatMap((edge, k) => [limits[k] ?? edge, edge]);
  const middles = Array.from({ length: count }, (_, k) =>
    middleOf(defined(ends[2 * k]), defined(ends[2 * k + 1])),
  );
  const labelled = `${name}_bins`;
  if (times !== undefined) {
    const labels = await inTurns(dateLabels(labelled, times, ticksOf(middles), dtype, ticksOf(ends)));
    return { members, labels: new MadeLabels(labelled, { ...described(along), ...labels }) };
  }
  const blockOf = (list: readonly LabelKey[], shape: number[]): Block =>
    dtype.name === 'numpy.timedelta64'
      ? { dtype, shape, bytes: new Uint8Array(ticksOf(list).buffer) }
      : floatLabels(Float64Array.from(list, Number), shape);
  return {
    members,
    labels: new MadeLabels(labelled, {
      ...described(along),
      stored: blockOf(middles, [count]),
      bounds: blockOf(ends, [count, 2]),
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
  const { times, dtype, name } = along;
  const { values, ...members } = await inTurns(groupEqual(along));
  const labels =
    times === undefined
      ? { stored: await inTurns(valueLabels(values, dtype)) }
      : await inTurns(dateLabels(name, times, ticksOf(values), dtype));
  return { members, labels: new MadeLabels(name, { ...described(along), ...labels }) };
}

/** Yields every few thousand labels of text. */
function* valueLabels(values: readonly LabelKey[], dtype: DataType): Generator<void, Block, void> {
  switch (dtype.name) {
    case 'fixed_length_utf32':
    case 'null_terminated_bytes':
    case 'string':
      return yield* textLabels(values.map(String));
    case 'numpy.timedelta64':
      return { dtype, shape: [values.length], bytes: new Uint8Array(ticksOf(values).buffer) };
    case 'float16':
      return sameLabels(values, numberType('float32'));
    default:
      return sameLabels(values, dtype);
  }
}

function datesOf({ times, name, keys, direction }: LabelsAlong): {
  readonly dates: Dates;
  readonly times: TimeAxis;
} {
  if (times !== undefined) return { dates: { keys, style: times.style, direction }, times };
  throw new SelectionError(
    `the labels of "${name}" are ${keys.form}; periods and parts of the calendar require dates`,
  );
}

function described({ units, attributes }: LabelsAlong): Pick<MadeLabels, 'units' | 'attributes'> {
  return { units, attributes };
}
