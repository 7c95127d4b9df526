/** A scatter plot of the two variables that are shown beside each other. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { countText, shortNumber } from '../parts/format.js';
import { change, isTakenAsDark, view } from '../state/current.js';
import { countPairs, type Pairs } from './pairs.js';
import { histogramEnds, type Scale, scaleOf, summarise } from './scale.js';
import { type ShownPlane, shownPlanes } from './shown.js';

/** Cells along each side. */
const CELLS = 160;
/** Size of the plot and its margins, in CSS pixels. */
const [SIDE, LEFT, BOTTOM] = [320, 70, 40];

export function Scatter() {
  const { first, second } = shownPlanes.value;
  if (first === undefined || second === undefined) return null;
  const isSame = first.plane.rows === second.plane.rows && first.plane.columns === second.plane.columns;
  return (
    <section class="scatter" aria-label="Scatter plot">
      <label class="check">
        <input
          type="checkbox"
          checked={view.value.hasScatter}
          onChange={({ currentTarget }) => change({ hasScatter: currentTarget.checked })}
        />{' '}
        Scatter plot of both variables
      </label>
      {view.value.hasScatter &&
        (isSame ? (
          <Plot a={first} b={second} />
        ) : (
          <p class="note">
            The two pictures have different numbers of pixels, so that their values have no pairs.
          </p>
        ))}
    </section>
  );
}

interface PlotProps {
  readonly a: ShownPlane;
  readonly b: ShownPlane;
}

function Plot({ a, b }: PlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ends = useMemo(() => ({ a: endsOf(a), b: endsOf(b) }), [a.plane, b.plane]);
  const pairs = useMemo(() => countPairs(a.plane.values, b.plane.values, ends, CELLS), [a.plane, b.plane]);
  const isDark = isTakenAsDark.value;
  useEffect(() => {
    if (canvas.current !== null) drawPairs(canvas.current, pairs, ends, [nameOf(a), nameOf(b)], isDark);
  });
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Scatter plot of ${b.title} over ${a.title}; correlation ${shortNumber(pairs.correlation)}`}
      />
      <p class="note">
        {countText(pairs.total)} pairs of pixels
        {Number.isFinite(pairs.correlation) && `, correlation ${pairs.correlation.toFixed(3)}`}. Darker cells
        contain more pairs.
      </p>
    </>
  );
}

function nameOf({ title, units }: ShownPlane): string {
  return units === '' ? title : `${title} (${units})`;
}

/** Those of the histogram, so that a few extremes do not compress all other pairs into one corner. */
function endsOf({ plane }: ShownPlane): Scale {
  const shown = summarise(plane.values);
  return histogramEnds(shown, scaleOf({ low: undefined, high: undefined, isLog: false }, shown));
}

function drawPairs(
  canvas: HTMLCanvasElement,
  { counts, most }: Pairs,
  ends: { readonly a: Scale; readonly b: Scale },
  [across, up]: readonly [string, string],
  isDark: boolean,
): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [width, height] = [LEFT + SIDE + 10, SIDE + BOTTOM + 6];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const cell = SIDE / CELLS;
  context.fillStyle = isDark ? '#7cbcff' : '#0b5cad';
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] ?? 0;
    if (count === 0) continue;
    context.globalAlpha = 0.25 + 0.75 * (Math.log(1 + count) / Math.log(1 + most));
    context.fillRect(LEFT + (i % CELLS) * cell, 6 + Math.floor(i / CELLS) * cell, cell, cell);
  }
  context.globalAlpha = 1;
  context.strokeStyle = isDark ? '#8b929a' : '#60666e';
  context.strokeRect(LEFT, 6, SIDE, SIDE);
  context.fillStyle = isDark ? '#d5d9de' : '#30343a';
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'top';
  context.fillText(shortNumber(ends.a.low), LEFT, SIDE + 10);
  context.textAlign = 'right';
  context.fillText(shortNumber(ends.a.high), LEFT + SIDE, SIDE + 10);
  context.fillText(shortNumber(ends.b.high), LEFT - 5, 6);
  context.textBaseline = 'bottom';
  context.fillText(shortNumber(ends.b.low), LEFT - 5, SIDE + 6);
  context.textAlign = 'center';
  context.fillText(across, LEFT + SIDE / 2, height, SIDE);
  context.translate(12, 6 + SIDE / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = 'middle';
  context.fillText(up, 0, 0, SIDE);
}
