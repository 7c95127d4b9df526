/** A heat map with more detail at higher zoom levels, or a map, with its colour bar and the value under the pointer. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { liveVersion } from '../array/live.js';
import { framesAhead, isPlaying } from '../array/player.js';
import { type ArrayModel, type Dimension, titleOf, unitsOf } from '../array/model.js';
import { nameOf } from '../array/recipe.js';
import { channelsOf, dtypeOf, spanOf } from '../array/slice-of-view.js';
import { useLoad } from '../gateway/use-load.js';
import { canMap, positionOfAll } from '../map/map-frame.js';
import { MapView } from '../map/map-view.js';
import { bytesText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { Progress, useBusy, useWidth } from '../parts/progress.js';
import { change, view } from '../state/current.js';
import type { Method, Span, View } from '../state/view.js';
import { ColourBar, type ColourEnds } from './colour-bar.js';
import { margins } from './draw.js';
import { isCentred } from './palettes.js';
import { dropFrames, readAhead, takeFrame } from './frames.js';
import { HeatMap } from './heat-map.js';
import {
  type Agreed,
  LargeReadError,
  type LoadedPlane,
  loadPlane,
  middleOf,
  planeKey,
  type PlanePart,
} from './load-plane.js';
import { fullIntensity, type Scale, scaleOf, type Shown, summarise } from './scale.js';
import { shownPlanes } from './shown.js';
import { describe, ValueLine } from './value-line.js';
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
  const [agreed, setAgreed] = useState<Agreed | undefined>();
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
  const key = planeKey(model, current, part, version);
  // A choice is also that for other positions, so that an animation does not ask for each frame.
  const choiceKey = planeKey(model, { ...current, at: {} }, part, 0);
  const choice = agreed?.key === choiceKey ? agreed : undefined;
  const loaded = useLoad(
    width === 0 ? undefined : `${key} ${choice === undefined ? '' : (choice.method ?? 'MEAN')}`,
    (stop) => takeFrame(key) ?? loadPlane(model, current, part, key, choice, stop),
    REFINE_AFTER_MS,
    0,
  );
  useBusy(width > 0 && !loaded.isCurrent);
  useEffect(() => {
    if (!isPlaying.value) dropFrames();
    if (!isPlaying.value || !loaded.isCurrent) return;
    for (const at of framesAhead(model.dimensions, current.at)) {
      const next = { ...current, at };
      const nextKey = planeKey(model, next, part, version);
      readAhead(nextKey, (stop) => loadPlane(model, next, part, nextKey, choice, stop));
    }
  });
  const planes = useLayers(loaded.data, model, x, y);
  const latest = planes.at(-1);
  const shown = useMemo(() => (latest === undefined ? undefined : summarise(latest.values)), [latest]);
  const ends = isSecond
    ? { low: current.besideLow, high: current.besideHigh, isLog: current.isLog }
    : current;
  const scale = useStillScale(shown && scaleOfView(model, current, ends, shown));
  const hasTitle = current.beside !== undefined || current.minus !== undefined;
  const minusText = minusTextOf(model, current);
  const title = `${titleOf(model)}${minusText}`;
  usePublished(isSecond, latest, scale, title, unitsOf(model));

  return (
    <section class="plane" aria-label={`Heat map of ${title}`}>
      <div class="plane-head">
        {/* The page has the title of a single picture. */}
        {hasTitle ? (
          <h3>
            {title} <span class="units">{unitsOf(model)}</span>
          </h3>
        ) : (
          <span class="units">{unitsOf(model)}</span>
        )}
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
        <LargeRead
          error={loaded.error}
          agree={(method) => setAgreed({ key: choiceKey, method })}
          zoomIn={() => showPart(part, middleOf(model, current, part))}
        />
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

