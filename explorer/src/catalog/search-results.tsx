/** Nodes of all stores whose path contains the text, ignoring case. */
import type { NodeSummary } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { Problem } from '../parts/problem.js';
import { shapeText } from '../parts/format.js';

/** Maximum number of nodes examined and of matches shown per store. */
const MAX_NODES = 5000;
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
            {matches.map((node) => (
              <li key={node.path} class="leaf">
                <NodeLink store={store} path={node.path} text={node.path} />{' '}
                <span class="note">{node.kind === 'ARRAY' ? shapeText(node.shape) : 'group'}</span>
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

interface Found {
  readonly matches: readonly NodeSummary[];
  readonly isPartial: boolean;
}

/** First searches with the case as typed: this also finds nodes of stores that are too large to list. */
async function searchStore(store: string, text: string, signal: AbortSignal): Promise<Found> {
  const lower = text.toLowerCase();
  const matches = new Map<string, NodeSummary>();
  let seen = 0;
  for await (const node of client.store(store).search({ signal, pageSize: 1000, onError() {} })) {
    if (node.path.toLowerCase().includes(lower)) matches.set(node.path, node);
    if (++seen >= MAX_NODES || matches.size >= MAX_MATCHES) break;
  }
  if (seen < MAX_NODES || matches.size >= MAX_MATCHES)
    return { matches: [...matches.values()], isPartial: matches.size >= MAX_MATCHES };
  for await (const node of client.store(store).search({ match: `**/*${text}*`, signal, onError() {} })) {
    matches.set(node.path, node);
    if (matches.size >= MAX_MATCHES) break;
  }
  return { matches: [...matches.values()], isPartial: true };
}
