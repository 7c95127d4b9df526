/** The colour bar with its range, a histogram of the visible values, palette and scale. */
import { useMemo } from 'preact/hooks';
import { countText, shortNumber } from '../parts/format.js';
import { TypedField } from '../parts/typed-field.js';
import { change, view } from '../state/current.js';
import { methods } from '../state/view.js';
import type { LoadedPlane } from './load-plane.js';
import { cssColour, paletteOf, palettes } from './palettes.js';
import {
  countBins,
  countOutside,
  fractionOf,
  histogramEnds,
  type Scale,
  type Shown,
  valueAt,
} from './scale.js';
import { ColourHandles } from './colour-handles.js';

/** Ends of the colour scale that the user has set; undefined for the quantiles. */
export interface ColourEnds {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

interface ColourBarProps {
  readonly plane: LoadedPlane;
  readonly shown: Shown;
  readonly scale: Scale;
  readonly units: string;
  readonly setEnds: (ends: Partial<ColourEnds>) => void;
}

const BINS = 64;
const [WIDTH, HEIGHT] = [640, 48];

export function ColourBar({ plane, shown, scale, units, setEnds }: ColourBarProps) {
  const { isLog } = view.value;
  // Channels have no palette: the bar shows their intensity.
  const isNatural = plane.channels !== undefined;
  const palette = isNatural ? 'greys' : view.value.palette;
  if (shown.count === 0)
    return <p class="note">All {countText(shown.missing)} of the visible values are missing.</p>;
  const ends = histogramEnds(shown, scale);
  const setEnd = (which: 'low' | 'high', value: number) => {
    if (Number.isFinite(value)) setEnds({ [which]: value });
  };
  const field = (which: 'low' | 'high') => (
    <TypedField
      type="number"
      step="any"
      text={shortNumber(scale[which])}
      aria-label={which === 'low' ? 'Lowest colour' : 'Highest colour'}
      enter={({ valueAsNumber }) => {
        setEnd(which, valueAsNumber);
        return true;
      }}
    />
  );
  return (
    <div class="colour-bar">
      <div class="bar-box">
        <HistogramBars plane={plane} ends={ends} scale={scale} palette={palette} />
        <ColourHandles ends={ends} scale={scale} setEnd={setEnd} />
      </div>
      <Outliers plane={plane} ends={ends} shown={shown} />
      <div class="bar-fields">
        {field('low')}
        <span class="units">{units}</span>
        {field('high')}
        <button
          type="button"
          onClick={() => setEnds({ low: undefined, high: undefined })}
          title="From the 2 % to the 98 % quantile of the visible values"
        >
          2–98 %
        </button>
        <button type="button" onClick={() => setEnds({ low: shown.min, high: shown.max })}>
          All
        </button>
        {!isNatural && (
          <>
            <label>
              <input
                type="checkbox"
                checked={isLog}
                onChange={({ currentTarget }) => change({ isLog: currentTarget.checked })}
              />{' '}
              log
            </label>
            <label>
              Colours{' '}
              <select
                value={paletteOf(palette)}
                onChange={({ currentTarget }) => change({ palette: currentTarget.value })}
              >
                {palettes.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          </>
        )}
        <label>
          Blocks{' '}
          <select
            value={view.value.method ?? ''}
            onChange={({ currentTarget }) =>
              change({ method: methods.find((name) => name === currentTarget.value) })
            }
          >
            <option value="">automatic</option>
            {methods.map((name) => (
              <option key={name} value={name}>
                {name.toLowerCase()}
              </option>
            ))}
          </select>
        </label>
        <span class="missing-key">
          <span class="swatch" aria-hidden="true" /> {countText(shown.missing)} missing
        </span>
      </div>
    </div>
  );
}

interface BarsProps {
  readonly plane: LoadedPlane;
  readonly ends: Scale;
  readonly scale: Scale;
  readonly palette: string;
}

function HistogramBars({ plane, ends, scale, palette }: BarsProps) {
  const counts = useMemo(() => countBins(plane.values, ends, BINS), [plane, ends.low, ends.high, ends.isLog]);
  const most = Math.max(1, ...counts);
  const step = WIDTH / BINS;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Histogram of the visible values"
    >
      {[...counts].map((count, bin) => {
        const height = count === 0 ? 0 : Math.max(1, (count / most) * (HEIGHT - 12));
        const fraction = fractionOf(scale, valueAt(ends, (bin + 0.5) / BINS));
        // The map of greys begins with white, intensities with black.
        const colour = cssColour(palette, plane.channels === undefined ? fraction : 1 - fraction);
        return (
          <g key={bin} fill={colour}>
            <rect x={bin * step} y={HEIGHT - 12 - height} width={step - 0.5} height={height} />
            <rect x={bin * step} y={HEIGHT - 10} width={step + 0.5} height={10} />
          </g>
        );
      })}
    </svg>
  );
}

/** Says how many values the histogram omits, so that a few extremes do not compress all others into one bar. */
function Outliers({ plane, ends, shown }: Pick<BarsProps, 'plane' | 'ends'> & { readonly shown: Shown }) {
  const { below, above } = useMemo(() => countOutside(plane.values, ends), [plane, ends.low, ends.high]);
  if (below + above === 0) return null;
  const parts = [
    ...(below === 0 ? [] : [`${countText(below)} below, down to ${shortNumber(shown.min)}`]),
    ...(above === 0 ? [] : [`${countText(above)} above, up to ${shortNumber(shown.max)}`]),
  ];
  return <p class="note outliers">Values outside the histogram: {parts.join('; ')}.</p>;
}
