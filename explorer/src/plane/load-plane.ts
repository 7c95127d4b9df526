/** Reads the values of a heat map at the resolution of the screen. */
import { toNumbers } from '../array/labels.js';
import type { ArrayModel, Dimension, Level } from '../array/model.js';
import { type Cost, costOf, lazyOf } from '../array/load-model.js';
import type { Recipe } from '../array/recipe.js';
import { recipeOf } from '../array/slice-of-view.js';
import type { DimKey, Method, Span, View } from '../state/view.js';
import { type Plane, transpose } from './paint.js';

export interface PlanePart {
  readonly x: Dimension;
  readonly y: Dimension;
  readonly spanX: Span;
  readonly spanY: Span;
  readonly pixelsX: number;
  readonly pixelsY: number;
}

export interface LoadedPlane extends Plane {
  readonly spanX: Span;
  readonly spanY: Span;
  /** Whether each value is an element of the array, rather than of a block or of a coarser level. */
  readonly isExact: boolean;
  readonly method: Method | undefined;
  /** The level of the image that was read; undefined if the array itself was read. */
  readonly level: Level | undefined;
  readonly key: string;
}

/** Larger reads, in decoded bytes, require the user's confirmation. */
const MAX_AUTOMATIC_BYTES = 2 ** 31;
/** Above this size in bytes of the selected values, blocks are sampled unless the user confirmed or set a method. */
const MAX_AVERAGED_BYTES = 2 ** 29;

/** Thrown for a read that the user must confirm. */
export class LargeReadError extends Error {
  override readonly name = 'LargeReadError';
  constructor(readonly cost: Cost) {
    super(`This picture requires reading ${cost.chunks} chunks.`);
  }
}

export function planeKey(
  model: ArrayModel,
  view: View,
  part: PlanePart,
  version: number,
  isAgreed: boolean,
): string {
  const { spanX, spanY, pixelsX, pixelsY, x, y } = part;
  const fixed = model.dimensions.map(({ key }) =>
    key === x.key || key === y.key ? '' : (view.over[key] ?? view.at[key] ?? 0),
  );
  return JSON.stringify([
    model.store,
    model.path,
    view.field,
    x.key,
    y.key,
    spanX,
    spanY,
    pixelsX,
    pixelsY,
    fixed,
    view.method,
    version,
    isAgreed,
  ]);
}

/** @throws LargeReadError for a large read unless `isAgreed`; TypeError for values without colours; ZarrqlError */
export async function loadPlane(
  model: ArrayModel,
  view: View,
  part: PlanePart,
  key: string,
  isAgreed: boolean,
  signal: AbortSignal,
): Promise<LoadedPlane> {
  const level = levelFor(model, part);
  let recipe = planeRecipe(model, view, part, level);
  if (selectedBytes(model, recipe) > MAX_AVERAGED_BYTES && !isAgreed) {
    if (view.method === undefined && recipe.coarsen !== undefined)
      recipe = { ...recipe, coarsen: { ...recipe.coarsen, method: 'NEAREST' } };
    const cost = await costOf(recipe, signal);
    if (!cost.isAllowed || cost.bytes > MAX_AUTOMATIC_BYTES) throw new LargeReadError(cost);
  }
  const array = await lazyOf(recipe).read({ signal, coordinates: false });
  const values = toNumbers(array);
  if (values === undefined)
    throw new TypeError(`values of type ${array.dtype} cannot be drawn in colours; see the table`);
  const [rows = 1, columns = 1] = array.shape;
  const stored = { values, rows, columns };
  const isTransposed = positionIn(model, part.x) < positionIn(model, part.y);
  const { spanX, spanY } = part;
  return {
    ...(isTransposed ? transpose(stored) : stored),
    spanX,
    spanY,
    isExact: recipe.coarsen === undefined && level === undefined,
    method: recipe.coarsen?.method,
    level,
    key,
  };
}

function positionIn({ dimensions }: ArrayModel, { key }: Dimension): number {
  return dimensions.findIndex((dim) => dim.key === key);
}

/** The coarsest level with at least 0.75 values per pixel along each axis; undefined for the array itself. */
export function levelFor(model: ArrayModel, part: PlanePart): Level | undefined {
  const [px, py] = [positionIn(model, part.x), positionIn(model, part.y)];
  const { shape } = model.info;
  const factor = (level: Level, at: number) => (level.shape[at] ?? 0) / (shape[at] ?? 1);
  const enough = model.levels.filter(
    (level) =>
      level.shape.length === shape.length &&
      // Other dimensions keep their positions.
      level.shape.every((size, at) => at === px || at === py || size === shape[at]) &&
      factor(level, px) <= 1 &&
      factor(level, py) <= 1 &&
      (part.spanX[1] - part.spanX[0]) * factor(level, px) >= part.pixelsX * 0.75 &&
      (part.spanY[1] - part.spanY[0]) * factor(level, py) >= part.pixelsY * 0.75,
  );
  const best = enough.at(-1);
  return best === undefined || best.path === model.path ? undefined : best;
}

function planeRecipe(model: ArrayModel, view: View, part: PlanePart, level: Level | undefined): Recipe {
  const coarsen: Record<DimKey, number> = {};
  const picks = Object.fromEntries(
    (
      [
        ['x', part.x, part.spanX, part.pixelsX],
        ['y', part.y, part.spanY, part.pixelsY],
      ] as const
    ).map(([, dim, span, pixels]) => {
      const at = positionIn(model, dim);
      const size = level?.shape[at] ?? dim.size;
      const [start, stop] = scaleSpan(span, dim.size, size);
      if (stop - start > pixels) coarsen[dim.key] = pixels;
      return [dim.key, start === 0 && stop === size ? 'all' : { span: [start, stop] as const }] as const;
    }),
  );
  const recipe = recipeOf(model, view, picks);
  return {
    ...recipe,
    ...(level === undefined ? {} : { path: level.path, decode: false }),
    coarsen: Object.keys(coarsen).length === 0 ? undefined : { to: coarsen, method: view.method },
  };
}

/** Converts a span to a level of another size. */
function scaleSpan([start, stop]: Span, size: number, other: number): Span {
  if (size === other) return [start, stop];
  const first = Math.min(other - 1, Math.floor((start / size) * other));
  return [first, Math.min(other, Math.max(first + 1, Math.ceil((stop / size) * other)))];
}

/** Size of the selected values in bytes, excluding the rest of their chunks. */
function selectedBytes({ info, dimensions }: ArrayModel, { dims }: Recipe): number {
  return dims.reduce((product, { pick }, d) => {
    const size = dimensions[d]?.size ?? 1;
    return product * (pick === 'all' ? size : 'index' in pick ? 1 : pick.span[1] - pick.span[0]);
  }, info.dtype.itemSize ?? 16);
}
