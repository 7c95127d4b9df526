/** A heat map that refines as one zooms, or a map, with its colour bar and the value under the pointer. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { ArrayModel, Dimension } from '../array/model.js';
import { titleOf, unitsOf } from '../array/model.js';
import { spanOf } from '../array/slice-of-view.js';
import { liveVersion } from '../array/live.js';
import { useLoad } from '../gateway/use-load.js';
import { canMap, placeOfAll } from '../map/map-frame.js';
import { MapView } from '../map/map-view.js';
import { useBusy } from '../parts/busy.js';
import { Problem } from '../parts/problem.js';
import { Progress } from '../parts/progress.js';
import { useWidth } from '../parts/use-width.js';
import { change, view } from '../state/current.js';
import type { View } from '../state/view.js';
import { ColourBar, type ColourEnds } from './colour-bar.js';
import { margins } from './draw.js';
import { HeatMap } from './heat-map.js';
import { LargeReadError, type LoadedPlane, loadPlane, planeKey, type PlanePart } from './load-plane.js';
import { aspectOf } from './orientation.js';
import { LargeRead, Resolution } from './resolution.js';
import { scaleOf, summarise } from './scale.js';
import { ValueLine } from './value-line.js';
import { fit } from './viewport.js';

/** Maximum number of values read along an axis, on any screen. */
const MAX_PIXELS = 1200;
const REFINE_AFTER_MS = 120;

interface PlaneViewProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
  /** Whether it is the second of two variables, which has a separate colour scale. */
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

/** Stored under the names of the second variable's settings. */
function besideEnds(ends: Partial<ColourEnds>): Partial<View> {
  return {
    ...('low' in ends ? { besideLow: ends.low } : {}),
    ...('high' in ends ? { besideHigh: ends.high } : {}),
  };
}

/** A map shows all positions. */
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
        onClick={() => change({ map: placeOfAll(x, y, width, width * 0.6) })}
      >
        Map
      </button>
    </div>
  );
}

/** Layers: the whole plane if it was loaded, and above it the part that was loaded last. */
function useLayers(
  data: LoadedPlane | undefined,
  model: ArrayModel,
  x: Dimension,
  y: Dimension,
): readonly LoadedPlane[] {
  const base = useRef<{ readonly of: string; readonly plane: LoadedPlane } | undefined>(undefined);
  if (data === undefined) return [];
  const { over, at, field } = view.value;
  const of = JSON.stringify([
    model.path,
    field,
    x.key,
    y.key,
    over,
    { ...at, [x.key]: 0, [y.key]: 0 },
    liveVersion.value,
  ]);
  const isWhole = data.spanX[1] - data.spanX[0] === x.size && data.spanY[1] - data.spanY[0] === y.size;
  if (isWhole) base.current = { of, plane: data };
  const below = base.current?.of === of && base.current.plane !== data ? [base.current.plane] : [];
  return [...below, data];
}
