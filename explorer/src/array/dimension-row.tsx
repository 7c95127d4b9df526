/** The controls of one dimension: show it on an axis, at one position, or reduced. */
import { countText } from '../parts/format.js';
import { TypedField } from '../parts/typed-field.js';
import { change, view } from '../state/current.js';
import { reductions, type OverReduction, type View } from '../state/view.js';
import { LabelField } from './label-field.js';
import { Player } from './player.js';
import type { ArrayModel, Dimension } from './model.js';
import { axesOf, canBeChannels, channelsOf, indexAt } from './slice-of-view.js';

interface DimensionRowProps {
  readonly model: ArrayModel;
  readonly dim: Dimension;
}

interface Role {
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly choose: (model: ArrayModel, dim: Dimension) => void;
}

/** The frequent roles; a list offers all reductions. */
const roles: readonly Role[] = [
  { name: 'x', text: 'x', title: 'Along the x-axis', choose: (model, dim) => setAxis(model, dim, 'x') },
  { name: 'y', text: 'y', title: 'Along the y-axis', choose: (model, dim) => setAxis(model, dim, 'y') },
  { name: 'at', text: 'one', title: 'One position', choose: setPosition },
  {
    name: 'MEAN',
    text: 'mean',
    title: 'Mean over all positions',
    choose: (model, dim) => setOver(model, dim, 'MEAN'),
  },
];

const channelRole: Role = {
  name: 'rgb',
  text: 'rgb',
  title: 'Red, green, blue and, if there is a fourth position, opacity',
  choose: (_, dim) => {
    const { [dim.key]: _removed, ...over } = view.value.over;
    change({ rgb: dim.key, over });
  },
};

export function DimensionRow({ model, dim }: DimensionRowProps) {
  const current = view.value;
  const role = roleIn(model, current, dim);
  const over = current.over[dim.key];
  return (
    <fieldset class="dimension">
      <legend>
        <strong>{dim.name ?? `dimension ${dim.key}`}</strong> <span class="note">{countText(dim.size)}</span>{' '}
        {dim.units !== undefined && <span class="units">{dim.units}</span>}
      </legend>
      <div class="roles">
        {[...roles, ...(canBeChannels(dim) ? [channelRole] : [])].map(({ name, text, title, choose }) => (
          <button
            key={name}
            type="button"
            class="role"
            aria-pressed={name === role}
            title={title}
            onClick={() => choose(model, dim)}
          >
            {text}
          </button>
        ))}
        <select
          aria-label={`Reduction of ${dim.key}`}
          value={over ?? ''}
          onChange={({ currentTarget }) => {
            const by = reductions.find((name) => name === currentTarget.value);
            if (by === undefined) setPosition(model, dim);
            else setOver(model, dim, by);
          }}
        >
          <option value="">more</option>
          {reductions.map((name) => (
            <option key={name} value={name}>
              {name.toLowerCase()}
            </option>
          ))}
        </select>
      </div>
      {role === 'at' && <Position dim={dim} />}
    </fieldset>
  );
}

function roleIn(model: ArrayModel, current: View, dim: Dimension): string {
  const { x, y } = axesOf(model, current);
  const over = current.over[dim.key];
  if (over !== undefined) return over;
  if (dim.key === channelsOf(model, current)?.key) return 'rgb';
  return dim.key === x?.key ? 'x' : dim.key === y?.key ? 'y' : 'at';
}

/** The change that makes a dimension no longer the channels of a colour. */
function withoutChannels(dim: Dimension): Partial<View> {
  return view.value.rgb === dim.key ? { rgb: undefined } : {};
}

/**
 * Assigns the dimension to an axis. The previous dimension of this axis moves to the free axis, or is shown at one
 * position.
 */
function setAxis(model: ArrayModel, dim: Dimension, axis: 'x' | 'y'): void {
  const { over } = view.value;
  const { [dim.key]: _removed, ...others } = over;
  const { x, y } = axesOf(model, view.value);
  const wasX = x?.key === dim.key;
  const wasY = y?.key === dim.key;
  if (axis === 'x') {
    const newY = wasY ? x?.key : y?.key;
    change({
      ...withoutChannels(dim),
      over: others,
      x: dim.key,
      y: newY === dim.key ? undefined : newY,
      range: undefined,
    });
    return;
  }
  const newX = wasX ? y?.key : x?.key;
  if (newX === undefined || newX === dim.key)
    change({ ...withoutChannels(dim), over: others, x: dim.key, y: undefined, range: undefined });
  else change({ ...withoutChannels(dim), over: others, x: newX, y: dim.key, range: undefined });
}

function setPosition(model: ArrayModel, dim: Dimension): void {
  const { [dim.key]: _removed, ...over } = view.value.over;
  change({ ...withoutChannels(dim), over, ...axesWithout(model, dim) });
}

function setOver(model: ArrayModel, dim: Dimension, by: OverReduction): void {
  change({
    ...withoutChannels(dim),
    over: { ...view.value.over, [dim.key]: by },
    ...axesWithout(model, dim),
  });
}

/** The axes if this dimension is removed from them. Without a y-axis, the view is a line. */
function axesWithout(model: ArrayModel, dim: Dimension) {
  const { x, y } = axesOf(model, view.value);
  const left = [x?.key, y?.key].filter((key) => key !== undefined && key !== dim.key);
  const { over } = view.value;
  const other = model.dimensions.find(
    ({ key, size }) => key !== dim.key && over[key] === undefined && size > 1,
  );
  return { x: left[0] ?? other?.key, y: left[1], range: undefined };
}

function Position({ dim }: { readonly dim: Dimension }) {
  const index = indexAt(view.value, dim);
  const positionOf = (to: number) => Math.min(dim.size - 1, Math.max(0, Math.round(to)));
  const set = (to: number) => {
    if (Number.isFinite(to)) change({ at: { ...view.value.at, [dim.key]: positionOf(to) } });
  };
  return (
    <div class="position">
      <input
        type="range"
        min={0}
        max={Math.max(0, dim.size - 1)}
        value={index}
        aria-label={`Position along ${dim.key}`}
        aria-valuetext={dim.labels?.text(index) ?? String(index)}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
      <div class="position-fields">
        <button
          type="button"
          aria-label={`Previous along ${dim.key}`}
          disabled={index === 0}
          onClick={() => set(index - 1)}
        >
          ‹
        </button>
        <TypedField
          type="number"
          class="index"
          min={0}
          max={dim.size - 1}
          text={String(index)}
          aria-label={`Index along ${dim.key}`}
          enter={({ valueAsNumber }) => {
            set(valueAsNumber);
            return true;
          }}
        />
        <button
          type="button"
          aria-label={`Next along ${dim.key}`}
          disabled={index >= dim.size - 1}
          onClick={() => set(index + 1)}
        >
          ›
        </button>
        <LabelField dim={dim} index={index} set={set} />
        <Player dim={dim} index={index} />
      </div>
    </div>
  );
}
