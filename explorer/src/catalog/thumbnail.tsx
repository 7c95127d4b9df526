/** A small picture of the first variable of a store that is quick to draw. */
import type { VariableInfo } from 'zarrql-client';
import { costOf, lazyOf } from '../array/read-recipe.js';
import type { Recipe } from '../array/recipe.js';
import { useLoad } from '../gateway/use-load.js';

/** Variables that decode more are not drawn before someone opens them. */
const MAX_BYTES = 16 * 2 ** 20;
/** Variables of a store that are tried. */
const MAX_TRIED = 3;
/** Values along an axis that make a picture. */
const MIN_SIDE = 8;
const WIDTH = 360;

interface ThumbnailProps {
  readonly store: string;
  /** Undefined while they are loading. */
  readonly variables: readonly VariableInfo[] | undefined;
}

export function Thumbnail({ store, variables }: ThumbnailProps) {
  const { data } = useLoad(
    variables === undefined ? undefined : JSON.stringify([store, variables.map(({ name }) => name)]),
    (signal) => pictureOf(store, variables ?? [], signal),
  );
  return <div class="thumbnail">{data !== undefined && <img src={data.href} alt={data.text} />}</div>;
}

async function pictureOf(
  store: string,
  variables: readonly VariableInfo[],
  signal: AbortSignal,
): Promise<{ readonly href: string; readonly text: string } | undefined> {
  const drawable = variables.filter(
    ({ shape, dtype }) =>
      shape.length >= 2 &&
      shape.slice(-2).every((size) => size >= MIN_SIDE) &&
      /^(u?int|float)\d/.test(dtype.name),
  );
  for (const { name, longName, dimensions, shape } of drawable.slice(0, MAX_TRIED)) {
    const recipe: Recipe = {
      store,
      path: `/${name}`,
      decode: true,
      areNamed: true,
      // The first plane: the last two dimensions, at the first position of the others.
      dims: dimensions.map((key, d) => ({ key, pick: d < shape.length - 2 ? { index: 0 } : 'all' })),
      reductions: [],
      coarsen: undefined,
    };
    const { bytes, isAllowed } = await costOf(recipe, signal);
    if (!isAllowed || bytes > MAX_BYTES) continue;
    const { href } = await lazyOf(recipe).image({ width: Math.min(WIDTH, shape.at(-1) ?? WIDTH), signal });
    return { href, text: `${longName ?? name}, drawn by the gateway` };
  }
  return undefined;
}
