/** A heat map with more detail at higher zoom levels, or a map, with its colour bar and the value under the pointer. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { liveVersion } from '../array/load-model.js';
import { type ArrayModel, type Dimension, titleOf, unitsOf } from '../array/model.js';
import { spanOf } from '../array/slice-of-view.js';
import { useLoad } from '../gateway/use-load.js';
import { canMap, positionOfAll } from '../map/map-frame.js';
import { MapView } from '../map/map-view.js';
import { bytesText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { Progress, useBusy, useWidth } from '../parts/progress.js';
import { change, view } from '../state/current.js';
import type { View } from '../state/view.js';
import { ColourBar, type ColourEnds } from './colour-bar.js';
import { margins } from './draw.js';
import { HeatMap } from './heat-map.js';
import { LargeReadError, type LoadedPlane, loadPlane, planeKey, type PlanePart } from './load-plane.js';
import { scaleOf, summarise } from './scale.js';
import { ValueLine } from './value-line.js';
import { fit, aspectOf } from './viewport.js';

/** Maximum number of values read along an axis, on any screen. */
const MAX_PIXELS = 1200;
const REFINE_AFTER_MS = 120;

interface PlaneViewProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
  /** Whether the plane shows the second of two variables, which has a separate colour scale. */
  readonly isSecond?: boolean;
}

export function PlaneView({ model, x, y, isSecond = false }: PlaneViewProps) {
  const isMap = view.value.map !== undefined && canMap(x, y);
  const current = isMap ? withoutSpans(view.value, x, y) : view.value;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [agreed, setAgreed] = useState<string | undefined>();
  const spanX = spanOf(current, x);
  const spanY = spanOf(current, y);
  const ratio = Math.min(2, devicePixelRatio || 1);
  const size = fit(
    Math.max(80, width - margins.left - margins.right),
    Math.max(240, Math.round(innerHeight * 0.62)),
    aspectOf(x, y, spanX, spanY),
  );
  const part: PlanePart = {
    x,
    y,
    spanX,
    spanY,
    pixelsX: Math.min(MAX_PIXELS, Math.round(size.width * ratio)),
    pixelsY: Math.min(MAX_PIXELS, Math.round(size.height * ratio)),
  };
  const version = liveVersion.value;
  const viewKey = planeKey(model, current, part, version, false);
  const isAgreed = agreed === viewKey;
  const key = planeKey(model, current, part, version, isAgreed);
  const loaded = useLoad(
    width === 0 ? undefined : key,
    (stop) => loadPlane(model, current, part, key, isAgreed, stop),
    REFINE_AFTER_MS,
    0,
  );
  useBusy(width > 0 && !loaded.isCurrent);
  const planes = useLayers(loaded.data, model, x, y);
  const latest = planes.at(-1);
  const shown = useMemo(() => (latest === undefined ? undefined : summarise(latest.values)), [latest]);
  const ends = isSecond
    ? { low: current.besideLow, high: current.besideHigh, isLog: current.isLog }
    : current;
  const scale = shown === undefined ? undefined : scaleOf(ends, shown, current.palette === 'balance');
  const title = titleOf(model);

  return (
    <section class="plane" aria-label={`Heat map of ${title}`}>
      <div class="plane-head">
        <h3>
          {title} {unitsOf(model) !== '' && <span class="units">{unitsOf(model)}</span>}
        </h3>
        {!isSecond && canMap(x, y) && <MapSwitch isMap={isMap} x={x} y={y} width={width} />}
      </div>
      <div ref={box} class="plane-box">
        {isMap ? (
          <MapView model={model} x={x} y={y} title={title} width={width} scale={scale} />
        ) : (
          <HeatMap model={model} x={x} y={y} {...size} ratio={ratio} planes={planes} scale={scale} />
        )}
      </div>
      <ValueLine model={model} x={x} y={y} />
      <Progress since={loaded.since} what={`Reading ${title}`} cancel={loaded.cancel} />
      {loaded.error instanceof LargeReadError ? (
        <LargeRead error={loaded.error} agree={() => setAgreed(viewKey)} />
      ) : (
        <Problem error={loaded.error} retry={loaded.retry} />
      )}
      {!isMap && <Resolution plane={latest} />}
      <div class="bar-place">
        {latest !== undefined && shown !== undefined && scale !== undefined && (
          <ColourBar
            plane={latest}
            shown={shown}
            scale={scale}
            units={unitsOf(model)}
            setEnds={(changed) => change(isSecond ? besideEnds(changed) : changed)}
          />
        )}
      </div>
    </section>
  );
}

