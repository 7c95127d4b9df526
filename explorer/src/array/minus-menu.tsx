/** Subtracts another variable, or the same one at other positions, from the values of a plane. */
import { useLoad } from '../gateway/use-load.js';
import { baseName, versionsOf } from '../node/versions.js';
import { TypedField } from '../parts/typed-field.js';
import { change, view } from '../state/current.js';
import type { Minus } from '../state/view.js';
import { LabelField } from './label-field.js';
import type { ArrayModel, Dimension } from './model.js';
import { parentOf } from './recipe.js';
import { axesOf, channelsOf, indexAt } from './slice-of-view.js';

/** The variables of the same dimensions in the dataset of the array. */
export function alike({
  variable,
  siblings,
  path,
}: ArrayModel): readonly { readonly path: string; readonly text: string }[] {
  if (variable === undefined) return [];
  const parent = parentOf(path);
  return siblings
    .filter(({ dimensions }) => dimensions.join() === variable.dimensions.join())
    .map(({ name, longName }) => ({
      path: `${parent === '/' ? '' : parent}/${name}`,
      text: longName ?? name,
    }));
}

export function MinusMenu({ model }: { readonly model: ArrayModel }) {
  const { minus, over } = view.value;
  const { x, y } = axesOf(model, view.value);
  const hidden = [x?.key, y?.key, channelsOf(model, view.value)?.key];
  const free = model.dimensions.filter(
    ({ key, size }) => !hidden.includes(key) && over[key] === undefined && size > 1,
  );
  const others = alike(model);
  const { data: versions } = useLoad(`versions of ${baseName(model.store)}`, (signal) =>
    versionsOf(model.store, signal),
  );
  const older = (versions?.choices ?? []).filter(({ store }) => store !== model.store);
  if (free.length === 0 && others.length === 0 && older.length === 0) return null;
  return (
    <div class="block">
      <label>
        Subtract{' '}
        <select
          value={minus === undefined ? '' : (minus.store ?? minus.path)}
          onChange={({ currentTarget: { value } }) =>
            change({ minus: minusOf(model, value), low: undefined, high: undefined })
          }
        >
          <option value="">nothing</option>
          {free.length > 0 && <option value={model.path}>the same at another position</option>}
          {others.map(({ path, text }) => (
            <option key={path} value={path}>
              {text}
            </option>
          ))}
          {older.map(({ store, text }, i) => (
            <option key={`${i} ${store}`} value={store}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {minus !== undefined && free.map((dim) => <MinusPosition key={dim.key} dim={dim} minus={minus} />)}
    </div>
  );
}

/** @param value a path, which begins with a slash, or the name of a store; empty for nothing */
function minusOf({ path }: ArrayModel, value: string): Minus | undefined {
  if (value === '') return undefined;
  return value.startsWith('/') ? { store: undefined, path: value, at: {} } : { store: value, path, at: {} };
}

interface MinusPositionProps {
  readonly dim: Dimension;
  readonly minus: Minus;
}

function MinusPosition({ dim, minus }: MinusPositionProps) {
  const index = minus.at[dim.key] ?? indexAt(view.value, dim);
  const set = (to: number) => {
    if (!Number.isFinite(to)) return;
    const inside = Math.min(dim.size - 1, Math.max(0, Math.round(to)));
    change({ minus: { ...minus, at: { ...minus.at, [dim.key]: inside } } });
  };
  return (
    <div class="position-fields">
      <span class="note">at {dim.key}</span>
      <TypedField
        type="number"
        class="index"
        min={0}
        max={dim.size - 1}
        text={String(index)}
        aria-label={`Subtracted index along ${dim.key}`}
        enter={({ valueAsNumber }) => {
          set(valueAsNumber);
          return true;
        }}
      />
      <LabelField dim={dim} index={index} set={set} prefix="Subtracted: " />
    </div>
  );
}
