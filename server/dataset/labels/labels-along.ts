/** The labels along a dimension of a slice, read for searching and grouping. */
import {
  type DataType,
  type JsonObject,
  type KnownValues,
  type LazySlice,
  NAT,
  nearest,
  type ResolvedDim,
  runInTurns,
  SelectionError,
} from '../../zarr/index.js';
import type { CoordinateReader } from '../coordinate-reader.js';
import type { TimeAxis } from '../decode/decoding.js';
import type { DateTicks } from '../grouping/made-labels.js';
import { countAlong, positionAlong } from '../positions.js';
import {
  alongDimension,
  indexAlong,
  keptDims,
  labelledDims,
  madeAlongDimension,
  type OpenDataset,
  type SliceCoordinate,
  type SliceDims,
} from '../slice-coordinates.js';
import { type Dataset, isVariable, type Variable } from '../variable.js';
import { LabelIndex } from './label-index.js';
import { bytesOfKeys, type LabelKeys, labelKeys } from './label-keys.js';
import { keysAt } from './label-search.js';
import { noCoordinate, noLabels } from './resolve-labels.js';

/** The context in which labels are looked up. */
export interface LabelScope {
  readonly dataset: OpenDataset;
  readonly coordinates: CoordinateReader;
}

export interface LabelsAlong {
  /** Name of the coordinate. */
  readonly name: string;
  /** One key per position of the slice. */
  readonly keys: LabelKeys;
  /** Data type of the decoded labels. */
  readonly dtype: DataType;
  /** The labels as ticks. Set if the labels are dates. */
  readonly dates: DateTicks | undefined;
  /** The meaning of dates. */
  readonly times: TimeAxis | undefined;
  readonly units: string | undefined;
  readonly attributes: JsonObject;
  /** The values that were read. Check them again when you use the labels. */
  readonly known: readonly KnownValues[];
}

/**
 * @param d position of the dimension in the slice
 * @param name name of a coordinate of this dimension; undefined for the one in which labels are looked up
 * @throws SelectionError if there is none; errors from reading it
 */
export async function labelsAlong(
  slice: LazySlice,
  d: number,
  name: string | undefined,
  scope: LabelScope,
): Promise<LabelsAlong> {
  const coordinate =
    name === undefined ? await indexAlong(slice, d, scope.dataset) : await namedAlong(slice, d, name, scope);
  if (coordinate === undefined) throw noLabels(slice.dims[d]?.name ?? null);
  const { units, attributes } = coordinate;
  const read = await readLabels(coordinate, scope.coordinates);
  const { keys, dtype, times, known } = read;
  return {
    name: coordinate.name,
    keys,
    dtype,
    dates: await datesOf(read, scope.coordinates),
    times,
    units,
    attributes,
    known,
  };
}

/**
 * The labels along dimension `d` of a slice, in a searchable order.
 * @throws SelectionError if the dimension has no matching coordinate; errors from reading it
 */
export async function labelIndexAlong(
  slice: SliceDims,
  d: number,
  { dataset, coordinates }: LabelScope,
): Promise<LabelIndex> {
  const coordinate = await indexAlong(slice, d, dataset);
  if (coordinate === undefined)
    throw noCoordinate(slice.dims[d]?.name ?? null, labelledDims(slice, await dataset()));
  const { variable, positions, name } = coordinate;
  if (variable === undefined || positions === undefined) {
    const { keys } = await readLabels(coordinate, coordinates);
    await coordinates.reserve(LabelIndex.bytesToCreate(keys));
    return runInTurns(LabelIndex.create(name, keys));
  }
  const index = await coordinates.index(variable);
  return isWhole(positions, index.size) ? index : runInTurns(index.along(positions));
}

/** A coordinate of dimension `d` by its name. */
async function namedAlong(
  slice: LazySlice,
  d: number,
  name: string,
  scope: LabelScope,
): Promise<SliceCoordinate | undefined> {
  const made = madeAlongDimension(slice, d, name);
  if (made !== undefined) return made;
  const axis = keptDims(slice.origin.selection)[d]?.axis;
  const dimension = axis === undefined ? null : (slice.origin.dimensionNames[axis] ?? slice.origin.coarsened?.[axis]?.name);
  const dataset = dimension === null || dimension === undefined ? undefined : await scope.dataset();
  return dataset === undefined ? undefined : alongDimension(slice, d, named(dataset, name));
} // prettier-ignore

function named({ variables }: Dataset, name: string): Variable {
  const variable = variables.get(name);
  if (isVariable(variable)) return variable;
  if (variable !== undefined) throw variable;
  const near = nearest(name, variables.keys()).map((one) => `"${one}"`);
  throw new SelectionError(
    `unknown coordinate "${name}"${near.length === 0 ? '' : `; the nearest are ${near.join(', ')}`}`,
  );
}

interface ReadLabels extends Pick<LabelsAlong, 'keys' | 'dtype' | 'times' | 'known'> {
  /** Whether `keys.numbers` has the keys in order, and no others. */
  readonly isAll: boolean;
}

async function readLabels(coordinate: SliceCoordinate, reader: CoordinateReader): Promise<ReadLabels> {
  const { name, variable, positions } = coordinate;
  if (variable !== undefined && positions !== undefined) {
    const { stored, decoding, keys: all } = await reader.labels(variable);
    const isAll = isWhole(positions, all.size);
    const keys = isAll ? all : keysAt(all, countAlong(positions), (i) => positionAlong(positions, i));
    const known = [{ slice: variable.stored, block: stored }];
    return { keys, isAll, dtype: decoding.dtype, times: decoding.times, known };
  }
  const labels = await coordinate.labels(reader);
  if (labels === undefined)
    throw new SelectionError(`the coordinate "${name}" cannot be averaged over blocks`);
  const block = await reader.read(labels.stored);
  await reader.reserve(bytesOfKeys(block, labels.decoding));
  const keys = await runInTurns(labelKeys(block, labels.decoding));
  const known = variable === undefined ? [] : [{ slice: labels.stored, block }];
  return { keys, isAll: true, dtype: labels.decoding.dtype, times: labels.decoding.times, known };
}

function isWhole(positions: ResolvedDim, size: number): boolean {
  return positions.kind === 'range' && positions.step === 1 && positions.count === size;
}

/** Number of dates copied between two yields. */
const STEP = 2 ** 14;

async function datesOf(
  { keys, times, isAll }: ReadLabels,
  reader: CoordinateReader,
): Promise<DateTicks | undefined> {
  if (times === undefined) return undefined;
  const { style } = times;
  const { numbers } = keys;
  if (isAll && numbers instanceof BigInt64Array) return { ticks: numbers, style };
  await reader.reserve(keys.size * BigInt64Array.BYTES_PER_ELEMENT);
  return runInTurns(copyDates(keys, style));
}

function* copyDates(keys: LabelKeys, style: DateTicks['style']): Generator<void, DateTicks, void> {
  const ticks = new BigInt64Array(keys.size);
  for (let i = 0; i < ticks.length; i++) {
    const tick = keys.at(i);
    ticks[i] = typeof tick === 'bigint' ? tick : NAT;
    if (i % STEP === STEP - 1) yield;
  }
  return { ticks, style };
}
