/** The values under the pointer and at the mark, at full resolution. */
import type { AnyNDArray } from 'zarrql-client';
import { labelsOf, numberText, toNumbers } from '../array/labels.js';
import { type ArrayModel, type Dimension, unitsOf } from '../array/model.js';
import type { Recipe } from '../array/recipe.js';
import { indexAt, valueRecipe } from '../array/slice-of-view.js';
import { liveVersion } from '../array/live.js';
import { lazyOf } from '../array/read-recipe.js';
import { useLoad } from '../gateway/use-load.js';
import { change, view } from '../state/current.js';
import { hovered } from './viewport.js';
import { labelText } from './ticks.js';

interface ValueLineProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
}

/** Milliseconds without pointer movement before a value is requested. */
const DEBOUNCE_MS = 60;

export function ValueLine({ model, x, y }: ValueLineProps) {
  const current = view.value;
  const pointed = hovered.value;
  const axes = { model, x, y };
  return (
    <div class="value">
      {pointed === undefined ? (
        !current.isMarked && (
          <p>Point at the picture for its values; click to mark one. The wheel zooms, dragging moves.</p>
        )
      ) : (
        <ValueAt {...axes} at={pointed} name="pointed" />
      )}
      {current.isMarked && (
        <>
          <ValueAt {...axes} at={{ x: indexAt(current, x), y: indexAt(current, y) }} name="marked" />
          <p class="line-buttons">
            <LineButtons {...axes} />
            <button type="button" onClick={() => change({ isMarked: false })}>
              Remove the mark
            </button>
          </p>
        </>
      )}
    </div>
  );
}

interface ValueAtProps extends ValueLineProps {
  readonly at: { readonly x: number; readonly y: number };
  readonly name: 'pointed' | 'marked';
}

function ValueAt({ model, x, y, at, name }: ValueAtProps) {
  const position = { [x.key]: at.x, [y.key]: at.y };
  const recipe = valueRecipe(model, view.value, position);
  const { minus } = view.value;
  const other =
    minus &&
    valueRecipe(
      { ...model, store: minus.store ?? model.store, path: minus.path },
      { ...view.value, at: { ...view.value.at, ...minus.at } },
      position,
    );
  const key = JSON.stringify([recipe, other, liveVersion.value]);
  const { data, error } = useLoad(
    key,
    async (signal) => ({ key, ...(await readValue(recipe, other, needsLabels([x, y]), signal)) }),
    DEBOUNCE_MS,
  );
  const isNew = data?.key === key;
  const text = error !== undefined ? 'cannot be read' : isNew ? data.text : '…';
  const labels = isNew ? data.labels : {};
  return (
    <p aria-live={name === 'marked' ? 'polite' : 'off'}>
      {name === 'marked' && <span class="note">Marked: </span>}
      <output
        data-testid={name}
        data-position={`${at.y},${at.x}`}
        aria-label={name === 'marked' ? 'Marked value' : 'Value'}
      >
        {text}
      </output>{' '}
      {unitsOf(model)} at {describe(y, at.y, labels)}, {describe(x, at.x, labels)}
    </p>
  );
}

/** Buttons that show a line through the marked value. */
function LineButtons({ model, x, y }: Pick<ValueLineProps, 'model' | 'x' | 'y'>) {
  const { over } = view.value;
  const free = model.dimensions.filter(({ key, size }) => size > 1 && over[key] === undefined);
  const axes = [x.key, y.key];
  const ordered = [
    ...free.filter(({ key }) => !axes.includes(key)),
    ...free.filter(({ key }) => axes.includes(key)),
  ];
  return (
    <>
      {ordered.map(({ key }) => (
        <button type="button" key={key} onClick={() => change({ x: key, y: undefined, range: undefined })}>
          Line along {key}
        </button>
      ))}
    </>
  );
}

/** Whether to request labels with the values, because labels of long coordinates are not loaded. */
function needsLabels(dims: readonly Dimension[]): boolean {
  return dims.some(({ labels, coordinate }) => labels === undefined && coordinate !== undefined);
}

export function describe(
  dim: Dimension,
  index: number,
  loaded: Readonly<Record<string, string>> = {},
): string {
  const number = dim.labels?.kind === 'number' ? dim.labels.numbers[index] : undefined;
  const hasAngle = number !== undefined && (dim.role === 'latitude' || dim.role === 'longitude');
  const known = dim.labels?.text(index) ?? loaded[dim.key];
  const label = hasAngle ? labelText(dim, Number(number.toPrecision(8))) : known;
  return label === undefined ? `${dim.key} ${index}` : `${dim.key} ${label} [${index}]`;
}

interface ReadValue {
  readonly text: string;
  /** Labels of the position, by coordinate. */
  readonly labels: Readonly<Record<string, string>>;
}

/** @param minus what is subtracted from the value */
async function readValue(
  recipe: Recipe,
  minus: Recipe | undefined,
  coordinates: boolean,
  signal: AbortSignal,
): Promise<ReadValue> {
  const [array, subtracted] = await Promise.all([
    lazyOf(recipe).read({ signal, coordinates }),
    minus && lazyOf(minus).read({ signal, coordinates: false }),
  ]);
  const labels = Object.entries(array.coordinates ?? {}).flatMap(([name, coordinate]) =>
    coordinate === undefined ? [] : [[name, labelsOf(coordinate.values).text(0)] as const],
  );
  const text = subtracted === undefined ? valueText(array) : differenceText(array, subtracted);
  return { text, labels: Object.fromEntries(labels) };
}

/** `3.5 (28.5 − 25)` */
function differenceText(from: AnyNDArray, subtracted: AnyNDArray): string {
  const { part } = view.peek();
  const [a, b] = [toNumbers(from, part)?.[0], toNumbers(subtracted, part)?.[0]];
  const terms = `${valueText(from)} − ${valueText(subtracted)}`;
  if (a === undefined || b === undefined || Number.isNaN(a - b)) return `missing (${terms})`;
  return `${numberText(Number((a - b).toPrecision(7)))} (${terms})`;
}

function valueText(array: AnyNDArray): string {
  const json = array.toJSON();
  if (json === null || json === 'NaN' || json === 'NaT' || array.mask?.[0] === 1) return 'missing';
  if (typeof json === 'number')
    return numberText(json, array.dtype === 'float32' || array.dtype === 'float16');
  return typeof json === 'string' ? json : JSON.stringify(json);
}
