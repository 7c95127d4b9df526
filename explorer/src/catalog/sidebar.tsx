/** All stores with their trees, and the search. */
import { useState } from 'preact/hooks';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { NodeLink } from '../node/group-page.js';
import { Problem } from '../parts/problem.js';
import { view } from '../state/current.js';
import { SearchResults } from './search-results.js';
import { TreeBranch } from './tree-branch.js';

/** Up to this number of stores, all trees are open; otherwise only that of the shown store. */
const MAX_EXPANDED = 8;

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
        placeholder="Search names, titles, units …"
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
              {(stores.length <= MAX_EXPANDED || view.value.store === name) && (
                <TreeBranch store={name} path="/" />
              )}
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
