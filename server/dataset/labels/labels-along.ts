/** The labels along a dimension of a slice, read for searching and grouping. */
import {
  type DataType,
  type JsonObject,
  type KnownValues,
  type LazySlice,
  nearest,
  type ResolvedDim,
  inTurns,
  SelectionError,
} from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import type { CoordinateReader } from '../coordinate-reader.js';
import type { TimeAxis } from '../decode/decoding.js';
import { statesLongitude } from '../grouping/mean-labels.js';
import { countAlong, positionAlong } from '../positions.js';
import {
  alongDimension,
  indexAlong,
  keptDims,
  labelledDims,
  madeAlongDimension,
  type OpenDataset,
} from '../slice-coordinates.js';
import type { SliceCoordinate, SliceDims } from '../slice-coordinate.js';
import { type Dataset, isVariable, type Variable } from '../variable.js';
import { LabelIndex } from './label-index.js';
import {
  bytesOfKeys,
  compactKeys,
  keysByPiece,
  type LabelDirection,
  type LabelKeys,
  labelKeys,
} from './label-keys.js';
import { keysAt, sortedDirection } from './label-search.js';
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
  /** The order of the labels; undefined if they are not sorted, if some are missing, or if it is not known. */
  readonly direction: Exclude<LabelDirection, 'unsorted'> | undefined;
  /** Data type of the decoded labels. */
  readonly dtype: DataType;
  /** The meaning of dates, whose keys are ticks. Set if the labels are dates. */
  readonly times: TimeAxis | undefined;
  readonly units: string | undefined;
  readonly attributes: JsonObject;
  /** The values that were read. Check them again when you use the labels. */
  readonly known: readonly KnownValues[];
}

/** Whether the keys are requested in ascending order of their positions; then, they are decoded piece by piece. */
export type KeyAccess = 'inOrder' | 'inAnyOrder';

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
  access: KeyAccess,
): Promise<LabelsAlong> {
  const coordinate =
    name === undefined ? await indexAlong(slice, d, scope.dataset) : await namedAlong(slice, d, name, scope);
  if (coordinate === undefined) throw noLabels(slice.dims[d]?.name ?? null);
  const { units, attributes } = coordinate;
  const read = await readLabels(coordinate, scope.coordinates, access);
  return { name: coordinate.name, ...read, units, attributes };
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
    const { keys } = await readLabels(coordinate, coordinates, 'inAnyOrder');
    await coordinates.reserve(LabelIndex.bytesToCreate(keys));
    return inTurns(LabelIndex.create(name, keys));
  }
  const index = await coordinates.index(variable);
  if (isWhole(positions, index.size)) return index;
  await coordinates.reserve(index.bytesAlong(positions));
  return inTurns(index.along(positions));
}

/** What the coordinate contains in which labels along dimension `d` are looked up; undefined without one. */
export async function kindOfLabels(
  slice: SliceDims,
  d: number,
  dataset: OpenDataset,
): Promise<'longitudes' | 'other' | undefined> {
  const coordinate = await indexAlong(slice, d, dataset);
  if (coordinate === undefined) return undefined;
  const { units, meaning } = coordinate;
  return statesLongitude(units, textAttribute(meaning, 'standard_name')) ? 'longitudes' : 'other';
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

async function readLabels(
  coordinate: SliceCoordinate,
  reader: CoordinateReader,
  access: KeyAccess,
): Promise<Pick<LabelsAlong, 'keys' | 'direction' | 'dtype' | 'times' | 'known'>> {
  const { name, variable, positions } = coordinate;
  if (variable !== undefined && positions !== undefined) {
    const isInOrder = access === 'inOrder' && positions.kind === 'range';
    const { known, decoding, keys: all } = await (isInOrder ? reader.labelsInOrder(variable) : reader.labels(variable)); // prettier-ignore
    const keys = isWhole(positions, all.size)
      ? all
      : keysAt(all, countAlong(positions), (i) => positionAlong(positions, i));
    const direction = directionAlong(all, positions);
    return { keys, direction, dtype: decoding.dtype, times: decoding.times, known: [known] };
  }
  const labels = await coordinate.labels(reader);
  if (labels === undefined)
    throw new SelectionError(`the coordinate "${name}" cannot be averaged over blocks`);
  const { stored, decoding } = labels;
  const block = await reader.read(stored);
  const known = variable === undefined ? [] : [{ slice: stored, block }];
  const described = { dtype: decoding.dtype, times: decoding.times, known };
  const compact = await inTurns(compactKeys(block, decoding));
  if (compact === undefined && access === 'inOrder')
    return { ...described, keys: keysByPiece(block, decoding), direction: undefined };
  if (compact === undefined) await reader.reserve(bytesOfKeys(block, decoding));
  const keys = compact ?? (await inTurns(labelKeys(block, decoding)));
  const whole = { kind: 'range', start: 0, step: 1, count: keys.size, dropped: false } as const;
  return { ...described, keys, direction: directionAlong(keys, whole) };
}

/** The order of the labels at some positions, if it follows from that of all. */
function directionAlong(keys: LabelKeys, positions: ResolvedDim): LabelsAlong['direction'] {
  const direction = sortedDirection(keys);
  if (direction === undefined || positions.kind !== 'range') return undefined;
  if (positions.step > 0) return direction;
  return direction === 'ascending' ? 'descending' : 'ascending';
}

function isWhole(positions: ResolvedDim, size: number): boolean {
  return positions.kind === 'range' && positions.step === 1 && positions.count === size;
}
