import { useMemo } from 'preact/hooks';
import { useLoad } from '../gateway/use-load.js';
import { LazyLineView } from '../line/lazy-line-view.js';
import { ArrayCard } from '../node/array-card.js';
import { Problem } from '../parts/problem.js';
import { shapeText } from '../parts/format.js';
import { PlaneView } from '../plane/plane-view.js';
import { SharePanel } from '../share/share-panel.js';
import { change, view } from '../state/current.js';
import { DimensionRow } from './dimension-row.js';
import { EstimateLine } from './estimate-line.js';
import { isLive, liveShape, useLive } from './live.js';
import { loadModel } from './load-model.js';
import { type ArrayModel, titleOf } from './model.js';
import { parentOf } from './recipe.js';
import { axesOf, dtypeOf, hasNumbers } from './slice-of-view.js';
import { StatisticsPanel } from './statistics-panel.js';
import { TableView } from './table-view.js';

export function ArrayPage({ store, path }: { readonly store: string; readonly path: string }) {
  const loaded = useLoad(JSON.stringify([store, path, liveShape.value]), (signal) =>
    loadModel(store, path, signal),
  );
  const model = loaded.data;
  if (model === undefined || model.path !== path || model.store !== store)
    return loaded.error === undefined ? (
      <p class="note">Opening {path} …</p>
    ) : (
      <Problem error={loaded.error} retry={loaded.retry} />
    );
  return <LoadedArray model={model} />;
}

function LoadedArray({ model }: { readonly model: ArrayModel }) {
  useLive(model);
  const { x, y } = axesOf(model, view.value);
  const dtype = dtypeOf(model, view.value);
  const isNumeric = hasNumbers(model, view.value);
  const isEmpty = model.info.shape.includes(0);
  return (
    <>
      <header class="array-head">
        <h2>
          {titleOf(model)} <span class="note">{model.path}</span>
        </h2>
        <p class="note">
          {shapeText(model.info.shape)} {dtype}
          {isLive.value && <span class="live"> live</span>}
        </p>
      </header>
      <div class="work">
        <div class="controls">
          {model.dimensions.map((dim) => (
            <DimensionRow key={dim.key} model={model} dim={dim} />
          ))}
          <Field model={model} />
          <Levels model={model} />
          <Beside model={model} />
          <label class="check">
            <input
              type="checkbox"
              checked={view.value.hasTable}
              onChange={({ currentTarget }) => change({ hasTable: currentTarget.checked })}
            />{' '}
            Table of numbers
          </label>
          {!isEmpty && <EstimateLine model={model} />}
        </div>
        <div class="pictures">
          {isEmpty && <p class="note">This array has no values, because a dimension has size 0.</p>}
          {!isEmpty && isNumeric && (
            <div class={view.value.beside === undefined ? '' : 'pair'}>
              {x === undefined && <SingleValue model={model} />}
              {x !== undefined && y === undefined && <LazyLineView model={model} along={x} />}
              {x !== undefined && y !== undefined && <PlaneView model={model} x={x} y={y} />}
              <Second model={model} />
            </div>
          )}
          {!isEmpty && (view.value.hasTable || !isNumeric) && <TableView model={model} />}
          {!isEmpty && isNumeric && !dtype.startsWith('complex') && <StatisticsPanel model={model} />}
          {!isEmpty && <SharePanel model={model} />}
          <ArrayCard model={model} />
        </div>
      </div>
    </>
  );
}

function SingleValue({ model }: { readonly model: ArrayModel }) {
  return <TableView model={model} />;
}

/** Fields of a struct. */
function Field({ model }: { readonly model: ArrayModel }) {
  const { fields } = model.info;
  if (fields === null || fields.length === 0) return null;
  return (
    <label class="block">
      Field{' '}
      <select
        value={view.value.field ?? ''}
        onChange={({ currentTarget: { value } }) => change({ field: value === '' ? undefined : value })}
      >
        <option value="">all, as a table</option>
        {fields.map(({ name, dtype }) => (
          <option key={name} value={name}>
            {name} ({dtype.name})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Other resolutions of the same image. */
function Levels({ model }: { readonly model: ArrayModel }) {
  if (model.levels.length < 2) return null;
  return (
    <label class="block">
      Level of the image{' '}
      <select
        value={model.path}
        onChange={({ currentTarget }) => change({ path: currentTarget.value, span: {} })}
      >
        {model.levels.map(({ path, shape }) => (
          <option key={path} value={path}>
            {path} ({shapeText(shape)})
          </option>
        ))}
      </select>
    </label>
  );
}

/** Variables with the same dimensions. */
function Beside({ model }: { readonly model: ArrayModel }) {
  const { variable, siblings } = model;
  const like = siblings.filter(({ dimensions }) => dimensions.join() === variable?.dimensions.join());
  if (variable === undefined || like.length === 0) return null;
  const parent = parentOf(model.path);
  return (
    <label class="block">
      Compare with{' '}
      <select
        value={view.value.beside ?? ''}
        onChange={({ currentTarget }) =>
          change({ beside: currentTarget.value === '' ? undefined : currentTarget.value })
        }
      >
        <option value="">nothing</option>
        {like.map(({ name, longName }) => (
          <option key={name} value={`${parent === '/' ? '' : parent}/${name}`}>
            {longName ?? name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Second({ model }: { readonly model: ArrayModel }) {
  const { beside } = view.value;
  const loaded = useLoad(beside === undefined ? undefined : JSON.stringify([model.store, beside]), (signal) =>
    loadModel(model.store, beside ?? '/', signal),
  );
  const second = loaded.data;
  // Both share the axes of the first.
  const other = useMemo(() => second, [second]);
  if (beside === undefined) return null;
  if (other === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  const { x, y } = axesOf(other, view.value);
  if (x === undefined) return null;
  return y === undefined ? (
    <LazyLineView model={other} along={x} />
  ) : (
    <PlaneView model={other} x={x} y={y} isSecond />
  );
}
