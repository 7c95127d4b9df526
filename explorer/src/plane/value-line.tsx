/** The value under the pointer, or the marked one, as the store has it. */
import { lazyOf } from '../array/read-recipe.js';
import { numberText } from '../array/labels.js';
import { type ArrayModel, type Dimension, unitsOf } from '../array/model.js';
import { indexAt, valueRecipe } from '../array/slice-of-view.js';
import { liveVersion } from '../array/live.js';
import { useLoad } from '../gateway/use-load.js';
import { change, view } from '../state/current.js';
import type { LoadedPlane } from './load-plane.js';
import { hovered } from './plane-view.js';
import { labelText } from './ticks.js';

interface ValueLineProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
  readonly latest: LoadedPlane | undefined;
}

/** How long the pointer must rest before a value is requested. */
const REST_MS = 60;

export function ValueLine({ model, x, y }: ValueLineProps) {
  const current = view.value;
  const marked = current.isMarked ? { x: indexAt(current, x), y: indexAt(current, y) } : undefined;
  const place = hovered.value ?? marked;
  const at = place === undefined ? undefined : { [x.key]: place.x, [y.key]: place.y };
  const recipe = at === undefined ? undefined : valueRecipe(model, current, at);
  const key = recipe && JSON.stringify([recipe, liveVersion.value]);
  const { data, error } = useLoad(
    key,
    async (signal) => ({ key, text: recipe === undefined ? '' : await readText(recipe, signal) }),
    REST_MS,
  );
  if (place === undefined)
    return (
      <p class="value">
        Point at the picture for its values; click to mark one. The wheel zooms, dragging moves.
      </p>
    );
  const isNew = data?.key === key;
  const text = error === undefined ? (isNew ? (data?.text ?? '…') : '…') : 'cannot be read';
  return (
    <p class="value" aria-live={hovered.value === undefined ? 'polite' : 'off'}>
      <output data-testid="value" data-place={`${place.y},${place.x}`} aria-label="Value">
        {text}
      </output>{' '}
      {unitsOf(model)} at {describe(y, place.y)}, {describe(x, place.x)}{' '}
      {marked !== undefined && hovered.value === undefined && <LineButtons model={model} x={x} y={y} />}
    </p>
  );
}

/** Lines through the marked value. */
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

export function describe(dim: Dimension, index: number): string {
  const number = dim.labels?.kind === 'number' ? dim.labels.numbers[index] : undefined;
  const hasAngle = number !== undefined && (dim.role === 'latitude' || dim.role === 'longitude');
  const label = hasAngle ? labelText(dim, Number(number.toPrecision(8))) : dim.labels?.text(index);
  return label === undefined ? `${dim.key} ${index}` : `${dim.key} ${label} [${index}]`;
}

export async function readText(recipe: Parameters<typeof lazyOf>[0], signal: AbortSignal): Promise<string> {
  const array = await lazyOf(recipe).read({ signal, coordinates: false });
  const json = array.toJSON();
  if (json === null || json === 'NaN' || json === 'NaT' || array.mask?.[0] === 1) return 'missing';
  if (typeof json === 'number')
    return numberText(json, array.dtype === 'float32' || array.dtype === 'float16');
  return typeof json === 'string' ? json : JSON.stringify(json);
}
