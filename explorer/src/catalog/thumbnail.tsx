import type { VariableInfo } from 'zarrql-client';
import { costOf, lazyOf } from '../array/read-recipe.js';
import type { Recipe } from '../array/recipe.js';
import { useLoad } from '../gateway/use-load.js';

/** Maximum decoded size, in bytes, of a plane to draw on the start page. */
const MAX_BYTES = 16 * 2 ** 20;
/** Maximum number of variables of a store to try. */
const MAX_TRIED = 3;
/** Minimum number of values along an axis for a thumbnail. */
const MIN_SIDE = 8;
const WIDTH = 360;

interface ThumbnailProps {
  readonly store: string;
  /** The variables of the store; undefined while they are loading. */
  readonly variables: readonly VariableInfo[] | undefined;
}

export function Thumbnail({ store, variables }: ThumbnailProps) {
  const { data } = useLoad(
    variables === undefined ? undefined : JSON.stringify([store, variables.map(({ name }) => name)]),
    (signal) => pictureOf(store, variables ?? [], signal),
  );
  return <div class="thumbnail">{data !== undefined && <img src={data.href} alt={data.text} />}</div>;
}

/** The first of the dimensions to draw: the last two, or three if the last one contains the channels of a colour. */
function planeStart(shape: readonly number[], dtype: string): number {
  const last = shape.at(-1);
  const hasChannels = shape.length > 2 && (last === 3 || last === 4) && dtype === 'uint8';
  return shape.length - (hasChannels ? 3 : 2);
}

async function pictureOf(
  store: string,
  variables: readonly VariableInfo[],
  signal: AbortSignal,
): Promise<{ readonly href: string; readonly text: string } | undefined> {
  const drawable = variables.filter(
    ({ shape, dtype }) =>
      planeStart(shape, dtype.name) >= 0 &&
      shape
        .slice(planeStart(shape, dtype.name))
        .slice(0, 2)
        .every((size) => size >= MIN_SIDE) &&
      /^(u?int|float)\d/.test(dtype.name),
  );
  for (const { name, longName, dimensions, shape, dtype } of drawable.slice(0, MAX_TRIED)) {
    const start = planeStart(shape, dtype.name);
    const recipe: Recipe = {
      store,
      path: `/${name}`,
      decode: true,
      areNamed: true,
      // The first plane, at the first position of the other dimensions.
      dims: dimensions.map((key, d) => ({ key, pick: d < start ? { index: 0 } : 'all' })),
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
