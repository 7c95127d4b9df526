/** Plays an animation along a dimension. */
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { busyPictures } from '../parts/progress.js';
import { show, view } from '../state/current.js';
import type { DimKey } from '../state/view.js';
import type { Dimension } from './model.js';

/** Frames per second. A frame is shown only after it has been loaded, so that the animation may be slower. */
const speeds = [0.5, 1, 2, 3, 5, 10] as const;

const speed = signal(3);
const played = signal<DimKey | undefined>(undefined);

/** Whether an animation plays. Its pictures keep their colour scale. */
export const isPlaying = computed(() => played.value !== undefined);

/** Number of frames that are read while the current one is shown. */
const AHEAD = 2;

/** The positions of the next frames of the running animation. Empty if none is running. */
export function framesAhead(dimensions: readonly Dimension[], at: Readonly<Record<DimKey, number>>) {
  const dim = dimensions.find(({ key }) => key === played.value);
  if (dim === undefined) return [];
  const index = at[dim.key] ?? 0;
  return Array.from({ length: Math.min(AHEAD, dim.size - 1) }, (_, i) => ({
    ...at,
    [dim.key]: (index + 1 + i) % dim.size,
  }));
}

interface PlayerProps {
  readonly dim: Dimension;
  readonly index: number;
}

export function Player({ dim, index }: PlayerProps) {
  const isRunning = played.value === dim.key;
  const isBusy = busyPictures.value > 0;
  useEffect(() => {
    if (!isRunning || isBusy) return undefined;
    const next = () => show({ at: { ...view.value.at, [dim.key]: (index + 1) % dim.size } });
    const timer = setTimeout(next, 1000 / speed.value);
    return () => clearTimeout(timer);
  }, [isRunning, isBusy, index, dim.size]);
  // Ends the animation when the dimension is no longer shown at one position, or the page shows another array.
  useEffect(
    () => () => {
      if (played.peek() === dim.key) played.value = undefined;
    },
    [dim],
  );
  return (
    <>
      <button
        type="button"
        aria-pressed={isRunning}
        aria-label={`Play ${dim.key}`}
        onClick={() => (played.value = isRunning ? undefined : dim.key)}
      >
        {isRunning ? '❚❚' : '▶'}
      </button>
      {isRunning && (
        <select
          aria-label="Frames per second"
          value={speed.value}
          onChange={({ currentTarget }) => (speed.value = Number(currentTarget.value))}
        >
          {speeds.map((each) => (
            <option key={each} value={each}>
              {each} / s
            </option>
          ))}
        </select>
      )}
    </>
  );
}
