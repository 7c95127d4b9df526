/** The axes of a picture: coordinates at its edges, their direction, and the size of the picture. */
import type { OperationScope } from '../analysis/operations/operation.js';
import { textAttribute } from '../dataset/attributes.js';
import type { GeographicAxis } from '../dataset/geographic.js';
import { cellsAlong } from '../dataset/near/find-cells.js';
import { indexAlong } from '../dataset/slice-coordinates.js';
import type { SliceCoordinate } from '../dataset/slice-coordinate.js';
import type { Dataset } from '../dataset/variable.js';
import {
  type Block,
  type DimSelection,
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
  const coordinate = await coordinateOf(slice, d, scope);
  if (coordinate === undefined) return { ...none, isAscending: await directionOfCells(slice, d, scope) };
  const labels = await coordinate.labels(scope.coordinates);
  if (labels === undefined) return none;
  const { stored, decoding } = labels;
  if (stored.shape.length !== 1 || stored.shape[0] !== slice.shape[d]) return none;
  const ends = await scope.read(
    stored.select({ kind: 'dims', dims: [{ kind: 'indices', indices: [0, -1] }] }),
  );
  const decoded = decoding.decode(ends);
  const [first, last] = [jsonAt(decoded, 0), jsonAt(decoded, 1)];
  // Dates as text are compared as ticks.
  const compared = decoding.times === undefined ? toTypedArray(decoded) : decoding.times.ticks(ends);
  return { name, first, last, isAscending: isAscending(compared), isDownward: isDownward(coordinate) };
}

/**
 * The direction of latitudes or longitudes of two dimensions along one of them, whichever change more, in the middle of the
 * other. Undefined without such coordinates, and if one is missing there.
 */
async function directionOfCells(
  slice: LazySlice,
  d: number,
  scope: PictureScope,
): Promise<boolean | undefined> {
  const changes: number[] = [];
  for (const axis of ['latitude', 'longitude'] as const) {
    const ends = await endsOfCells(slice, d, axis, scope).catch((error: unknown) => {
      // A picture requires no coordinates.
      if (isZarrError(error)) return undefined;
      throw error;
    });
    const [first = NaN, last = NaN] = ends ?? [];
    const change = last - first;
    changes.push(axis === 'latitude' ? change : change - 360 * Math.round(change / 360));
  }
  const [north = NaN, east = NaN] = changes;
  const change = Math.abs(east) > Math.abs(north) || Number.isNaN(north) ? east : north;
  return change === 0 || Number.isNaN(change) ? undefined : change > 0;
}

async function endsOfCells(
  slice: LazySlice,
  d: number,
  axis: GeographicAxis,
  scope: PictureScope,
): Promise<readonly number[] | undefined> {
  const { axes, source } = await cellsAlong(slice, axis, 'a picture', scope);
  if (axes.length !== 2 || !axes.includes(d) || source.shape.includes(0)) return undefined;
  // Longitudes of the world end where they began.
  const last = axis === 'latitude' ? -1 : Math.floor(((slice.shape[d] ?? 1) - 1) / 4);
  const dims = axes.map((own, i): DimSelection =>
    own === d
      ? { kind: 'indices', indices: [0, last] }
      : { kind: 'index', index: Math.floor((source.shape[i] ?? 1) / 2) },
  );
  return Array.from(toTypedArray(await scope.read(source.select({ kind: 'dims', dims }))), Number);
}

async function coordinateOf(
  slice: LazySlice,
  d: number,
  scope: OperationScope,
): Promise<SliceCoordinate | undefined> {
  let isOpen = true;
  const open = async (): Promise<Dataset | undefined> => {
    isOpen = false;
    const dataset = await scope.dataset();
    isOpen = true;
    return dataset;
  };
  try {
    return await indexAlong(slice, d, open);
  } catch (error) {
    // A picture does not require a valid coordinate, but a dataset that cannot be opened may have one.
    if (isOpen && isZarrError(error)) return undefined;
    throw error;
  }
}

function isAscending(ends: ReturnType<typeof toTypedArray>): boolean | undefined {
  if (!ArrayBuffer.isView(ends)) return undefined;
  const [first, last] = ends;
  if (first === undefined || last === undefined) return undefined;
  if (first < last) return true;
  return first > last ? false : undefined;
}

const pressureUnits = /^(?:[hk]?Pa|(?:milli|hecto|kilo)?pascals?|m?bars?|mb|millibars?|decibars?|dbar|atm)$/i;

/**
 * Whether a coordinate increases downwards, according to the attribute `positive` and to units of pressure
 * (CF, section 4.3).
 */
function isDownward({ meaning }: SliceCoordinate): boolean {
  const positive = textAttribute(meaning, 'positive');
  if (positive !== undefined) return positive.toLowerCase() === 'down';
  return pressureUnits.test((textAttribute(meaning, 'units') ?? '').trim());
}

function jsonAt(block: Block, index: number): unknown {
  if (block.dtype.name === 'numpy.datetime64') {
    const data = toTypedArray(block);
    return data instanceof BigInt64Array ? (formatDatetimes(data, block.dtype)[index] ?? null) : null;
  }
  const value = elementAt(block, index);
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
