/** The axes of a picture: coordinates at its edges, and their direction. */
import type { OperationScope } from '../analysis/operations/operation.js';
import { usableIndexOf } from '../dataset/dataset.js';
import { textAttribute } from '../dataset/attributes.js';
import { decodeSlice } from '../dataset/decoded-slice.js';
import { coordinateAlong } from '../dataset/slice-coordinates.js';
import type { Variable } from '../dataset/variable.js';
import {
  type Block,
  elementAt,
  formatDatetimes,
  isZarrError,
  type LazySlice,
  toTypedArray,
} from '../zarr/index.js';

export interface PictureScope extends OperationScope {
  /** Reads a few values of a coordinate. */
  read(slice: LazySlice): Promise<Block>;
}

export interface PictureAxis {
  readonly name: string | null;
  /** Labels of the first and the last value along the dimension, as JSON; null without a coordinate. */
  readonly first: unknown;
  readonly last: unknown;
  /** Whether the coordinate increases along the dimension; undefined if unknown. */
  readonly isAscending: boolean | undefined;
  /** Whether the coordinate increases downwards: depths and pressures. */
  readonly isDownward: boolean;
}

/**
 * @param d position of the dimension
 * @throws errors from reading the coordinate
 */
export async function axisAlong(slice: LazySlice, d: number, scope: PictureScope): Promise<PictureAxis> {
  const name = slice.dims[d]?.name ?? null;
  const none = { name, first: null, last: null, isAscending: undefined, isDownward: false };
  const variable = name === null ? undefined : await coordinateOf(slice, name, scope);
  if (variable === undefined) return none;
  const decoding = await scope.coordinates.decoding(variable);
  const along = coordinateAlong(slice.origin, variable, decodeSlice(variable.stored, decoding));
  if (along === undefined || along.shape.length !== 1 || along.shape[0] !== slice.shape[d]) return none;
  const ends = await scope.read(
    along.select({ kind: 'dims', dims: [{ kind: 'indices', indices: [0, -1] }] }),
  );
  const [first, last] = [jsonAt(ends, 0), jsonAt(ends, 1)];
  return { name, first, last, isAscending: isAscending(ends), isDownward: isDownward(variable) };
}

/** The coordinate of a dimension in the dataset of the slice. */
async function coordinateOf(
  { origin }: LazySlice,
  name: string,
  scope: OperationScope,
): Promise<Variable | undefined> {
  const isKnown = origin.dimensionNames.includes(name) || origin.coarsened?.some((one) => one?.name === name);
  const dataset = isKnown === true ? await scope.dataset() : undefined;
  try {
    return dataset === undefined ? undefined : usableIndexOf(dataset, name);
  } catch (error) {
    // A picture does not require a coordinate.
    if (isZarrError(error)) return undefined;
    throw error;
  }
}

function isAscending(ends: Block): boolean | undefined {
  const data = toTypedArray(ends);
  if (!ArrayBuffer.isView(data)) return undefined;
  const [first, last] = data;
  if (first === undefined || last === undefined) return undefined;
  if (first < last) return true;
  return first > last ? false : undefined;
}

const PRESSURE_UNITS =
  /^(?:[hk]?Pa|(?:milli|hecto|kilo)?pascals?|m?bars?|mb|millibars?|decibars?|dbar|atm)$/i;

/** CF, section 4.3: the attribute `positive`, and units of pressure. */
function isDownward({ context: { attributes } }: Variable): boolean {
  const positive = textAttribute(attributes, 'positive');
  if (positive !== undefined) return positive.toLowerCase() === 'down';
  return PRESSURE_UNITS.test((textAttribute(attributes, 'units') ?? '').trim());
}

function jsonAt(block: Block, place: number): unknown {
  if (block.dtype.name === 'numpy.datetime64') {
    const data = toTypedArray(block);
    return data instanceof BigInt64Array ? (formatDatetimes(data, block.dtype)[place] ?? null) : null;
  }
  const value = elementAt(block, place);
  return ['number', 'bigint', 'string', 'boolean'].includes(typeof value) ? value : null;
}

/**
 * Whether the axis is drawn in reverse order. The largest coordinate is at the top (the smallest for depths
 * and pressures) and at the right. Without a coordinate, the first row is at the top.
 */
export function isFlipped({ isAscending, isDownward }: PictureAxis, of: 'rows' | 'columns'): boolean {
  if (isAscending === undefined) return false;
  return of === 'rows' ? isAscending !== isDownward : !isAscending;
}
