import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { useLoad } from '../gateway/use-load.js';
import { LazyLineView } from '../line/lazy-line-view.js';
import { ArrayCard } from '../node/array-card.js';
import { VersionMenu } from '../node/versions.js';
import { bytesText, countText, shapeText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { PlaneView } from '../plane/plane-view.js';
import { Scatter } from '../plane/scatter.js';
import { SharePanel } from '../share/share-panel.js';
import { addressProblems, change, show, view, writeLabelsOf } from '../state/current.js';
import { parts } from '../state/view.js';
import { DimensionRow } from './dimension-row.js';
import { findRemote } from './find-remote-label.js';
import { alike, MinusMenu } from './minus-menu.js';
import { isLive, liveShape, useLive } from './live.js';
import { loadModel } from './load-model.js';
import { costOf } from './read-recipe.js';
import { type ArrayModel, titleOf } from './model.js';
import { axesOf, dtypeOf, hasNumbers, shownRecipe } from './slice-of-view.js';
import { TableView } from './table-view.js';
import { namingOf, type Resolved, resolveRemotely, resolveWritten } from './written.js';
import { StatisticsPanel } from './statistics-panel.js';

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
  return <ResolvedArray model={model} />;
}

/** Shows the array once the labels of the address are positions. */
function ResolvedArray({ model }: { readonly model: ArrayModel }) {
  const { written } = view.value;
  useLayoutEffect(
    () =>
      writeLabelsOf({
        path: model.path,
        naming: namingOf(model),
        resolve: (each) => {
          const found = resolveWritten(model, each);
          return found && { view: { ...each, ...found.part }, problems: found.problems };
        },
      }),
    [model],
  );
  useEffect(() => {
    if (written === undefined) return undefined;
    const stop = new AbortController();
    const use = ({ part, problems }: Resolved) => {
      if (stop.signal.aborted) return;
      addressProblems.value = problems;
      show(part);
    };
    const found = resolveWritten(model, view.value);
    if (found !== undefined) use(found);
    else
      resolveRemotely(model, view.value, written, (dim, by) => findRemote(dim, by, stop.signal)).then(
        use,
        (error: unknown) =>
          use({ part: { written: undefined }, problems: [`The labels of the address: ${String(error)}`] }),
      );
    return () => stop.abort();
  }, [model, written]);
  return written === undefined ? <LoadedArray model={model} /> : <p class="note">Opening {model.path} …</p>;
}

function LoadedArray({ model }: { readonly model: ArrayModel }) {
  useLive(model);
  const { x, y } = axesOf(model, view.value);
  const dtype = dtypeOf(model, view.value);
  const isNumeric = hasNumbers(model, view.value);
  const isEmpty = model.info.shape.includes(0);
  const isPlane = x !== undefined && y !== undefined;
  const canSubtract = isPlane && isNumeric && !dtype.startsWith('numpy.datetime64');
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
        <VersionMenu store={model.store} />
      </header>
      {addressProblems.value.length > 0 && (
        <div class="problem mild" role="alert">
          {addressProblems.value.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      <div class="work">
        <div class="controls">
          {model.dimensions.map((dim) => (
            <DimensionRow key={dim.key} model={model} dim={dim} />
          ))}
          <Field model={model} />
          <Levels model={model} />
          {dtype.startsWith('complex') && <ComplexPartMenu />}
          <Beside model={model} />
          {canSubtract && <MinusMenu model={model} />}
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
              {isPlane && <PlaneView model={model} x={x} y={y} />}
              <Second model={model} />
            </div>
          )}
          {isPlane && view.value.beside !== undefined && <Scatter />}
          {!isEmpty && (view.value.hasTable || !isNumeric) && <TableView model={model} />}
          {!isEmpty && isNumeric && !dtype.startsWith('complex') && view.value.minus === undefined && (
            <StatisticsPanel model={model} />
          )}
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

/** Menu of the fields of a struct. */
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

/** Menu of the resolutions of the image. */
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

/** Menu of the real numbers that are drawn for complex values. */
function ComplexPartMenu() {
  return (
    <label class="block">
      Part of the complex value{' '}
      <select
        value={view.value.part}
        onChange={({ currentTarget: { value } }) =>
          change({ part: parts.find((name) => name === value) ?? 'magnitude' })
        }
      >
        {parts.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Menu of variables with the same dimensions, to show one of them as well. */
function Beside({ model }: { readonly model: ArrayModel }) {
  const like = alike(model);
  if (like.length === 0) return null;
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
        {like.map(({ path, text: title }) => (
          <option key={path} value={path}>
            {title}
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
  const other = useMemo(() => second, [second]);
  if (beside === undefined) return null;
  if (other === undefined) return <Problem error={loaded.error} retry={loaded.retry} />;
  // The axes of the view, as in the first picture.
  const { x, y } = axesOf(other, view.value);
  if (x === undefined) return null;
  return y === undefined ? (
    <LazyLineView model={other} along={x} />
  ) : (
    <PlaneView model={other} x={x} y={y} isSecond />
  );
}

/** The cost of reading the visible part at full resolution. */
function EstimateLine({ model }: { readonly model: ArrayModel }) {
  const recipe = shownRecipe(model, view.value);
  const { data, error } = useLoad(JSON.stringify(recipe), (signal) => costOf(recipe, signal), 200);
  if (data === undefined || error !== undefined)
    return <p class="note estimate">{error === undefined ? '' : 'No estimate.'}</p>;
  return (
    <p class="note estimate" aria-label="Estimate">
      All values of this part: {shapeText(data.shape)}
      {data.outputBytes !== undefined && `, ${bytesText(data.outputBytes)}`}. {countText(data.chunks)}{' '}
      {data.chunks === 1 ? 'chunk' : 'chunks'}, {bytesText(data.bytes)} decoded.
      {!data.isAllowed &&
        ` Too large for one response (${data.exceeded.join(', ')}); pictures and files still work.`}
    </p>
  );
}
