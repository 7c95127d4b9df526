/** The latitudes and longitudes of the cells of a slice, and the cell that is nearest to a place. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { defined } from '../../../wire/guards.js';
import {
  type Block,
  floatPieces,
  InputError,
  inTurns,
  isPlace,
  isRealName,
  kilometresBetween,
  type KnownValues,
  type LazySlice,
  LimitError,
  SelectionError,
  sizeOf,
  SphereIndex,
} from '../../zarr/index.js';
import type { CoordinateReader, RememberedValue } from '../coordinate-reader.js';
import { findGeographic, type GeographicAxis } from '../geographic.js';
import { decodedLabels, type SliceCoordinate } from '../slice-coordinate.js';
import type { LabelScope } from '../labels/labels-along.js';

/** Maximum number of cells with a latitude and a longitude each. */
const MAX_CELLS = 2 ** 21;

const KEPT_BYTES = 128 * 2 ** 20;

/** Cells with separate coordinates. */
export interface PlacedCells {
  readonly index: SphereIndex;
  /** Identifies the coordinates. */
  readonly digest: string;
  /** For each cell, what `plan-cells.ts` finds out about it. */
  readonly reach: Float32Array;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

/** Indexes of coordinates with two dimensions, by the arrays of the coordinates. */
const remembered = new LRUCache<string, RememberedValue<PlacedCells>>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ value: { index, latitudes, longitudes, reach } }) =>
    index.heldBytes + latitudes.byteLength + longitudes.byteLength + reach.byteLength + 1000,
});

/** Latitudes or longitudes of the cells of a slice. */
export interface GeographicCells {
  /** For each dimension of the coordinate, the position of the dimension in the slice. */
  readonly axes: readonly number[];
  readonly source: LazySlice;
  readonly coordinate: SliceCoordinate;
}

export interface FoundCells {
  /** The dimensions of the coordinates in the slice. */
  readonly axes: readonly number[];
  readonly coordinates: Readonly<Record<GeographicAxis, SliceCoordinate>>;
  /** One cell for each place. */
  readonly found: readonly FoundCell[];
  /** The values that determine the cells. */
  readonly known: readonly KnownValues[];
}

interface FoundCell {
  readonly place: Place;
  /** The position along each of `axes`. */
  readonly positions: readonly number[];
  readonly latitude: number;
  readonly longitude: number;
  readonly kilometres: number;
}

type Place = readonly [latitude: number, longitude: number];

/** @throws InputError if the slice has no numeric coordinate of this kind */
export async function cellsAlong(
  slice: LazySlice,
  axis: GeographicAxis,
  purpose: string,
  { dataset, coordinates }: LabelScope,
): Promise<GeographicCells> {
  const coordinate = findGeographic(slice, await dataset(), axis, purpose);
  const labels = await coordinate.labels(coordinates);
  const source = labels === undefined ? undefined : decodedLabels(labels);
  const { name, axes, dimensions } = coordinate;
  if (source === undefined || axes.length > 2 || !isRealName(source.dtype.name))
    throw new InputError(
      `${purpose} requires numeric ${axis}s of at most two dimensions; "${name}" has the dimensions (${dimensions.join(', ')}) and the type ${source?.dtype.name ?? 'text'}`,
    );
  return { axes, source, coordinate };
}

/**
 * The cell whose centre is nearest to each place, along the great circle. Cells without coordinates are never nearest.
 * @throws InputError for coordinates of other dimensions; SelectionError if no cell has coordinates; LimitError for
 * too many cells; errors from reading them
 */
export async function findCells(
  slice: LazySlice,
  places: readonly Place[],
  purpose: string,
  scope: LabelScope,
): Promise<FoundCells> {
  const rows = await cellsAlong(slice, 'latitude', purpose, scope);
  const columns = await cellsAlong(slice, 'longitude', purpose, scope);
  const coordinates = { latitude: rows.coordinate, longitude: columns.coordinate };
  const isGrid = rows.axes.length === 1 && columns.axes.length === 1 && rows.axes[0] !== columns.axes[0];
  if (isGrid) return { coordinates, ...(await cellsOfGrid(rows, columns, places, scope)) };
  if (rows.axes.length === 0 || rows.axes.join() !== columns.axes.join())
    throw new InputError(
      `${purpose} requires latitudes and longitudes along the same dimensions; "${rows.coordinate.name}" has (${rows.coordinate.dimensions.join(', ')}), "${columns.coordinate.name}" (${columns.coordinate.dimensions.join(', ')})`,
    );
  const { value, known } = await indexOfCells(rows, columns, scope.coordinates);
  const [, width = 1] = rows.source.shape;
  const isLine = rows.axes.length === 1;
  const nearest = function* (): Generator<void, FoundCell[], void> {
    const found: FoundCell[] = [];
    for (const place of places) {
      const cell = value.index.nearest(...place);
      if (cell === undefined) throw noCells(purpose);
      const { position, kilometres } = cell;
      const positions = isLine ? [position] : [Math.floor(position / width), position % width];
      const [latitude, longitude] = [defined(value.latitudes[position]), defined(value.longitudes[position])];
      found.push({ place, positions, latitude, longitude, kilometres });
      yield;
    }
    return found;
  };
  return { axes: rows.axes, coordinates, found: await inTurns(nearest()), known };
}

