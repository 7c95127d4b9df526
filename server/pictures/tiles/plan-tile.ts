/**
 * Plans the values of a tile. Each pixel shows the cell that contains its centre; if a pixel covers several
 * cells, it shows the mean of a block of cells of the same size. Pure.
 */
import { cellOfLatitude, cellOfLongitude, type GridAxis, spacingOf } from './grid-axis.js';
import { degreesPerPixel, latitudeAt, latitudesOf, longitudesOf, type TileAddress } from './mercator.js';

export interface Grid {
  readonly latitudes: GridAxis;
  readonly longitudes: GridAxis;
}

/** A run of pixels along one side that show consecutive blocks. */
export interface PixelRun {
  /** The first block, and the number of blocks. */
  readonly start: number;
  readonly count: number;
  /** For each pixel of the tile, its block counted from `start`; -1 if it shows no block of this run. */
  readonly blockOf: Int32Array;
}

export interface TilePlan {
  /** Cells per block along latitudes and longitudes; blocks start at the first cell. */
  readonly rowFactor: number;
  readonly columnFactor: number;
  readonly rows: PixelRun;
  /** Two runs if the tile crosses the seam of the longitudes. */
  readonly columns: readonly PixelRun[];
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

/** With unequal spacing, a tile must not read many more blocks than it has pixels. */
function factorOf(cellsPerPixel: number, cells: Int32Array, pixels: number): number {
  const shown = cells.filter((cell) => cell >= 0);
  if (shown.length === 0) return 1;
  const [first = 0, last = 0] = [shown[0], shown.at(-1)];
  // Beyond the seam, cell numbers continue at the other end.
  const span = isMonotonic(shown) ? Math.abs(last - first) + 1 : 0;
  return Math.max(1, Math.floor(cellsPerPixel), Math.ceil(span / (2 * pixels)));
}

function isMonotonic(cells: Int32Array): boolean {
  const isFalling = (cells.at(-1) ?? 0) < (cells[0] ?? 0);
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
    for (const pixel of pixels) blockOf[pixel] = Math.floor((cells[pixel] ?? 0) / factor) - from;
    return { start: from, count: to - from + 1, blockOf };
  });
}