/** Converts the ends to the settings of the second variable. */
function besideEnds(ends: Partial<ColourEnds>): Partial<View> {
  return {
    ...('low' in ends ? { besideLow: ends.low } : {}),
    ...('high' in ends ? { besideHigh: ends.high } : {}),
  };
}

/** The view without visible spans, because a map shows all positions. */
function withoutSpans(view: View, x: Dimension, y: Dimension): View {
  const { [x.key]: _x, [y.key]: _y, ...span } = view.span;
  return { ...view, span };
}

interface MapSwitchProps {
  readonly isMap: boolean;
  readonly x: Dimension;
  readonly y: Dimension;
  readonly width: number;
}

function MapSwitch({ isMap, x, y, width }: MapSwitchProps) {
  return (
    <div class="tabs" role="group" aria-label="Projection">
      <button type="button" aria-pressed={!isMap} onClick={() => change({ map: undefined })}>
        Grid
      </button>
      <button
        type="button"
        aria-pressed={isMap}
        onClick={() => change({ map: positionOfAll(x, y, width, width * 0.6) })}
      >
        Map
      </button>
    </div>
  );
}

/** The layers: the whole plane if it has been loaded, covered by the part that was loaded last. */
function useLayers(
  data: LoadedPlane | undefined,
  model: ArrayModel,
  x: Dimension,
  y: Dimension,
): readonly LoadedPlane[] {
  const base = useRef<{ readonly key: string; readonly plane: LoadedPlane } | undefined>(undefined);
  if (data === undefined) return [];
  const { over, at, field } = view.value;
  const key = JSON.stringify([
    model.path,
    field,
    x.key,
    y.key,
    over,
    { ...at, [x.key]: 0, [y.key]: 0 },
    liveVersion.value,
  ]);
  const isWhole = data.spanX[1] - data.spanX[0] === x.size && data.spanY[1] - data.spanY[0] === y.size;
  if (isWhole) base.current = { key, plane: data };
  const below = base.current?.key === key && base.current.plane !== data ? [base.current.plane] : [];
  return [...below, data];
}

/** States whether a heat map shows every value, a level of the image, or blocks of values. */
function Resolution({ plane }: { readonly plane: LoadedPlane | undefined }) {
  if (plane === undefined) return <p class="note">&nbsp;</p>;
  if (plane.isExact) return <p class="note">Every value is shown.</p>;
  const block = `${Math.round((plane.spanX[1] - plane.spanX[0]) / plane.columns)} × ${Math.round((plane.spanY[1] - plane.spanY[0]) / plane.rows)}`;
  if (plane.level !== undefined)
    return <p class="note">Level {plane.level.path}; zoom in for a finer resolution.</p>;
  return (
    <p class="note">
      A pixel {plane.method === 'NEAREST' ? 'samples' : 'combines'} about {block} values; zoom in to see every
      value.
      {plane.method === 'NEAREST' && view.value.method === undefined && (
        <>
          {' '}
          <button type="button" class="link" onClick={() => change({ method: 'MEAN' })}>
            Average all values
          </button>
        </>
      )}
    </p>
  );
}

/** Asks the user to confirm an expensive read, or states which limits it would exceed. */
function LargeRead({ error, agree }: { readonly error: LargeReadError; readonly agree: () => void }) {
  const { cost } = error;
  if (!cost.isAllowed)
    return (
      <div class="problem" role="alert">
        <p>
          <strong>LIMIT_EXCEEDED</strong> {cost.exceeded.join(', ')}
        </p>
        <p>Zoom in, or raise the limit of the gateway.</p>
      </div>
    );
  return (
    <div class="problem mild" role="alert">
      <p>
        {error.message} It decodes {bytesText(cost.bytes)}.
      </p>
      <button type="button" onClick={agree}>
        Read {bytesText(cost.bytes)}
      </button>
    </div>
  );
}
