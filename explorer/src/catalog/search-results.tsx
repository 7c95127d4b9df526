/** The nodes of all stores that contain the typed words in their path, title, units or other attributes. */
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { shapeText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { type Entry, indexOf, matchesOf, readNodes } from './search-index.js';

/** Maximum number of matches shown per store. */
const MAX_MATCHES = 50;

interface SearchResultsProps {
  readonly text: string;
  readonly stores: readonly string[];
}

export function SearchResults({ text, stores }: SearchResultsProps) {
  const loaded = useLoad(
    JSON.stringify([text, stores]),
    async (signal) =>
      Promise.all(
        stores.map(async (store) => {
          try {
            return { store, ...(await searchStore(store, text, signal)) };
          } catch (error) {
            signal.throwIfAborted();
            return { store, matches: [], isPartial: false, error };
          }
        }),
      ),
    150,
  );
  const { data, error, since } = loaded;
  const count = data?.reduce((sum, { matches }) => sum + matches.length, 0);
  return (
    <>
      <p class="note" role="status">
        {since !== undefined ? 'Searching …' : count === undefined ? '' : `${count} found`}
      </p>
      <Problem error={error} retry={loaded.retry} />
      {data?.map(({ store, matches, isPartial, ...rest }) => (
        <div key={store}>
          {matches.length > 0 && <strong>{store}</strong>}
          <ul class="tree">
            {matches.map(({ path, shape, title }) => (
              <li key={path} class="leaf">
                <NodeLink store={store} path={path} text={path} />{' '}
                <span class="note">
                  {shape === undefined ? 'group' : shapeText(shape)}
                  {title !== undefined && ` – ${title}`}
                </span>
              </li>
            ))}
          </ul>
          {isPartial && <p class="note">Only the first of {store}; type more of the name.</p>}
          {'error' in rest && <Problem error={rest.error} />}
        </div>
      ))}
    </>
  );
}

interface SearchResult {
  readonly matches: readonly Entry[];
  readonly isPartial: boolean;
}

/**
 * Searches the index of the store. In a store with more nodes, the gateway also searches for names that contain the
 * text as typed.
 */
async function searchStore(store: string, text: string, signal: AbortSignal): Promise<SearchResult> {
  const index = await indexOf(store, signal);
  const matches = matchesOf(index.entries, text);
  if (!index.isPartial || matches.length >= MAX_MATCHES)
    return { matches: matches.slice(0, MAX_MATCHES), isPartial: matches.length > MAX_MATCHES };
  const { entries } = await readNodes(store, `**/*${text}*`, MAX_MATCHES, signal);
  const all = new Map([...matches, ...entries].map((entry) => [entry.path, entry]));
  return { matches: [...all.values()].slice(0, MAX_MATCHES), isPartial: true };
}
