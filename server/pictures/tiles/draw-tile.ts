/** Draws a tile from the values of its cells. */
import { defined } from '../../../wire/guards.js';
import {
  type CoarsenMethod,
  coarsenBlocks,
  type DimSelection,
  type LazySlice,
  inTurns,
  sizeOf,
} from '../../zarr/index.js';
import type { ReadParts } from '../../transport/forms/form.js';
import { coloursOf, paintBlock, usedColours } from '../draw-picture.js';
import { MISSING_CODE, type Painting } from '../paint/painting.js';
import { COLOURS } from '../palette.js';
import { pngFile } from '../encode-png.js';
import type { TilePlan } from './plan-tile.js';

/** Positions of the dimensions of the slice. */
export interface TileAxes {
  readonly rowAxis: number;
  readonly columnAxis: number;
}

export type TileMethod = Exclude<CoarsenMethod, 'NEAREST'>;

/** The slices with the values of a tile, one for each run of columns. */
export function slicesOfTile(
  slice: LazySlice,
  { rowFactor, columnFactor, rows, columns }: TilePlan,
  { rowAxis }: TileAxes,
  method: TileMethod,
): readonly LazySlice[] {
  const inOrder = <T>(row: T, column: T): readonly T[] => (rowAxis === 0 ? [row, column] : [column, row]);
  const isWhole = rowFactor === 1 && columnFactor === 1;
  const factors = inOrder(rowFactor, columnFactor).map((factor) => (factor === 1 ? undefined : factor));
  const blocks = isWhole ? slice : coarsenBlocks(slice, factors, method);
  return columns.map((run) => {
    const dims = inOrder(rows, run).map(({ start, count }): DimSelection => ({
      kind: 'slice',
      start,
      stop: start + count,
    }));
    return blocks.select({ kind: 'dims', dims });
  });
}

/** @param slices see `slicesOfTile` */
export async function drawTile(
  slices: readonly LazySlice[],
  plan: TilePlan,
  { rowAxis }: TileAxes,
  painting: Painting,
  pixels: number,
  read: ReadParts,
): Promise<Uint8Array> {
  const isUsed = new Uint8Array(MISSING_CODE + 1);
  const image = new Uint16Array(pixels * pixels).fill(MISSING_CODE);
  for (const [i, slice] of slices.entries()) {
    const run = plan.columns[i];
    if (run === undefined) continue;
    const size = sizeOf(slice.shape);
    const codes = new Uint16Array(size);
    for await (const { block, from } of read(slice, { from: 0, to: size }))
      await paintBlock(block, codes.subarray(from), painting, isUsed);
    const [rowStride, columnStride] = rowAxis === 0 ? [run.count, 1] : [1, plan.rows.count];
    await inTurns(
      plan.cellOf === undefined
        ? place(image, codes, plan.rows.blockOf, run.blockOf, rowStride, columnStride)
        : placeCells(image, codes, plan.cellOf, run.count, rowStride, columnStride),
    );
  }
  if (!coversTile(plan)) isUsed[MISSING_CODE] = 1;
  return encodeTile(image, isUsed, coloursOf(painting), pixels);
}

/** Whether every pixel shows a cell. */
function coversTile({ rows, columns, cellOf }: TilePlan): boolean {
  if (cellOf !== undefined) return !cellOf.includes(-1);
  const isShown = (_: number, x: number): boolean => columns.some(({ blockOf }) => (blockOf[x] ?? -1) >= 0);
  return !rows.blockOf.includes(-1) && (columns[0]?.blockOf.every(isShown) ?? false);
}

function* placeCells(
  image: Uint16Array,
  codes: Uint16Array,
  cellOf: Int32Array,
  columns: number,
  rowStride: number,
  columnStride: number,
): Generator<void, void, void> {
  for (let i = 0; i < cellOf.length; i++) {
    if (i % (STEP * 256) === STEP * 256 - 1) yield;
    const cell = cellOf[i] ?? -1;
    if (cell < 0) continue;
    const at = Math.floor(cell / columns) * rowStride + (cell % columns) * columnStride;
    image[i] = codes[at] ?? MISSING_CODE;
  }
}

/** Number of rows drawn per step. */
const STEP = 64;

function* place(
  image: Uint16Array,
  codes: Uint16Array,
  rowOf: Int32Array,
  columnOf: Int32Array,
  rowStride: number,
  columnStride: number,
): Generator<void, void, void> {
  const pixels = columnOf.length;
  for (let y = 0; y < rowOf.length; y++) {
    const row = rowOf[y] ?? -1;
    if (row < 0) continue;
    for (let x = 0; x < pixels; x++) {
      const column = columnOf[x] ?? -1;
      if (column >= 0) image[y * pixels + x] = codes[row * rowStride + column * columnStride] ?? MISSING_CODE;
    }
    if (y % STEP === STEP - 1) yield;
  }
}

function encodeTile(
  image: Uint16Array,
  isUsed: Uint8Array,
  colours: Uint8Array,
  pixels: number,
): Promise<Uint8Array> {
  const { positions, palette } = usedColours(isUsed, colours);
  const isIndexed = palette.length <= 4 * COLOURS;
  const line = new Uint8Array(pixels * (isIndexed ? 1 : 4));
  return pngFile({
    width: pixels,
    height: pixels,
    palette: isIndexed ? palette : undefined,
    row(y) {
      for (let x = 0; x < pixels; x++) {
        const code = image[y * pixels + x] ?? MISSING_CODE;
        if (isIndexed) line[x] = defined(positions[code]);
        else line.set(colours.subarray(code * 4, code * 4 + 4), x * 4);
      }
      return line;
    },
  });
}

const emptyTiles = new Map<number, Promise<Uint8Array>>();

/** A fully transparent tile. */
export function emptyTile(pixels: number): Promise<Uint8Array> {
  const known = emptyTiles.get(pixels);
  if (known !== undefined) return known;
  const line = new Uint8Array(pixels);
  const tile = pngFile({ width: pixels, height: pixels, palette: new Uint8Array(4), row: () => line });
  emptyTiles.set(pixels, tile);
  return tile;
}
