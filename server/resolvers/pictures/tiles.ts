/**
 * The fields `Slice.tiles` and `TileSet`. They only create links; the gateway draws when a tile is requested.
 */
import { choosePainting } from '../../pictures/choose-painting.js';
import { categoriesOf } from '../../pictures/subject.js';
import { parseMultiscales } from '../../dataset/multiscales.js';
import { spacingOf } from '../../pictures/tiles/grid-axis.js';
import { MAX_LEVELS, type TileLevel, type TileStyle } from '../../pictures/tiles/tile-claims.js';
import { isZarrError } from '../../zarr/index.js';
import { statisticsOfSlice } from '../analysis/statistics.js';
import { readablePaths } from '../access/link-rights.js';
import type { GatewayContext } from '../context.js';
import type { SliceTilesArgs, TileSetResolvers } from '../generated/types.js';
import { tilesPathOf } from '../links/href.js';
import { isGroupModel, type SliceModel } from '../models.js';
import { parentPath } from '../nodes/node-loader.js';
import { sliceFromRecipe } from '../slices/slice-model.js';
import { colourMapOf, rangeQuantiles, subjectOf } from './picture.js';
import type { TileSetModel } from './picture-model.js';
import { type TileGrid, tileGridOf } from './tile-grid.js';

/** @throws SelectionError, InputError or UnsupportedError for slices that cannot be drawn as tiles */
export async function tilesOfSlice(
  model: SliceModel,
  { range, colorMap, scale }: SliceTilesArgs,
  context: GatewayContext,
): Promise<TileSetModel> {
  const grid = await tileGridOf(model, context);
  let path: Promise<string> | undefined;
  const make = async (scope: GatewayContext): Promise<string> => {
    const subject = subjectOf(model);
    const colours = { range: range ?? undefined, colourMap: colourMapOf(colorMap), scale };
    const painting = await choosePainting(subject, colours, undefined, () =>
      statisticsOfSlice(model).quantiles(rangeQuantiles, scope),
    );
    const isDiscrete = painting.kind === 'categories' || model.slice.dtype.name === 'bool';
    const own: TileLevel = {
      path: model.recipe.path,
      degrees: spacingOf(grid.longitudes),
      ...inputsOf(model, grid, scope),
    };
    const style: TileStyle = {
      painting,
      method: isDiscrete || categoriesOf(subject) !== undefined ? 'MODE' : 'MEAN',
      levels: [own, ...(await coarserLevels(model, own, scope))],
    };
    return tilesPathOf(model, style, scope);
  };
  return { path: (scope) => (path ??= make(scope)) };
}

/**
 * The arrays that the link grants access to: those of the slice, and of its coordinates that the caller may
 * read.
 * @throws ForbiddenError if the caller may not read an array of the slice
 */
function inputsOf(model: SliceModel, grid: TileGrid, { rights }: GatewayContext): Pick<TileLevel, 'inputs'> {
  const mayRead = (path: string): boolean => rights.mayRead(model.store.name, path);
  return { inputs: [...new Set([...readablePaths(model, mayRead), ...grid.paths.filter(mayRead)])] };
}

/** Applies the operations of the slice to the coarser levels of the array's pyramid, where possible. */
async function coarserLevels(
  model: SliceModel,
  own: TileLevel,
  context: GatewayContext,
): Promise<readonly TileLevel[]> {
  if (!coversWhole(model)) return [];
  const levels: TileLevel[] = [];
  for (const path of await siblingsOf(model, context)) {
    try {
      const level = await sliceFromRecipe({ ...model.recipe, path }, context);
      if (!coversWhole(level) || level.slice.dtype.name !== model.slice.dtype.name) continue;
      const grid = await tileGridOf(level, context);
      const degrees = spacingOf(grid.longitudes);
      if (degrees > own.degrees) levels.push({ path, degrees, ...inputsOf(level, grid, context) });
    } catch (error) {
      // Skips levels that cannot be read.
      if (!isZarrError(error)) throw error;
    }
  }
  return levels.toSorted((a, b) => a.degrees - b.degrees);
}

/** Whether all latitudes and longitudes are selected. Otherwise other levels would cover a different area. */
function coversWhole({ slice: { origin } }: SliceModel): boolean {
  const { selection, shape, coarsened } = origin;
  if (selection.kind === 'points' || coarsened !== undefined) return false;
  return selection.dims.every(
    (dim, d) => dim.dropped || (dim.kind === 'range' && dim.step === 1 && dim.count === shape[d]),
  );
}

/** Paths of the arrays that hold the same variable in other levels. */
async function siblingsOf(
  { store, recipe: { path } }: SliceModel,
  { nodes }: GatewayContext,
): Promise<readonly string[]> {
  const name = path.slice(path.lastIndexOf('/'));
  const parent = parentPath(path);
  for (const above of [parent, parent === undefined ? undefined : parentPath(parent)]) {
    const group = above === undefined ? undefined : await nodes.find(store, above);
    if (group === undefined || !isGroupModel(group)) continue;
    for (const { levels } of pyramidsOf(group.node)) {
      const paths = levels.map((level) => level.path).slice(0, MAX_LEVELS);
      if (paths.includes(path)) return paths.filter((other) => other !== path);
      if (parent !== undefined && paths.includes(parent))
        return paths.filter((other) => other !== parent).map((other) => `${other}${name}`);
    }
  }
  return [];
}

/** Ignores invalid pyramid metadata. */
function pyramidsOf(group: Parameters<typeof parseMultiscales>[0]): ReturnType<typeof parseMultiscales> {
  try {
    return parseMultiscales(group);
  } catch (error) {
    if (isZarrError(error)) return [];
    throw error;
  }
}

export const tileSetResolvers: TileSetResolvers = {
  json: async (model, _, context) => `${await model.path(context)}tile.json`,
  template: async (model, _, context) => `${await model.path(context)}{z}/{x}/{y}.png`,
};