/** The index of cells with separate coordinates, remembered if it is that of whole arrays. */
export async function indexOfCells(
  rows: GeographicCells,
  columns: GeographicCells,
  reader: CoordinateReader,
): Promise<RememberedValue<PlacedCells>> {
  const count = sizeOf(rows.source.shape);
  if (count > MAX_CELLS)
    throw new LimitError(
      `the coordinates have ${count} cells; at most ${MAX_CELLS} are searched; select a part first`,
      { excess: [{ limit: 'cells', allowed: MAX_CELLS, needed: count }] },
    );
  return reader.remembered(
    remembered,
    keyOf(rows, columns),
    [rows.source, columns.source],
    async (blocks) => {
      await reader.reserve(SphereIndex.bytesToCreate(count) + count * CELL_BYTES);
      const [latitudes = new Float64Array(0), longitudes = new Float64Array(0)] = await Promise.all(
        blocks.map((block) => inTurns(numbersOf(block))),
      );
      const digest = await inTurns(digestOf(latitudes, longitudes));
      const index = await inTurns(SphereIndex.create(latitudes, longitudes));
      return { index, digest, latitudes, longitudes, reach: new Float32Array(count).fill(NaN) };
    },
  );
}

/** Memory of a cell besides the index: its latitude, longitude and reach. */
const CELL_BYTES = 8 + 8 + 4;
/** Numbers that are digested between two yields. */
const DIGESTED = 2 ** 16;

function* digestOf(...lists: readonly Float64Array[]): Generator<void, string, void> {
  const hash = createHash('sha256');
  for (const list of lists)
    for (let at = 0; at < list.length; at += DIGESTED) {
      const part = list.subarray(at, at + DIGESTED);
      hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      yield;
    }
  return hash.digest('base64url');
}

/** Undefined for parts of arrays, which are not remembered. */
function keyOf(...cells: readonly GeographicCells[]): string | undefined {
  const keys = cells.map(({ coordinate: { variable }, source }) =>
    variable === undefined || sizeOf(variable.shape) !== sizeOf(source.shape) || !isWhole(source)
      ? undefined
      : `${variable.array.cacheKey} ${JSON.stringify(variable.context.attributes, bigints)}`,
  );
  return keys.includes(undefined) ? undefined : keys.join('\n');
}

function isWhole({ inputs }: LazySlice): boolean {
  return inputs.every(
    ({ selection, array }) =>
      selection.kind === 'box' &&
      selection.dims.every(
        (dim, d) =>
          dim.kind === 'range' && dim.step === 1 && dim.start === 0 && dim.count === array.meta.shape[d],
      ),
  );
}

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The numbers of a block of real numbers. Yields between pieces of work. */
function* numbersOf(block: Block): Generator<void, Float64Array, void> {
  const numbers = new Float64Array(sizeOf(block.shape));
  for (const { values, start, count } of floatPieces(block)) {
    numbers.set(values.subarray(0, count), start);
    yield;
  }
  return numbers;
}

/** Maximum number of distances between places and labels of a grid. */
const MAX_DISTANCES = 2 ** 22;

/**
 * In a grid, the nearest column is the same for all rows, but not the nearest row: near the poles, the way across may be
 * shorter.
 */
async function cellsOfGrid(
  rows: GeographicCells,
  columns: GeographicCells,
  places: readonly Place[],
  { coordinates }: LabelScope,
): Promise<Omit<FoundCells, 'coordinates'>> {
  const labels = sizeOf(rows.source.shape) + sizeOf(columns.source.shape);
  const distances = places.length * labels;
  if (places.length > 1 && distances > MAX_DISTANCES)
    throw new LimitError(
      `${places.length} places and ${labels} latitudes and longitudes have ${distances} distances; at most ${MAX_DISTANCES} are computed; select a part first`,
      { excess: [{ limit: 'distances', allowed: MAX_DISTANCES, needed: distances }] },
    );
  const blocks = await Promise.all([rows, columns].map(({ source }) => coordinates.read(source)));
  const [latitudes = new Float64Array(0), longitudes = new Float64Array(0)] = await Promise.all(
    blocks.map((block) => inTurns(numbersOf(block))),
  );
  const found: FoundCell[] = [];
  for (const place of places) {
    // All columns are compared at the equator, where their distances are in the same order.
    const column = await inTurns(nearestOf(longitudes, (longitude) => [[0, longitude], [0, place[1]]])); // prettier-ignore
    const meridian = longitudes[column?.at ?? -1] ?? NaN;
    const row = await inTurns(nearestOf(latitudes, (latitude) => [[latitude, meridian], place]));
    if (row === undefined || column === undefined) throw noCells('"near"');
    const { at, kilometres } = row;
    found.push({ place, positions: [at, column.at], latitude: defined(latitudes[at]), longitude: meridian, kilometres }); // prettier-ignore
  }
  return {
    axes: [...rows.axes, ...columns.axes],
    found,
    known: [rows, columns].map(({ source }, i) => ({ slice: source, block: blocks[i] })),
  };
}

/** Yields every few thousand values. */
function* nearestOf(
  values: Float64Array,
  ends: (value: number) => readonly [Place, Place],
): Generator<void, { readonly at: number; readonly kilometres: number } | undefined, void> {
  let best: { readonly at: number; readonly kilometres: number } | undefined;
  for (let at = 0; at < values.length; at++) {
    if (at % 1024 === 1023) yield;
    const [a, b] = ends(values[at] ?? NaN);
    const kilometres = isPlace(...a) ? kilometresBetween(a, b) : NaN;
    if (kilometres < (best?.kilometres ?? Infinity)) best = { at, kilometres };
  }
  return best;
}

function noCells(purpose: string): SelectionError {
  return new SelectionError(`${purpose}: no cell has a latitude and a longitude`);
}
