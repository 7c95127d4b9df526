/** Shows latitudes and longitudes on a map: the gateway's tiles, coast lines, and the value under the pointer. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ArrayModel, Dimension } from '../array/model.js';
import { indexAt, recipeOf } from '../array/slice-of-view.js';
import { liveVersion } from '../array/live.js';
import { lazyOf } from '../array/read-recipe.js';
import { useLoad } from '../gateway/use-load.js';
import { Problem } from '../parts/problem.js';
import { useBusy } from '../parts/progress.js';
import { coastLines } from '../plane/coast.js';
import { hovered } from '../plane/viewport.js';
import { paletteOf } from '../plane/palettes.js';
import type { Scale } from '../plane/scale.js';
import { change, view, isTakenAsDark } from '../state/current.js';
import { coastPath, drawMap } from './draw-map.js';
import { positionOfAll } from './map-frame.js';
import { useMapPointer } from './map-pointer.js';
import { createTileCache, type TileCache } from './tile-cache.js';

interface MapViewProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
  readonly title: string;
  readonly width: number;
  /** The colour scale; undefined until its values are loaded. */
  readonly scale: Scale | undefined;
}

/** Time in ms without a change before links are requested, so that a moving handle of the colour bar requests none. */
const DEBOUNCE_MS = 200;

export function MapView({ model, x, y, title, width, scale }: MapViewProps) {
  const current = view.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [coast, setCoast] = useState<Path2D | undefined>();
  const [, redraw] = useState(0);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    coastLines().then(
      (lines) => setCoast(coastPath(lines)),
      () => {},
    );
  }, []);

  const recipe = recipeOf(model, current, { [x.key]: 'all', [y.key]: 'all' });
  const { palette } = current;
  const key = scale && JSON.stringify([recipe, palette, scale, liveVersion.value, attempt]);
  const loaded = useLoad(
    key,
    (signal) =>
      lazyOf(recipe).tiles({
        colorMap: paletteOf(palette),
        ...(scale === undefined ? {} : { range: [scale.low, scale.high] }),
        scale: scale?.isLog === true ? 'LOG' : 'LINEAR',
        signal,
      }),
    DEBOUNCE_MS,
  );
  const ratio = Math.min(2, devicePixelRatio || 1);
  const tiles = useTiles(loaded.data?.template, ratio, () => redraw((last) => last + 1));
  useBusy(!loaded.isCurrent || (tiles?.pending ?? 0) > 0);

  const height = Math.min(Math.round(innerHeight * 0.62), Math.max(220, Math.round(width * 0.62)));
  const position = current.map ?? { zoom: 0, latitude: 0, longitude: 0 };
  const frame = { width, height, position };
  const picture = {
    ...frame,
    ratio,
    x,
    y,
    tiles,
    coast,
    marked: current.isMarked ? { x: indexAt(current, x), y: indexAt(current, y) } : undefined,
    hovered: hovered.value,
    isDark: isTakenAsDark.value,
  };
  useEffect(() => {
    if (canvas.current !== null && width > 0) drawMap(canvas.current, picture);
  });
  const pointer = useMapPointer(canvas, { frame, x, y });
  return (
    <>
      <canvas
        ref={canvas}
        class="map"
        tabIndex={0}
        role="img"
        data-tiles={tiles === undefined || tiles.pending > 0 ? 'loading' : 'shown'}
        aria-label={`Map of ${title}. Arrow keys move the mark, with Shift the map; plus and minus zoom, 0 shows everything. The marked value is announced below.`}
        {...pointer}
      />
      <p class="map-buttons">
        <button type="button" onClick={() => change({ map: positionOfAll(x, y, width, height) })}>
          Show all
        </button>{' '}
        {tiles !== undefined && tiles.failed > 0 && (
          <button type="button" onClick={() => setAttempt(attempt + 1)}>
            Reload {tiles.failed} failed tiles
          </button>
        )}
      </p>
      <Problem error={loaded.error} retry={loaded.retry} />
    </>
  );
}

/** The tile cache of the latest links, which stay in use while new ones load; undefined before the first links. */
function useTiles(template: string | undefined, ratio: number, onChange: () => void): TileCache | undefined {
  const dense = ratio > 1 ? template?.replace('{y}', '{y}@2x') : template;
  const latest = useRef(onChange);
  latest.current = onChange;
  const cache = useMemo(
    () => (dense === undefined ? undefined : createTileCache(dense, () => latest.current())),
    [dense],
  );
  useEffect(() => () => cache?.close(), [cache]);
  return cache;
}
