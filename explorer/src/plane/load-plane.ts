/** Reads the values of a heat map at the resolution of the screen. */
import { toNumbers } from '../array/labels.js';
import type { ArrayModel, Dimension, Level } from '../array/model.js';
import { type Cost, costOf, lazyOf } from '../array/read-recipe.js';
import type { Recipe } from '../array/recipe.js';
import { channelsOf, recipeOf } from '../array/slice-of-view.js';
import type { DimKey, Method, Span, View } from '../state/view.js';
import { type Numbers, type Plane, planeOf } from './paint.js';
import { zoom } from './viewport.js';

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

/** Larger reads, in bytes to decode or to reduce, require the user's confirmation. */
const MAX_AUTOMATIC_BYTES = 4 * 2 ** 30;
/** Above this size in bytes of the selected values, blocks are sampled unless the user confirmed or set a method. */
const MAX_AVERAGED_BYTES = 2 ** 29;

/** A way to read a large plane, which the user can confirm. */
export interface Choice {
  /** Undefined for the mean. */
  readonly method: Method | undefined;
  readonly cost: Cost;
}

/** Thrown for a read that the user must confirm. */
export class LargeReadError extends Error {
  override readonly name = 'LargeReadError';
  /**
   * @param choices the reads within the limits of the gateway
   * @param exceeded the limits that other reads would exceed
   */
  constructor(
    readonly choices: readonly Choice[],
    readonly exceeded: readonly string[],
  ) {
    super('This picture requires a large read.');
  }
}

/** A choice of the user: the reduction of blocks of a large plane. */
export interface Agreed {
  readonly key: string;
  readonly method: Method | undefined;
}

export function planeKey(model: ArrayModel, view: View, part: PlanePart, version: number): string {
  const { spanX, spanY, pixelsX, pixelsY, x, y } = part;
  const fixed = model.dimensions.map(({ key }) =>
    key === x.key || key === y.key ? '' : (view.over[key] ?? view.at[key] ?? 0),
  );
  const { method, rgb, part: complexPart, minus } = view;
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
    method,
    rgb,
    complexPart,
    minus,
    version,
  ]);
}

/**
 * @param agreed the method that the user has chosen for this key
 * @throws LargeReadError for a large read that the user must confirm; TypeError for values without colours; ZarrqlError
 */
export async function loadPlane(
  model: ArrayModel,
  view: View,
  part: PlanePart,
  key: string,
  agreed: Agreed | undefined,
  signal: AbortSignal,
): Promise<LoadedPlane> {
  const { minus } = view;
  if (minus === undefined) return loadValues(model, view, part, key, agreed, signal);
  const other = { ...view, minus: undefined, at: { ...view.at, ...minus.at } };
  const [from, subtracted] = await Promise.all([
    loadValues(model, view, part, key, agreed, signal),
    loadValues(
      { ...model, store: minus.store ?? model.store, path: minus.path, levels: [] },
      other,
      part,
      key,
      agreed,
      signal,
    ),
  ]);
  return difference(from, subtracted);
}

/** @throws TypeError for planes of different sizes */
function difference(from: LoadedPlane, subtracted: LoadedPlane): LoadedPlane {
  if (from.rows !== subtracted.rows || from.columns !== subtracted.columns)
    throw new TypeError('the two arrays have different shapes, so that their difference cannot be drawn');
  const values = Float64Array.from(from.values, (value, i) => value - (subtracted.values[i] ?? Number.NaN));
  return { ...from, values, channels: undefined };
}

async function loadValues(
  model: ArrayModel,
  view: View,
  part: PlanePart,
  key: string,
  agreed: Agreed | undefined,
  signal: AbortSignal,
): Promise<LoadedPlane> {
  const level = levelFor(model, part);
  const recipe = await affordable(model, planeRecipe(model, view, part, level), view, agreed, signal);
  const array = await lazyOf(recipe).read({ signal, coordinates: false });
  const values = toNumbers(array, view.part);
  if (values === undefined)
    throw new TypeError(`values of type ${array.dtype} cannot be drawn in colours; see the table`);
  const { spanX, spanY, x, y } = part;
  // The dimensions of the result, in the order of the array.
  const keys = recipe.dims.flatMap(({ key: dim, pick }) =>
    (pick !== 'all' && 'index' in pick) || view.over[dim] !== undefined ? [] : [dim],
  );
  const axes = { row: keys.indexOf(y.key), column: keys.indexOf(x.key) };
  const channels = channelsOf(model, view);
  const planes = Array.from({ length: channels?.size ?? 1 }, (_, c) => planeOf(values, array.shape, axes, c));
  const [first = new Float32Array(0)] = planes;
  return {
    values: channels === undefined ? first : joined(planes.slice(0, 3)),
    channels: channels === undefined ? undefined : planes,
    rows: array.shape[axes.row] ?? 1,
    columns: array.shape[axes.column] ?? 1,
    spanX,
    spanY,
    isExact: recipe.coarsen === undefined && level === undefined,
    method: recipe.coarsen?.method,
    level,
    key,
  };
}

function joined(planes: readonly Numbers[]): Numbers {
  const length = planes.reduce((sum, plane) => sum + plane.length, 0);
  const all = planes[0] instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  let at = 0;
  for (const plane of planes) {
    all.set(plane, at);
    at += plane.length;
  }
  return all;
}

/**
 * The recipe, with the reduction of blocks that can be read without asking. A large plane is sampled. If that would
 * decode too much, its blocks are averaged, which the gateway does without keeping the decoded chunks.
 * @throws LargeReadError
 */
async function affordable(
  model: ArrayModel,
  recipe: Recipe,
  view: View,
  agreed: Agreed | undefined,
  signal: AbortSignal,
): Promise<Recipe> {
  const { coarsen } = recipe;
  if (coarsen === undefined || selectedBytes(model, recipe) <= MAX_AVERAGED_BYTES) return recipe;
  if (agreed !== undefined) return { ...recipe, coarsen: { ...coarsen, method: agreed.method } };
  const choices: Choice[] = [];
  let exceeded: readonly string[] = [];
  for (const method of view.method === undefined ? (['NEAREST', undefined] as const) : [view.method]) {
    const tried = { ...recipe, coarsen: { ...coarsen, method } };
    const cost = await costOf(tried, signal);
    if (cost.isAllowed && cost.bytes <= MAX_AUTOMATIC_BYTES) return tried;
    if (cost.isAllowed) choices.push({ method, cost });
    else ({ exceeded } = cost);
  }
  throw new LargeReadError(choices, exceeded);
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

/** Visible parts around the middle of those of `part`, of few enough values to be read without asking. */
export function middleOf(
  model: ArrayModel,
  view: View,
  part: PlanePart,
): { readonly spanX: Span; readonly spanY: Span } {
  const bytes = selectedBytes(model, planeRecipe(model, view, part, undefined));
  const factor = Math.sqrt(MAX_AVERAGED_BYTES / 2 / Math.max(1, bytes));
  return {
    spanX: zoom(part.spanX, part.x.size, Math.min(1, factor), 0.5),
    spanY: zoom(part.spanY, part.y.size, Math.min(1, factor), 0.5),
  };
}

/** Size of the selected values in bytes, excluding the rest of their chunks. */
function selectedBytes({ info, dimensions }: ArrayModel, { dims }: Recipe): number {
  return dims.reduce((product, { pick }, d) => {
    const size = dimensions[d]?.size ?? 1;
    return product * (pick === 'all' ? size : 'index' in pick ? 1 : pick.span[1] - pick.span[0]);
  }, info.dtype.itemSize ?? 16);
}
