/** The recipes for the picture, line, value and table of a view. */
import type { ArrayModel, Dimension } from './model.js';
import type { Pick, Recipe } from './recipe.js';
import type { DimKey, OverReduction, Span, View } from '../state/view.js';

/** The axes of the view; defaults if its x-axis is unset, unknown or reduced. */
export interface Axes {
  readonly x: Dimension | undefined;
  readonly y: Dimension | undefined;
}

export function axesOf(model: ArrayModel, view: View): Axes {
  const { dimensions } = model;
  const rgb = channelKey(model, view);
  const free = dimensions.filter(({ key }) => view.over[key] === undefined && key !== rgb);
  const find = (key: DimKey | undefined) => free.find((dim) => dim.key === key);
  const x = find(view.x);
  if (x !== undefined) return { x, y: view.y === view.x ? undefined : find(view.y) };
  const longitude = free.find(({ role }) => role === 'longitude');
  const latitude = free.find(({ role }) => role === 'latitude');
  if (longitude !== undefined && latitude !== undefined) return { x: longitude, y: latitude };
  const long = free.filter(({ size }) => size > 1);
  // The last two dimensions, if possible of more than one position.
  const [last, before] = [...(long.length > 0 ? long : free)].reverse();
  return { x: last, y: before };
}

/** Whether the positions of a dimension can be the channels of a colour: red, green, blue and, optionally, opacity. */
export function canBeChannels({ size }: Dimension): boolean {
  return size === 3 || size === 4;
}

/** The dimension whose positions are the channels of the picture. Undefined without a picture in natural colours. */
export function channelsOf(model: ArrayModel, view: View): Dimension | undefined {
  const rgb = channelKey(model, view);
  if (rgb === undefined || axesOf(model, view).y === undefined) return undefined;
  return model.dimensions.find((dim) => dim.key === rgb && canBeChannels(dim));
}

/** The chosen dimension; by default the last one of an array that looks like an image, until axes are chosen. */
function channelKey({ dimensions, info }: ArrayModel, view: View): DimKey | undefined {
  if (view.rgb !== undefined) return view.rgb;
  const last = dimensions.at(-1);
  const isImage = info.dtype.name === 'uint8' && dimensions.length > 2 && last !== undefined;
  if (!isImage || view.x !== undefined || !canBeChannels(last)) return undefined;
  return view.over[last.key] === undefined && view.at[last.key] === undefined ? last.key : undefined;
}

/** The displayed field of a struct. */
export function fieldOf({ info }: ArrayModel, { field }: View) {
  return field === undefined ? undefined : info.fields?.find(({ name }) => name === field);
}

/** Data type of the displayed values. */
export function dtypeOf(model: ArrayModel, view: View): string {
  return fieldOf(model, view)?.dtype.name ?? model.variable?.dtype.name ?? model.info.dtype.name;
}

const withoutNumbers = new Set([
  'string',
  'fixed_length_utf32',
  'null_terminated_bytes',
  'variable_length_bytes',
  'struct',
  'raw_bits',
  'raw_bytes',
  'json',
  'ragged',
]);

/** Whether the values can be drawn as a picture or a line. */
export function hasNumbers(model: ArrayModel, view: View): boolean {
  return !withoutNumbers.has(dtypeOf(model, view)) && (fieldOf(model, view)?.shape.length ?? 0) === 0;
}

export function indexAt(view: View, { key, size }: Dimension): number {
  return Math.min(view.at[key] ?? 0, Math.max(0, size - 1));
}

/** Groups dimensions by their reduction, in the order of the array. */
function reductionsOf({ dimensions }: ArrayModel, view: View): Recipe['reductions'] {
  const groups = new Map<OverReduction, DimKey[]>();
  for (const { key } of dimensions) {
    const by = view.over[key];
    if (by !== undefined) groups.set(by, [...(groups.get(by) ?? []), key]);
  }
  return [...groups].map(([by, over]) => ({ by, over }));
}

/** @param picks selected positions along the axes; every other dimension is indexed or reduced */
export function recipeOf(model: ArrayModel, view: View, picks: Readonly<Record<DimKey, Pick>>): Recipe {
  const { store, path, dimensions, variable } = model;
  const field = fieldOf(model, view)?.name;
  const channels = channelsOf(model, view);
  return {
    store,
    path,
    // Fields are not decoded.
    decode: variable !== undefined && field === undefined,
    areNamed: dimensions.every(({ key, name }) => key === name),
    dims: dimensions.map((dim) => ({
      key: dim.key,
      pick:
        picks[dim.key] ??
        (view.over[dim.key] === undefined && dim.key !== channels?.key
          ? { index: indexAt(view, dim) }
          : 'all'),
    })),
    reductions: reductionsOf(model, view),
    coarsen: undefined,
    field,
  };
}

/** The visible part of an axis. */
export function spanOf(view: View, { key, size }: Dimension): Span {
  const [start, stop] = view.span[key] ?? [0, size];
  const first = Math.min(Math.max(0, start), Math.max(0, size - 1));
  return [first, Math.max(Math.min(stop, size), Math.min(first + 1, size))];
}

function pickOf(span: Span, size: number): Pick {
  return span[0] === 0 && span[1] === size ? 'all' : { span };
}

/** The visible part at full resolution, for links, code and tables. */
export function shownRecipe(model: ArrayModel, view: View): Recipe {
  const { x, y } = axesOf(model, view);
  const picks: Record<DimKey, Pick> = {};
  for (const dim of [x, y]) if (dim !== undefined) picks[dim.key] = pickOf(spanOf(view, dim), dim.size);
  return recipeOf(model, view, picks);
}

/** Maximum number of values that generated code requests in one response. */
const MAX_SHARED_VALUES = 1_000_000;
const MAX_SHARED_LENGTH = 1000;

/** The visible part for generated code, coarsened to blocks if it is large. */
export function sharedRecipe(model: ArrayModel, view: View): Recipe {
  const recipe = shownRecipe(model, view);
  const { x, y } = axesOf(model, view);
  const lengths = [x, y].flatMap((dim) => {
    if (dim === undefined) return [];
    const [start, stop] = spanOf(view, dim);
    return [[dim.key, stop - start] as const];
  });
  if (lengths.reduce((product, [, length]) => product * length, 1) <= MAX_SHARED_VALUES) return recipe;
  const long = lengths.filter(([, length]) => length > MAX_SHARED_LENGTH);
  const to = Object.fromEntries(long.map(([key]) => [key, MAX_SHARED_LENGTH]));
  return { ...recipe, coarsen: { to, method: view.method } };
}

/** The single value at the given positions of the axes. */
export function valueRecipe(model: ArrayModel, view: View, at: Readonly<Record<DimKey, number>>): Recipe {
  return recipeOf(
    model,
    view,
    Object.fromEntries(Object.entries(at).map(([key, index]) => [key, { index }])),
  );
}
