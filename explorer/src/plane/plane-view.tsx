/** A heat map that refines on zoom. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ArrayModel, Dimension } from '../array/model.js';
import { titleOf, unitsOf } from '../array/model.js';
import { indexAt, spanOf } from '../array/slice-of-view.js';
import { liveVersion } from '../array/live.js';
import { bytesText } from '../parts/format.js';
import { Problem } from '../parts/problem.js';
import { Progress } from '../parts/progress.js';
import { useLoad } from '../gateway/use-load.js';
import { change, view } from '../state/current.js';
import { isTakenAsDark } from '../state/theme.js';
import { coastOf } from './coast.js';
import { ColourBar } from './colour-bar.js';
import { draw, type Frame, margins } from './draw.js';
import { LargeReadError, type LoadedPlane, loadPlane, planeKey, type PlanePart } from './load-plane.js';
import { usePointer } from './pointer.js';
import { scaleOf, summarise } from './scale.js';
import { ValueLine } from './value-line.js';
import { aspectOf, isFlipped } from './orientation.js';
import { fit } from './viewport.js';

/** The position under the pointer, shared by heat maps shown side by side. */
export const hovered = signal<{ readonly x: number; readonly y: number } | undefined>(undefined);

/** Maximum number of values read along an axis, however large the screen. */
const MAX_PIXELS = 1200;
const REFINE_AFTER_MS = 120;

interface PlaneViewProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
}

export function PlaneView({ model, x, y }: PlaneViewProps) {
  const current = view.value;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [coast, setCoast] = useState<Float64Array | undefined>();
  const [agreed, setAgreed] = useState<string | undefined>();
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    let isGone = false;
    coastOf(x, y).then(
      (points) => {
        if (!isGone) setCoast(points);
      },
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [x, y]);

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
  );
  const planes = useLayers(loaded.data, model, x, y);
  const latest = planes.at(-1);
  const shown = useMemo(() => (latest === undefined ? undefined : summarise(latest.values)), [latest]);
  const scale = shown === undefined ? undefined : scaleOf(current, shown, current.palette === 'balance');

  const frame: Frame = {
    width: size.width,
    height: size.height,
    ratio,
    x,
    y,
    spanX,
    spanY,
    isFlipped: isFlipped(y),
    planes,
    scale,
    palette: current.palette,
    coast,
    marked: current.isMarked ? { x: indexAt(current, x), y: indexAt(current, y) } : undefined,
    hovered: hovered.value,
    isDark: isTakenAsDark.value,
  };
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, frame);
  });
  const pointer = usePointer(canvas, frame, (at) => (hovered.value = at));
  const title = titleOf(model);

  return (
    <section class="plane" aria-label={`Heat map of ${title}`}>
      <h3>
        {title} {unitsOf(model) !== '' && <span class="units">{unitsOf(model)}</span>}
      </h3>
      <div ref={box} class="plane-box">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`Heat map of ${title}: ${y.key} over ${x.key}. Arrow keys move the mark, plus and minus zoom, 0 shows everything. The marked value is announced below.`}
          {...pointer}
        />
      </div>
      <ValueLine model={model} x={x} y={y} />
      <Progress since={loaded.since} what={`Reading ${title}`} cancel={loaded.cancel} />
      {loaded.error instanceof LargeReadError ? (
        <LargeRead error={loaded.error} agree={() => setAgreed(viewKey)} />
      ) : (
        <Problem error={loaded.error} retry={loaded.retry} />
      )}
      {latest !== undefined && <Resolution plane={latest} />}
      {latest !== undefined && shown !== undefined && scale !== undefined && (
        <ColourBar plane={latest} shown={shown} scale={scale} units={unitsOf(model)} />
      )}
    </section>
  );
}

/** Draws the whole plane, if loaded, below the part that was loaded last. */
function useLayers(
  data: LoadedPlane | undefined,
  model: ArrayModel,
  x: Dimension,
  y: Dimension,
): readonly LoadedPlane[] {
  const base = useRef<{ readonly of: string; readonly plane: LoadedPlane } | undefined>(undefined);
  if (data === undefined) return [];
  const { over, at } = view.value;
  const of = JSON.stringify([
    model.path,
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

function Resolution({ plane }: { readonly plane: LoadedPlane }) {
  if (plane.isExact) return <p class="note">Each value is drawn.</p>;
  const block = `${Math.round((plane.spanX[1] - plane.spanX[0]) / plane.columns)} × ${Math.round((plane.spanY[1] - plane.spanY[0]) / plane.rows)}`;
  if (plane.level !== undefined) return <p class="note">Level {plane.level.path}; zoom in for finer ones.</p>;
  return (
    <p class="note">
      A pixel {plane.method === 'NEAREST' ? 'samples' : 'combines'} about {block} values; zoom in for each.
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
