/** The labels along a dimension of a slice: from a coordinate of its dataset, or created by an operation. */
import {
  type DataType,
  type JsonObject,
  type KnownValues,
  type LazySlice,
  nearest,
  type ResolvedDim,
  runInTurns,
  SelectionError,
} from '../../zarr/index.js';
import { textAttribute } from '../attributes.js';
import type { CoordinateReader } from '../coordinate-reader.js';
import type { Decoding } from '../decode/decoding.js';
import { plainDecoding } from '../decode/plan-decoding.js';
import { decodeSlice } from '../decoded-slice.js';
import { type DateTicks, MadeLabels } from '../grouping/made-labels.js';
import { countAlong, positionAlong } from '../positions.js';
import { coordinateAlong, keptDims } from '../slice-coordinates.js';
import { type Variable, type Dataset, isVariable, usableIndexOf } from '../variable.js';
import { type LabelKeys, labelKeys } from './label-keys.js';
import { keysAt } from './label-search.js';
import { noLabels } from './resolve-labels.js';

/** The context in which labels are looked up. */
export interface LabelScope {
  dataset(): Promise<Dataset | undefined>;
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
  readonly units: string | undefined;
  readonly calendar: string | undefined;
  readonly attributes: JsonObject;
  /** The values that were read. Check them again when you use the labels. */
  readonly known: readonly KnownValues[];
}

/**
 * @param d position of the dimension in the slice
 * @param coordinate name of a coordinate of this dimension; undefined for the one named like it
 * @throws SelectionError if there is none; errors from reading it
 */
export async function labelsAlong(
  slice: LazySlice,
  d: number,
  coordinate: string | undefined,
  scope: LabelScope,
): Promise<LabelsAlong> {
  const { origin } = slice;
  const dimension = slice.dims[d]?.name ?? null;
  const along = keptDims(origin.selection)[d];
  const made = along === undefined ? undefined : origin.made?.[along.axis];
  if (along !== undefined && made !== undefined) {
    if (made.points !== undefined && coordinate === undefined) throw noLabels(dimension);
    const own = [made.labels, ...(made.points?.beside ?? [])].find(
      ({ name }) => coordinate === undefined || coordinate === name,
    );
    if (own instanceof MadeLabels) return alongMade(own, made.chosen, along.dim);
  }
  const name = along === undefined ? null : nameAt(slice, along.axis);
  const dataset = name === null ? undefined : await scope.dataset();
  if (along === undefined || name === null || dataset === undefined) throw noLabels(dimension);
  const variable = coordinate === undefined ? usableIndexOf(dataset, name) : named(dataset, coordinate);
  if (variable === undefined) throw noLabels(dimension);
  if (variable.dimensions.length !== 1 || variable.dimensions[0] !== name)
    throw new SelectionError(
      `the coordinate "${variable.name}" has the dimensions (${variable.dimensions.join(', ')}); expected only "${name}"`,
    );
  if (variable.shape[0] !== origin.shape[along.axis])
    throw new SelectionError(
      `the coordinate "${variable.name}" has ${variable.shape[0]} labels, but this slice has ${origin.shape[along.axis]} elements along its dimension`,
    );
  return origin.coarsened?.[along.axis] === undefined
    ? alongStored(variable, along.dim, scope.coordinates)
    : alongBlocks(variable, slice, scope.coordinates);
}

function nameAt({ origin }: LazySlice, axis: number): string | null {
  return origin.coarsened?.[axis]?.name ?? origin.dimensionNames[axis] ?? null;
}

function named({ variables }: Dataset, name: string): Variable {
  const variable = variables.get(name);
  if (isVariable(variable)) return variable;
  if (variable !== undefined) throw variable;
  const near = nearest(name, variables.keys()).map((one) => `"${one}"`);
  throw new SelectionError(
    `unknown coordinate "${name}"${near.length === 0 ? '' : `; the nearest are ${near.join(', ')}`}`,
  );
}

async function alongMade(
  labels: MadeLabels,
  chosen: Float64Array | undefined,
  dim: ResolvedDim,
): Promise<LabelsAlong> {
  const { name, values, dates, units, calendar, attributes } = labels;
  const positionOf = (i: number): number => {
    const position = positionAlong(dim, i);
    return chosen?.[position] ?? position;
  };
  const keys = await runInTurns(labelKeys(values, plainDecoding(name, values)));
  return {
    name,
    keys: keysAt(keys, countAlong(dim), positionOf),
    dtype: values.dtype,
    dates: dates === undefined ? undefined : await runInTurns(datesAt(dates, countAlong(dim), positionOf)),
    units,
    calendar,
    attributes,
    known: [],
  };
}

async function alongStored(
  variable: Variable,
  dim: ResolvedDim,
  reader: CoordinateReader,
): Promise<LabelsAlong> {
  const { stored, decoding, keys } = await reader.labels(variable);
  const [size, positionOf] = [countAlong(dim), (i: number) => positionAlong(dim, i)];
  const isWhole = dim.kind === 'range' && dim.step === 1 && size === keys.size;
  const dates = datesOf(keys, decoding);
  if (dates !== undefined && !isWhole) await reader.reserve(size * BigInt64Array.BYTES_PER_ELEMENT);
  return {
    ...describe(variable),
    keys: isWhole ? keys : keysAt(keys, size, positionOf),
    dtype: decoding.dtype,
    dates: isWhole || dates === undefined ? dates : await runInTurns(datesAt(dates, size, positionOf)),
    known: [{ slice: variable.stored, block: stored }],
  };
}

/** The means of neighbouring labels. */
async function alongBlocks(
  variable: Variable,
  { origin }: LazySlice,
  reader: CoordinateReader,
): Promise<LabelsAlong> {
  const decoding = await reader.decoding(variable);
  const means = coordinateAlong(origin, variable, decodeSlice(variable.stored, decoding));
  if (means === undefined)
    throw new SelectionError(`the coordinate "${variable.name}" cannot be averaged over blocks`);
  const block = await reader.read(means);
  const plain = plainDecoding(variable.name, block);
  const keys = await runInTurns(labelKeys(block, plain));
  return {
    ...describe(variable),
    keys,
    dtype: block.dtype,
    dates: datesOf(keys, plain),
    known: [{ slice: means, block }],
  };
}

function describe(variable: Variable): Pick<LabelsAlong, 'name' | 'units' | 'calendar' | 'attributes'> {
  return {
    name: variable.name,
    units: textAttribute(variable.context.attributes, 'units'),
    calendar: variable.calendar,
    attributes: variable.attributes,
  };
}

function datesOf({ numbers }: LabelKeys, { times }: Decoding): DateTicks | undefined {
  if (times === undefined || !(numbers instanceof BigInt64Array)) return undefined;
  return { ticks: numbers, style: times.style };
}

/** Number of dates copied between two yields. */
const STEP = 2 ** 14;

function* datesAt(
  { ticks, style }: DateTicks,
  size: number,
  positionOf: (i: number) => number,
): Generator<void, DateTicks, void> {
  const taken = new BigInt64Array(size);
  for (let i = 0; i < size; i++) {
    taken[i] = ticks[positionOf(i)] ?? 0n;
    if (i % STEP === STEP - 1) yield;
  }
  return { ticks: taken, style };
}
