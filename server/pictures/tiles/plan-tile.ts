/**
 * Plans the values of a tile. Each pixel shows the cell that contains its centre; if a pixel covers several cells,
 * it shows a reduction of a block of cells of the same size: the mean or the most frequent value. Pure. Tiles of
 * Web Mercator (EPSG:3857) in the XYZ scheme: row 0 is in the north.
 */
import { defined } from '../../../wire/guards.js';
import { cellOfLatitude, cellOfLongitude, type GridAxis, spacingOf } from './grid-axis.js';

export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export const MAX_ZOOM = 24;

/** Number of pixels along each side of a tile. */
export const TILE_SIZE = 256;

/** Latitude of the upper edge of the topmost tiles. */
export const MAX_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/** Whether the tile exists. */
export function isTile({ z, x, y }: TileAddress): boolean {
  return z <= MAX_ZOOM && x < 2 ** z && y < 2 ** z;
}

/** The longitudes of the centres of the pixel columns, from west to east, in degrees from -180 to 180. */
export function longitudesOf({ z, x }: TileAddress, pixels: number): Float64Array {
  return Float64Array.from({ length: pixels }, (_, i) => ((x + (i + 0.5) / pixels) / 2 ** z) * 360 - 180);
}

/** The latitudes of the centres of the pixel rows, from north to south. */
export function latitudesOf({ z, y }: TileAddress, pixels: number): Float64Array {
  return Float64Array.from({ length: pixels }, (_, j) => latitudeAt((y + (j + 0.5) / pixels) / 2 ** z));
}

/** @param share fraction of the way from the northern to the southern edge of the world */
function latitudeAt(share: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * share))) * 180) / Math.PI;
}

/** Degrees of longitude per pixel, and of latitude at the equator. */
export function degreesPerPixel(z: number, pixels: number): number {
  return 360 / (pixels * 2 ** z);
}

export interface Grid {
  readonly latitudes: GridAxis;
  readonly longitudes: GridAxis;
}

/** A run of pixels along one side that show consecutive blocks. */
interface PixelRun {
  /** Index of the first block of the run, and the number of its blocks. */
  readonly start: number;
  readonly count: number;
  /**
   * For each pixel of the tile, the index of its block relative to `start`; -1 if it shows no block of this
   * run.
   */
  readonly blockOf: Int32Array;
}

export interface TilePlan {
  /** Number of cells per block along latitudes and longitudes; blocks start at the first cell. */
  readonly rowFactor: number;
  readonly columnFactor: number;
  readonly rows: PixelRun;
  /** Two runs if the tile crosses the ends of the longitude coordinate. */
  readonly columns: readonly PixelRun[];
  /** For each pixel, its block in C order of rows and columns, or -1; set if rows and columns do not determine it. */
  readonly cellOf?: Int32Array;
}

/** @returns undefined if the tile is outside the grid */
export function planTile(
  { latitudes, longitudes }: Grid,
  tile: TileAddress,
  pixels: number,
): TilePlan | undefined {
  const rowCells = Int32Array.from(latitudesOf(tile, pixels), (value) => cellOfLatitude(latitudes, value));
  const columnCells = Int32Array.from(longitudesOf(tile, pixels), (value) =>
    cellOfLongitude(longitudes, value),
  );
  const degrees = degreesPerPixel(tile.z, pixels);
  const centre = latitudeAt((tile.y + 0.5) / 2 ** tile.z);
  const perRow = (degrees * Math.cos((centre * Math.PI) / 180)) / spacingOf(latitudes);
  const rowFactor = factorOf(perRow, rowCells, pixels);
  const columnFactor = factorOf(degrees / spacingOf(longitudes), columnCells, pixels);
  const [rows] = runsOf(rowCells, rowFactor, !latitudes.isReversed);
  const columns = runsOf(columnCells, columnFactor, longitudes.isReversed);
  if (rows === undefined || columns.length === 0) return undefined;
  return { rowFactor, columnFactor, rows, columns };
}

/**
 * The number of cells per block. With unequal spacing, a tile must not read many more blocks than it has
 * pixels.
 */
function factorOf(cellsPerPixel: number, cells: Int32Array, pixels: number): number {
  const shown = cells.filter((cell) => cell >= 0);
  if (shown.length === 0) return 1;
  const [first = 0, last = 0] = [shown[0], shown.at(-1)];
  // Beyond an end of the longitudes, cell numbers continue at the other end.
  const span = isMonotonic(shown) ? Math.abs(last - first) + 1 : 0;
  return Math.max(1, Math.floor(cellsPerPixel), Math.ceil(span / (2 * pixels)));
}

function isMonotonic(cells: Int32Array): boolean {
  const isFalling = defined(cells.at(-1)) < defined(cells[0]);
  return cells.every((cell, i) => {
    const step = cell - (cells[i - 1] ?? cell);
    return isFalling ? step <= 0 : step >= 0;
  });
}

/** @param isFalling whether cells are expected in descending order; a step in the other direction starts a new run */
function runsOf(cells: Int32Array, factor: number, isFalling: boolean): PixelRun[] {
  const runs: { from: number; to: number; pixels: number[] }[] = [];
  let before: number | undefined;
  cells.forEach((cell, pixel) => {
    if (cell < 0) return;
    const block = Math.floor(cell / factor);
    const step = block - (before ?? block);
    before = block;
    let run = runs.at(-1);
    if (run === undefined || (isFalling ? step > 0 : step < 0)) {
      run = { from: block, to: block, pixels: [] };
      runs.push(run);
    }
    run.from = Math.min(run.from, block);
    run.to = Math.max(run.to, block);
    run.pixels.push(pixel);
  });
  return runs.map(({ from, to, pixels }) => {
    const blockOf = new Int32Array(cells.length).fill(-1);
    for (const pixel of pixels) blockOf[pixel] = Math.floor(defined(cells[pixel]) / factor) - from;
    return { start: from, count: to - from + 1, blockOf };
  });
}
