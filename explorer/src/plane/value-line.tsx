/** The values under the pointer and at the mark, at full resolution. */
import type { AnyNDArray } from 'zarrql-client';
import { labelsOf, numberText } from '../array/labels.js';
import { type ArrayModel, type Dimension, unitsOf } from '../array/model.js';
import { indexAt, valueRecipe } from '../array/slice-of-view.js';
import { liveVersion, lazyOf } from '../array/load-model.js';
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
  const recipe = valueRecipe(model, view.value, { [x.key]: at.x, [y.key]: at.y });
  const key = JSON.stringify([recipe, liveVersion.value]);
  const { data, error } = useLoad(
    key,
    async (signal) => ({ key, ...(await readValue(recipe, needsLabels([x, y]), signal)) }),
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

async function readValue(
  recipe: Parameters<typeof lazyOf>[0],
  coordinates: boolean,
  signal: AbortSignal,
): Promise<ReadValue> {
  const array = await lazyOf(recipe).read({ signal, coordinates });
  const labels = Object.entries(array.coordinates ?? {}).flatMap(([name, coordinate]) =>
    coordinate === undefined ? [] : [[name, labelsOf(coordinate.values).text(0)] as const],
  );
  return { text: valueText(array), labels: Object.fromEntries(labels) };
}

function valueText(array: AnyNDArray): string {
  const json = array.toJSON();
  if (json === null || json === 'NaN' || json === 'NaT' || array.mask?.[0] === 1) return 'missing';
  if (typeof json === 'number')
    return numberText(json, array.dtype === 'float32' || array.dtype === 'float16');
  return typeof json === 'string' ? json : JSON.stringify(json);
}
