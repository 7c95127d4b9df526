/** The start page: an introduction and an overview of the stores. */
import type { VariableInfo } from 'zarrql-client';
import { variablesOf, costOf, lazyOf } from '../array/load-model.js';
import type { Recipe } from '../array/recipe.js';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { Problem } from '../parts/problem.js';

/** Maximum number of stores on the page. The sidebar lists all stores. */
const MAX_STORES = 12;
const MAX_VARIABLES = 6;

export function StartPage() {
  const loaded = useLoad('stores', async (signal) => {
    const stores: { readonly name: string; readonly description: string | null }[] = [];
    for await (const store of client.stores({ signal })) {
      stores.push(store);
      if (stores.length === MAX_STORES) break;
    }
    return stores;
  });
  return (
    <>
      <h2>Choose a variable</h2>
      <p>
        Open a store, or search for an array. Select a part of an array of any size to see it immediately.
        Export the view as a GraphQL query, as code for TypeScript or Python, as a file, or as a link to this
        page.
      </p>
      <Problem error={loaded.error} retry={loaded.retry} />
      <div class="stores">
        {loaded.data?.map(({ name, description }) => (
          <StoreCard key={name} name={name} description={description} />
        ))}
      </div>
    </>
  );
}

interface StoreCardProps {
  readonly name: string;
  readonly description: string | null;
}

function StoreCard({ name, description }: StoreCardProps) {
  const { data } = useLoad(name, async (signal) =>
    (await variablesOf(name, '/', signal))
      .filter(({ kind }) => kind === 'DATA')
      // Variables of many dimensions are usually those that one looks for.
      .sort((a, b) => b.dimensions.length - a.dimensions.length),
  );
  return (
    <section class="store-card" aria-label={`Store ${name}`}>
      <h3>
        <NodeLink store={name} path="/" text={name} />
      </h3>
      {description !== null && <p class="note">{description}</p>}
      <Thumbnail store={name} variables={data} />
      <ul>
        {data?.slice(0, MAX_VARIABLES).map((variable) => (
          <li key={variable.name}>
            <NodeLink store={name} path={`/${variable.name}`} text={variable.name} />{' '}
            <span class="note">{variable.longName ?? variable.standardName ?? ''}</span>
          </li>
        ))}
        {data?.length === 0 && (
          <li class="note">No variables at the root. Open the store to see its nodes.</li>
        )}
        {data !== undefined && data.length > MAX_VARIABLES && (
          <li class="note">and {data.length - MAX_VARIABLES} more</li>
        )}
      </ul>
    </section>
  );
}

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

function Thumbnail({ store, variables }: ThumbnailProps) {
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
