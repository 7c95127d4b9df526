/** The latitudes and longitudes of a slice, as the grid of its tiles. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { findGeographic, type GeographicAxis } from '../../dataset/geographic.js';
import { decodedLabels } from '../../dataset/slice-coordinate.js';
import { latitudeAxis, longitudeAxis } from '../../pictures/tiles/grid-axis.js';
import { type CellGrid, boundsOfCells, planCells } from '../../pictures/tiles/plan-cells.js';
import { type Grid, planTile, type TileAddress, type TilePlan } from '../../pictures/tiles/plan-tile.js';
import type { TileAxes } from '../../pictures/tiles/draw-tile.js';
import { cellsAlong, type GeographicCells, indexOfCells } from '../../dataset/near/find-cells.js';
import { type Block, inTurns, type LazySlice, SelectionError, toTypedArray } from '../../zarr/index.js';
import type { GatewayContext } from '../context.js';
import type { SliceModel } from '../models.js';
import { operationScope } from '../slices/slice-model.js';

export interface TileGrid extends Grid {
  readonly axes: TileAxes;
  /** Identifies the coordinates. */
  readonly key: string;
  /** The stored arrays of the coordinates, in the store of the slice. */
  readonly paths: readonly string[];
  /** Set for coordinates of two dimensions, of which `latitudes` and `longitudes` are the bounds. */
  readonly cells?: CellGrid;
}

/** Maximum number of cells along each side. */
const MAX_CELLS = 2 ** 21;

/**
 * Caches the grids of recent tiles: coordinates are read and compared for every tile, but not sorted again.
 */
const known = new LRUCache<string, Grid>({
  maxSize: 8 * 2 ** 20,
  sizeCalculation: ({ latitudes, longitudes }) =>
    latitudes.edges.byteLength + longitudes.edges.byteLength + 1,
});

/**
 * @throws SelectionError unless the slice has one dimension of latitudes and one of longitudes; InputError
 * if the coordinates cannot be found; errors from reading them
 */
export async function tileGridOf(model: SliceModel, context: GatewayContext): Promise<TileGrid> {
  const { slice } = model;
  if (slice.shape.length !== 2)
    throw new SelectionError(
      `tiles require a slice of two dimensions, latitudes and longitudes; the slice has the shape [${slice.shape.join(', ')}]; select an index along the other dimensions`,
    );
  const scope = operationScope(model, context);
  const rows = await cellsAlong(slice, 'latitude', '"tiles"', scope);
  const columns = await cellsAlong(slice, 'longitude', '"tiles"', scope);
  if (rows.axes.length === 2 && rows.axes.join() === columns.axes.join())
    return gridOfCells(rows, columns, context);
  const [latitude, longitude] = await Promise.all([
    coordinateOf(model, 'latitude', context),
    coordinateOf(model, 'longitude', context),
  ]);
  const [rowAxis, columnAxis] = [latitude.axis, longitude.axis];
  if (rowAxis === columnAxis)
    throw new SelectionError(
      'tiles require latitudes along one dimension of the slice and longitudes along the other',
    );
  const sides = [latitude.values, longitude.values] as const;
  const expected = [slice.shape[rowAxis], slice.shape[columnAxis]];
  if (sides.some(({ shape }, i) => shape.length !== 1 || shape[0] !== expected[i]))
    throw new SelectionError(
      `tiles require one latitude per row and one longitude per column (${expected.join(' and ')}); ` +
        `the coordinates have the shapes ${sides.map(({ shape }) => `[${shape.join(', ')}]`).join(' and ')}`,
    );
  if (expected.some((length) => (length ?? 0) > MAX_CELLS))
    throw new SelectionError(
      `the slice has ${expected.join(' latitudes and ')} longitudes; tiles support at most ${MAX_CELLS} of each`,
    );
  const blocks = await Promise.all(sides.map((side) => context.budget.lookUp(side, context.signal)));
  const key = keyOf(blocks);
  const [north, east] = blocks;
  const grid = known.get(key) ?? {
    latitudes: latitudeAxis(numbersOf(north)),
    longitudes: longitudeAxis(numbersOf(east)),
  };
  known.set(key, grid);
  const paths = [latitude, longitude].flatMap(({ path }) => path ?? []);
  return { ...grid, axes: { rowAxis, columnAxis }, key, paths };
}

async function gridOfCells(
  rows: GeographicCells,
  columns: GeographicCells,
  context: GatewayContext,
): Promise<TileGrid> {
  const { value } = await indexOfCells(rows, columns, context.datasets.coordinates);
  const [height = 0, width = 0] = rows.source.shape;
  const cells = { ...value, shape: [height, width] as const };
  const bounds = known.get(value.digest) ?? (await inTurns(boundsOfCells(cells)));
  known.set(value.digest, bounds);
  const [rowAxis = 0, columnAxis = 1] = rows.axes;
  const paths = [rows, columns].flatMap(({ coordinate }) => coordinate.variable?.array.path ?? []);
  return { ...bounds, axes: { rowAxis, columnAxis }, key: value.digest, paths, cells };
}

/** Plans of tiles of cells, which take longer to find than to draw. */
const plans = new LRUCache<string, { readonly plan: TilePlan | undefined }>({
  maxSize: 16 * 2 ** 20,
  sizeCalculation: ({ plan }) => 1000 + (plan?.cellOf?.byteLength ?? 0),
});

/** @returns undefined if the tile is outside the grid */
export async function planOfTile(
  grid: TileGrid,
  tile: TileAddress,
  pixels: number,
): Promise<TilePlan | undefined> {
  if (grid.cells === undefined) return planTile(grid, tile, pixels);
  const key = JSON.stringify([grid.key, grid.cells.shape, tile.z, tile.x, tile.y, pixels]);
  const held = plans.get(key) ?? { plan: await inTurns(planCells(grid.cells, tile, pixels)) };
  plans.set(key, held);
  return held.plan;
}

async function coordinateOf(
  model: SliceModel,
  axis: GeographicAxis,
  context: GatewayContext,
): Promise<{ readonly path: string | undefined; readonly axis: number; readonly values: LazySlice }> {
  const { slice } = model;
  const dataset = await operationScope(model, context).dataset();
  const coordinate = findGeographic(slice, dataset, axis, '"tiles"');
  const labels = await coordinate.labels(context.datasets.coordinates);
  const [along, ...others] = coordinate.axes;
  if (labels === undefined || along === undefined || others.length > 0)
    throw new SelectionError(`tiles require ${axis}s of one dimension`);
  return { path: coordinate.variable?.array.path, axis: along, values: decodedLabels(labels) };
}

function numbersOf(block: Block | undefined): ArrayLike<number> {
  const data = block === undefined ? [] : toTypedArray(block);
  if (
    data instanceof Float64Array ||
    data instanceof Float32Array ||
    data instanceof Int8Array ||
    data instanceof Int16Array ||
    data instanceof Int32Array ||
    data instanceof Uint8Array ||
    data instanceof Uint16Array ||
    data instanceof Uint32Array
  )
    return data;
  throw new SelectionError('tiles require numeric latitudes and longitudes');
}

function keyOf(blocks: readonly Block[]): string {
  const hash = createHash('sha256');
  for (const block of blocks) {
    hash.update(`${block.dtype.name} ${block.shape.join(',')}\0`);
    if ('bytes' in block) hash.update(block.bytes);
  }
  return hash.digest('base64url');
}