/** What is subtracted, for the title: ` − AIRT` or ` − (TIME 2001-01)`. */
function minusTextOf(model: ArrayModel, { minus, at }: View): string {
  if (minus === undefined) return '';
  const moved = model.dimensions.filter(({ key }) => (minus.at[key] ?? at[key] ?? 0) !== (at[key] ?? 0));
  const positions = moved.map((dim) => describe(dim, minus.at[dim.key] ?? 0)).join(', ');
  if (minus.store !== undefined) return ` − version ${minus.store.split('@')[1] ?? minus.store}`;
  const name = minus.path === model.path ? '' : nameOf(minus.path);
  if (name === '') return ` − (${positions === '' ? 'itself' : positions})`;
  return ` − ${name}${positions === '' ? '' : ` (${positions})`}`;
}

/** Publishes the shown plane for the scatter plot and the saved picture. */
function usePublished(
  isSecond: boolean,
  plane: LoadedPlane | undefined,
  scale: Scale | undefined,
  title: string,
  units: string,
): void {
  const name = isSecond ? 'second' : 'first';
  useEffect(() => {
    const published = plane === undefined || scale === undefined ? undefined : { plane, scale, title, units };
    shownPlanes.value = { ...shownPlanes.peek(), [name]: published };
  }, [name, plane, scale?.low, scale?.high, scale?.isLog, title, units]);
  useEffect(
    () => () => {
      shownPlanes.value = { ...shownPlanes.peek(), [name]: undefined };
    },
    [name],
  );
}

/** The scale of the view; natural colours span the range of the data type. */
function scaleOfView(
  model: ArrayModel,
  current: View,
  ends: ColourEnds & { readonly isLog: boolean },
  shown: Shown,
) {
  if (channelsOf(model, current) === undefined)
    return scaleOf(ends, shown, isCentred(current.palette) || current.minus !== undefined);
  const full = fullIntensity(dtypeOf(model, current));
  return {
    low: ends.low ?? (full === undefined ? shown.min : 0),
    high: ends.high ?? full ?? shown.max,
    isLog: false,
  };
}

/** The scale; while an animation plays, that of its first frame, so that equal colours mean equal values. */
function useStillScale(scale: Scale | undefined): Scale | undefined {
  const still = useRef<Scale | undefined>(undefined);
  if (!isPlaying.value) still.current = undefined;
  else still.current ??= scale;
  return still.current ?? scale;
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
  const { over, at, field, rgb, part, minus } = view.value;
  const key = JSON.stringify([
    model.path,
    field,
    rgb,
    part,
    minus,
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

function showPart(
  { x, y }: PlanePart,
  { spanX, spanY }: { readonly spanX: Span; readonly spanY: Span },
): void {
  change({ span: { ...view.value.span, [x.key]: spanX, [y.key]: spanY } });
}

interface LargeReadProps {
  readonly error: LargeReadError;
  readonly agree: (method: Method | undefined) => void;
  readonly zoomIn: () => void;
}

/** Offers the reads of a large plane that the limits of the gateway allow, and to zoom in. */
function LargeRead({ error: { choices, exceeded }, agree, zoomIn }: LargeReadProps) {
  return (
    <div class="problem mild" role="alert">
      <p>
        {choices.length === 0
          ? 'This plane is larger than the gateway may read at once. Show a part of it.'
          : 'This plane is large. Choose how to draw it.'}
        {exceeded.length > 0 && <span class="note"> Limit exceeded: {exceeded.join(', ')}.</span>}
      </p>
      <p class="line-buttons">
        {choices.map(({ method, cost }) => (
          <button type="button" key={method ?? 'MEAN'} onClick={() => agree(method)}>
            {methodText(method)}: reads {bytesText(cost.bytes)}
          </button>
        ))}
        {view.value.method !== undefined && (
          <button type="button" onClick={() => change({ method: undefined })}>
            Choose the reduction automatically
          </button>
        )}
        <button type="button" onClick={zoomIn}>
          Zoom in to the middle
        </button>
      </p>
    </div>
  );
}

function methodText(method: Method | undefined): string {
  if (method === undefined) return 'Average all values';
  return method === 'NEAREST' ? 'Sample values' : `Combine values by ${method.toLowerCase()}`;
}
