/**
 * Plans the values of a tile of cells whose latitudes and longitudes have two dimensions: each pixel shows the nearest cell,
 * unless it is farther from its centre than half the way to its neighbours. Pure.
 */
import { defined } from '../../../wire/guards.js';
import { isPlace, kilometresBetween, type SphereIndex } from '../../zarr/index.js';
import { type GridAxis } from './grid-axis.js';
import { type TileAddress, type TilePlan, latitudesOf, longitudesOf } from './plan-tile.js';

/** The cells of a slice in C order of its coordinates. */
export interface CellGrid {
  readonly index: SphereIndex;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Number of rows and columns. */
  readonly shape: readonly [rows: number, columns: number];
  /** For each cell, the distance up to which it is shown, in kilometres; NaN before it is needed. */
  readonly reach: Float32Array;
}

/** Cells reach slightly farther, because they are no exact rectangles. */
const MARGIN = 1.05;

/** @returns undefined if the tile shows no cell. Yields after each row of pixels */
export function* planCells(
  grid: CellGrid,
  tile: TileAddress,
  pixels: number,
): Generator<void, TilePlan | undefined, void> {
  const [latitudes, longitudes] = [latitudesOf(tile, pixels), longitudesOf(tile, pixels)];
  const [, width] = grid.shape;
  const cellOf = new Int32Array(pixels * pixels).fill(-1);
  let [top, bottom, left, right] = [Infinity, -1, Infinity, -1];
  for (const [y, latitude] of latitudes.entries()) {
    yield;
    for (const [x, longitude] of longitudes.entries()) {
      if (x % 64 === 63) yield;
      const found = grid.index.nearest(latitude, longitude);
      if (found === undefined || !(found.kilometres <= reachOf(grid, found.position))) continue;
      cellOf[y * pixels + x] = found.position;
      const [row, column] = [Math.floor(found.position / width), found.position % width];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
      [left, right] = [Math.min(left, column), Math.max(right, column)];
    }
  }
  if (bottom < 0) return undefined;
  const rowFactor = factorOf(bottom - top + 1, pixels);
  const columnFactor = factorOf(right - left + 1, pixels);
  const rows = blocksOf(top, bottom, rowFactor, pixels);
  const columns = blocksOf(left, right, columnFactor, pixels);
  for (const [i, cell] of cellOf.entries()) {
    if (i % 4096 === 4095) yield;
    if (cell < 0) continue;
    const row = Math.floor(Math.floor(cell / width) / rowFactor) - rows.start;
    cellOf[i] = row * columns.count + Math.floor((cell % width) / columnFactor) - columns.start;
  }
  return { rowFactor, columnFactor, rows, columns: [columns], cellOf };
}

/** A tile does not read more than twice as many blocks as it has pixels along a side. */
function factorOf(cells: number, pixels: number): number {
  return Math.max(1, Math.floor(cells / (2 * pixels)));
}

function blocksOf(first: number, last: number, factor: number, pixels: number): TilePlan['rows'] {
  const start = Math.floor(first / factor);
  return { start, count: Math.floor(last / factor) - start + 1, blockOf: new Int32Array(pixels).fill(-1) };
}

/** Half the distance to the farthest of the eight neighbours. */
function reachOf({ latitudes, longitudes, shape: [rows, columns], reach }: CellGrid, cell: number): number {
  const known = defined(reach[cell]);
  if (!Number.isNaN(known)) return known;
  const [row, column] = [Math.floor(cell / columns), cell % columns];
  const centre = [defined(latitudes[cell]), defined(longitudes[cell])] as const;
  let farthest = 0;
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++)
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++) {
      const other = [defined(latitudes[r * columns + c]), defined(longitudes[r * columns + c])] as const;
      if (isPlace(...other)) farthest = Math.max(farthest, kilometresBetween(centre, other));
    }
  reach[cell] = (MARGIN * farthest) / 2;
  return defined(reach[cell]);
}

/** Axes with the bounds and the mean spacing of the cells, for the description of the tiles. Yields every few cells. */
export function* boundsOfCells({
  latitudes,
  longitudes,
  shape: [rows, columns],
}: CellGrid): Generator<void, { readonly latitudes: GridAxis; readonly longitudes: GridAxis }, void> {
  let [south, north, west, east] = [90, -90, Infinity, -Infinity];
  for (const [i, latitude] of latitudes.entries()) {
    if (i % 4096 === 4095) yield;
    const longitude = defined(longitudes[i]);
    if (!isPlace(latitude, longitude)) continue;
    const turned = longitude - 360 * Math.floor((longitude + 180) / 360);
    [south, north] = [Math.min(south, latitude), Math.max(north, latitude)];
    [west, east] = [Math.min(west, turned), Math.max(east, turned)];
  }
  const isWide = !(east - west <= 180);
  return {
    latitudes: evenAxis(south, north, rows),
    longitudes: isWide ? evenAxis(-180, 180, columns) : evenAxis(west, east, columns),
  };
}

function evenAxis(from: number, to: number, cells: number): GridAxis {
  const length = Math.max(1, cells);
  const width = Math.max(to - from, 1e-6);
  return { length, edges: Float64Array.from({ length: length + 1 }, (_, i) => from + (width * i) / length), isReversed: false }; // prettier-ignore
}
