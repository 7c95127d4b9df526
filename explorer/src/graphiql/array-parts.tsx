/** Dimensions and labels of an array, and a query for some of its values. */
import { useState } from 'preact/hooks';
import { findLabel } from '../array/find-label.js';
import { shortDate } from '../array/labels.js';
import { loadModel } from '../array/load-model.js';
import type { ArrayModel, Dimension } from '../array/model.js';
import { nameOf } from '../array/recipe.js';
import { axesOf, recipeOf } from '../array/slice-of-view.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { graphqlText } from '../share/graphql-text.js';
import { emptyView } from '../state/view.js';
import { appendOperation, insertLiteral, operationNames } from './editor.js';

export function ArrayParts({ store, path }: { readonly store: string; readonly path: string }) {
  const loaded = useLoad(JSON.stringify([store, path]), (signal) => loadModel(store, path, signal));
  const { data: model } = loaded;
  if (model === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  return (
    <div class="parts">
      {model.dimensions.map((dim) => (
        <DimensionParts key={dim.key} dim={dim} />
      ))}
      <button type="button" onClick={() => appendOperation(queryOf(model))}>
        Add a query of its values
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
      // Selects the middle, because the edges of maps are often missing.
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
const MAX_OFFERED = 400;

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
            {Array.from({ length: Math.min(MAX_OFFERED, labels.size) }, (_, i) => (
              <option key={i} value={labels.text(i)} />
            ))}
          </datalist>
          <button type="button" onClick={() => insert(typed)} title="Insert the label, or the nearest">
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
