/** Adds the panel to the page of GraphiQL. Built as one script, because the page loads nothing else. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { NodeSummary } from 'zarrql-client';
import { findLabel } from '../array/find-label.js';
import { shortDate } from '../array/labels.js';
import { loadModel } from '../array/load-model.js';
import type { ArrayModel, Dimension } from '../array/model.js';
import { nameOf } from '../array/recipe.js';
import { axesOf, recipeOf } from '../array/slice-of-view.js';
import { sendHeaders, client } from '../gateway/client.js';
import { listMembers } from '../gateway/members.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem, TokenDialog } from '../parts/problem.js';
import { graphqlText } from '../share/graphql-text.js';
import { emptyView } from '../state/view.js';
import { enteredHeaders, insertLiteral, appendOperation, operationNames } from './editor.js';
import { addLandmarks } from './landmarks.js';
import styles from './panel.css';

/** What the gateway states about the page: the store whose schema it is for, and the address of the explorer. */
interface PagePlace {
  readonly store?: string;
  readonly explorer?: string;
}

declare global {
  interface Window {
    readonly zarrqlPage?: PagePlace;
  }
}

const { store: pageStore, explorer: explorerAddress }: PagePlace = window.zarrqlPage ?? {};

/** Links to the explorer and, from the schema of a store, to the schema of all stores. */
function Links() {
  const fragment = pageStore === undefined ? '' : `#/${encodeURIComponent(pageStore)}`;
  // The page of a store is as many levels below the endpoint as its name has parts.
  const above = pageStore
    ?.split('/')
    .map(() => '..')
    .slice(1)
    .join('/');
  const all = new URL(`${above === '' ? '.' : `${above ?? ''}/`}`, location.href).pathname.replace(/\/$/, '');
  return (
    <nav>
      {explorerAddress !== undefined && <a href={explorerAddress + fragment}>Explorer</a>}
      {pageStore !== undefined && <a href={all}>Schema of all stores</a>}
    </nav>
  );
}

/** The panel of stores next to GraphiQL: a click inserts paths, dimensions and labels into the query. */
function Panel() {
  const [isOpen, setOpen] = useState(window.innerWidth > NARROW);
  // The schema of a store completes its names itself.
  const loaded = useLoad(isOpen && pageStore === undefined ? 'stores' : undefined, async (signal) => {
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
        title="Insert names from the stores into the query"
      >
        Stores
      </button>
      {isOpen && (
        <div class="tree">
          <Links />
          {pageStore !== undefined && <p>Schema of {pageStore}. Ctrl-Space completes names.</p>}
          <Problem error={loaded.error} retry={loaded.retry} />
          <ul>
            {loaded.data?.map((name) => (
              <Store key={name} name={name} isFirst={name === loaded.data?.[0]} />
            ))}
          </ul>
          {pageStore === undefined && <p>Click a name to insert it at the cursor.</p>}
        </div>
      )}
      <TokenDialog />
    </aside>
  );
}

/** Width below which the panel is a bar at the bottom, as in panel.css. */
const NARROW = 800;

function Store({ name, isFirst }: { readonly name: string; readonly isFirst: boolean }) {
  return (
    <Branch name={name} literal={name} isOpenAtFirst={isFirst}>
      {() => <Members store={name} path="/" />}
    </Branch>
  );
}

interface BranchProps {
  readonly name: string;
  /** The GraphQL literal that a click inserts. */
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

/** Dimensions and labels of an array, and a query for some of its values. */
function ArrayParts({ store, path }: { readonly store: string; readonly path: string }) {
  const loaded = useLoad(JSON.stringify([store, path]), (signal) => loadModel(store, path, signal));
  const { data: model } = loaded;
  if (model === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  return (
    <div class="parts">
      {model.dimensions.map((dim) => (
        <DimensionParts key={dim.key} dim={dim} />
      ))}
      <button type="button" onClick={() => appendOperation(queryOf(model))}>
        Add a query of these values
      </button>
    </div>
  );
}

/** Maximum number of values along each axis in a generated query. */
const [ROWS, COLUMNS] = [3, 6];

function queryOf(model: ArrayModel): string {
  const { x, y } = axesOf(model, emptyView);
  const picks = Object.fromEntries(
    [[x, COLUMNS] as const, [y, ROWS] as const].flatMap(([dim, count]) => {
      if (dim === undefined) return [];
      // Selects the middle of each axis, because values at the edges of maps are often missing.
      const start = Math.max(0, Math.floor((dim.size - count) / 2));
      return [[dim.key, { span: [start, Math.min(dim.size, start + count)] as const }] as const];
    }),
  );
  return graphqlText(recipeOf(model, emptyView, picks), freeName(nameOf(model.path)));
}

/** GraphQL names consist of letters, digits and underscores, and are unique within a document. */
function freeName(text: string): string {
  const name = text
    .replace(/\W/g, '_')
    .replace(/^(?=\d|$)/, '_')
    .replace(/^_+$/, 'Values');
  const used = operationNames();
  let [free, count] = [name, 1];
  while (used.has(free)) free = `${name}${++count}`;
  return free;
}

/** Maximum number of suggested labels. */
const MAX_SUGGESTIONS = 400;

function DimensionParts({ dim }: { readonly dim: Dimension }) {
  const { labels, key, size, name } = dim;
  const [typed, setTyped] = useState('');
  const list = `labels-${key}`;
  const insert = (text: string) => {
    if (labels === undefined) return;
    const index = findLabel(labels, text === '' ? labels.text(0) : text);
    if (index !== undefined) insertLiteral(literalOf(dim, index));
  };
  return (
    <p>
      <button
        type="button"
        class="name"
        title={`Insert ${JSON.stringify(name ?? key)}`}
        onClick={() => insertLiteral(JSON.stringify(name ?? key))}
      >
        {name ?? `dimension ${key}`}
      </button>{' '}
      <small>
        {size}
        {dim.units === undefined ? '' : ` ${dim.units}`}
      </small>
      {labels !== undefined && labels.size > 0 && (
        <span class="labels">
          <input
            type="text"
            list={list}
            value={typed}
            placeholder={labels.text(0)}
            aria-label={`Label along ${key}`}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <datalist id={list}>
            {Array.from({ length: Math.min(MAX_SUGGESTIONS, labels.size) }, (_, i) => (
              <option key={i} value={labels.text(i)} />
            ))}
          </datalist>
          <button type="button" onClick={() => insert(typed)} title="Insert this label or the nearest one">
            Insert
          </button>
        </span>
      )}
    </p>
  );
}

/** A label as the gateway accepts it. */
function literalOf({ labels }: Dimension, index: number): string {
  const text = labels?.text(index) ?? '';
  return labels?.kind === 'number' ? text : JSON.stringify(shortDate(text));
}

sendHeaders(enteredHeaders);
const style = document.createElement('style');
style.textContent = styles;
const container = document.createElement('div');
container.id = 'stores';
document.head.append(style);
document.body.append(container);
render(<Panel />, container);
addLandmarks();
