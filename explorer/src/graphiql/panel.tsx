/** The panel of stores next to GraphiQL: a click inserts paths, dimensions and labels into the query. */
import type { NodeSummary } from 'zarrql-client';
import { useState } from 'preact/hooks';
import { listMembers } from '../catalog/list-members.js';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { TokenDialog } from '../parts/token-dialog.js';
import { ArrayParts } from './array-parts.js';
import { insertLiteral } from './editor.js';

export function Panel() {
  const [isOpen, setOpen] = useState(true);
  const loaded = useLoad(isOpen ? 'stores' : undefined, async (signal) => {
    const names: string[] = [];
    for await (const { name } of client.stores({ signal })) names.push(name);
    return names;
  });
  return (
    <aside class={isOpen ? 'zarrql-stores' : 'zarrql-stores closed'} aria-label="Stores">
      <button
        type="button"
        class="head"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        title="Stores, to insert into the query"
      >
        Stores
      </button>
      {isOpen && (
        <div class="tree">
          <Problem error={loaded.error} retry={loaded.retry} />
          <ul>
            {loaded.data?.map((name) => (
              <Store key={name} name={name} isFirst={name === loaded.data?.[0]} />
            ))}
          </ul>
          <p>Click a name to insert it at the cursor.</p>
        </div>
      )}
      <TokenDialog />
    </aside>
  );
}

function Store({ name, isFirst }: { readonly name: string; readonly isFirst: boolean }) {
  return (
    <Branch name={name} literal={name} isOpenAtFirst={isFirst}>
      {() => <Members store={name} path="/" />}
    </Branch>
  );
}

interface BranchProps {
  readonly name: string;
  /** The text that a click inserts. */
  readonly literal: string;
  readonly note?: string;
  readonly isOpenAtFirst?: boolean;
  readonly children: () => preact.ComponentChildren;
}

function Branch({ name, literal, note, isOpenAtFirst = false, children }: BranchProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <li>
      <button
        type="button"
        class="twist"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      <button
        type="button"
        class="name"
        title={`Insert ${JSON.stringify(literal)}`}
        onClick={() => insertLiteral(JSON.stringify(literal))}
      >
        {name}
      </button>{' '}
      {note !== undefined && <small>{note}</small>}
      {isOpen && children()}
    </li>
  );
}

/** Number of members listed at first and added with each click. */
const PAGE = 100;

function Members({ store, path }: { readonly store: string; readonly path: string }) {
  const [shown, setShown] = useState(PAGE);
  const loaded = useLoad(JSON.stringify([store, path, shown]), (signal) =>
    listMembers(store, path, shown, signal),
  );
  return (
    <>
      <Problem error={loaded.error} retry={loaded.retry} />
      <ul>
        {loaded.data?.nodes.map((node) => (
          <Node key={node.path} store={store} node={node} />
        ))}
      </ul>
      {loaded.data?.hasMore === true && (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          More
        </button>
      )}
    </>
  );
}

function Node({ store, node }: { readonly store: string; readonly node: NodeSummary }) {
  const { path, name } = node;
  if (node.kind === 'ARRAY')
    return (
      <Branch name={name === '' ? store : name} literal={path} note={node.shape.map(String).join('×')}>
        {() => <ArrayParts store={store} path={path} />}
      </Branch>
    );
  return (
    <Branch name={name} literal={path}>
      {() => <Members store={store} path={path} />}
    </Branch>
  );
}
