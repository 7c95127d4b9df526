/** All stores with their trees, and the search. */
import { useState } from 'preact/hooks';
import type { NodeSummary } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { countText, shapeText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { view } from '../state/current.js';
import { listMembers } from '../gateway/documents.js';

export function Sidebar() {
  const [text, setText] = useState('');
  const loaded = useLoad('stores', async (signal) => {
    const stores: { readonly name: string; readonly description: string | null }[] = [];
    for await (const store of client.stores({ signal })) stores.push(store);
    return stores;
  });
  const stores = loaded.data ?? [];
  return (
    <nav class="sidebar" aria-label="Stores">
      <input
        type="search"
        class="search"
        placeholder="Search arrays and groups"
        aria-label="Search arrays and groups"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Problem error={loaded.error} retry={loaded.retry} />
      {text.trim() !== '' && <SearchResults text={text.trim()} stores={stores.map(({ name }) => name)} />}
      {text.trim() === '' && (
        <ul class="tree">
          {stores.map(({ name, description }) => (
            <li key={name}>
              <strong>
                <NodeLink store={name} path="/" text={name} />
              </strong>
              {description !== null && <div class="note">{description}</div>}
              {(stores.length <= 5 || view.value.store === name) && <TreeBranch store={name} path="/" />}
            </li>
          ))}
        </ul>
      )}
      {loaded.data !== undefined && stores.length === 0 && (
        <p class="note">This gateway has no stores that you may read.</p>
      )}
    </nav>
  );
}

// The members of a group, one level at a time.

/** Number of members listed at first and added with each click. */
const PAGE = 100;

interface TreeBranchProps {
  readonly store: string;
  readonly path: string;
}

function TreeBranch({ store, path }: TreeBranchProps) {
  const [shown, setShown] = useState(PAGE);
  const loaded = useLoad(JSON.stringify([store, path, shown]), (signal) =>
    listMembers(store, path, shown, signal),
  );
  const members = loaded.data;
  if (members === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  return (
    <>
      {members.nodes.length === 0 && (
        <p class="note">No members listed: the group is empty, or the root of the store has no metadata.</p>
      )}
      <ul>
        {members.nodes.map((node) => (
          <TreeNode key={node.path} store={store} node={node} />
        ))}
      </ul>
      {members.hasMore && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          More
        </button>
      )}
      <Problem error={loaded.error} retry={loaded.retry} />
    </>
  );
}

function TreeNode({ store, node }: { readonly store: string; readonly node: NodeSummary }) {
  const now = view.value;
  const isCurrent = now.store === store && now.path === node.path;
  const isAbove = now.store === store && now.path.startsWith(`${node.path}/`);
  const [isOpen, setOpen] = useState(isAbove);
  if (node.kind === 'ARRAY')
    return (
      <li class="leaf" aria-current={isCurrent ? 'page' : undefined}>
        <NodeLink store={store} path={node.path} text={node.name === '' ? store : node.name} />{' '}
        <span class="note">{node.shape.map(countText).join('×')}</span>
      </li>
    );
  return (
    <li aria-current={isCurrent ? 'page' : undefined}>
      <button
        type="button"
        class="twist"
        aria-expanded={isOpen}
        aria-label={`Members of ${node.name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      <NodeLink store={store} path={node.path} text={node.name} />
      {isOpen && <TreeBranch store={store} path={node.path} />}
    </li>
  );
}

// Nodes of all stores whose path contains the text, ignoring case.

/** Maximum number of nodes examined and of matches shown per store. */
const MAX_NODES = 5000;
const MAX_MATCHES = 50;

interface SearchResultsProps {
  readonly text: string;
  readonly stores: readonly string[];
}

function SearchResults({ text, stores }: SearchResultsProps) {
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

interface SearchResult {
  readonly matches: readonly NodeSummary[];
  readonly isPartial: boolean;
}

/**
 * Searches the paths of the first `MAX_NODES` nodes, regardless of case. In a larger store, the gateway then searches
 * for names that contain the text as typed.
 */
async function searchStore(store: string, text: string, signal: AbortSignal): Promise<SearchResult> {
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
