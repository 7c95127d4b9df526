/** Mouse, touch and keyboard input of a map. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Dimension } from '../array/model.js';
import { indexAt } from '../array/slice-of-view.js';
import { hovered } from '../plane/viewport.js';
import { change, view } from '../state/current.js';
import {
  canvasPoint,
  cellAt,
  centredAt,
  type MapFrame,
  positionOfAll,
  pointOf,
  worldAt,
  zoomedAt,
} from './map-frame.js';

interface Touched {
  readonly left: number;
  readonly top: number;
}

interface MapAxes {
  readonly frame: MapFrame;
  readonly x: Dimension;
  readonly y: Dimension;
}

/** A pointer that moved at most this far, in pixels, is a click. */
const CLICK_PX = 4;

export function useMapPointer(canvas: RefObject<HTMLCanvasElement | null>, axes: MapAxes) {
  const latest = useRef(axes);
  latest.current = axes;
  const fingers = useRef(new Map<number, Touched>());
  const drag = useRef<{ readonly from: Touched; readonly frame: MapFrame; moved: boolean } | undefined>(
    undefined,
  );

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const by = Math.max(-1, Math.min(1, -event.deltaY / 300));
      change({ map: zoomedAt(latest.current.frame, by, event.offsetX, event.offsetY) });
    };
    // Not passive, because the listener prevents the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas]);

  return {
    onPointerDown(event: PointerEvent) {
      const from = touchedAt(event);
      fingers.current.set(event.pointerId, from);
      drag.current = { from, frame: latest.current.frame, moved: fingers.current.size > 1 };
      canvas.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const now = touchedAt(event);
      const { frame, x, y } = latest.current;
      const before = fingers.current.get(event.pointerId);
      const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId);
      if (before === undefined) {
        hovered.value = cellAt(frame, x, y, now.left, now.top);
        return;
      }
      fingers.current.set(event.pointerId, now);
      if (other !== undefined) {
        const [, still] = other;
        const ratio = distance(now, still) / Math.max(1, distance(before, still));
        change({
          map: zoomedAt(frame, Math.log2(ratio), (now.left + still.left) / 2, (now.top + still.top) / 2),
        });
        return;
      }
      const { current: started } = drag;
      if (started === undefined) return;
      if (distance(now, started.from) > CLICK_PX) started.moved = true;
      if (started.moved) change({ map: moved(started.frame, started.from, now) });
    },
    onPointerUp(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      const { current: started } = drag;
      if (fingers.current.size === 0) drag.current = undefined;
      if (started === undefined || started.moved) return;
      const { frame, x, y } = latest.current;
      const { left, top } = touchedAt(event);
      const cell = cellAt(frame, x, y, left, top);
      if (cell !== undefined)
        change({ at: { ...view.value.at, [x.key]: cell.x, [y.key]: cell.y }, isMarked: true });
    },
    onPointerCancel(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      drag.current = undefined;
    },
    onPointerLeave: () => (hovered.value = undefined),
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (handleKey(latest.current, event.key, event.shiftKey)) event.preventDefault();
    },
  };
}

/** The position of the map after a drag. */
function moved(frame: MapFrame, from: Touched, to: Touched) {
  const left = frame.width / 2 - (to.left - from.left);
  const top = frame.height / 2 - (to.top - from.top);
  return centredAt(worldAt(frame, left, top), frame.position.zoom);
}

const directions: Readonly<Record<string, readonly [east: number, north: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

function handleKey({ frame, x, y }: MapAxes, key: string, isShifted: boolean): boolean {
  const { width, height, position } = frame;
  const direction = directions[key];
  if (direction !== undefined) {
    const [east, north] = direction;
    if (isShifted) {
      const middle = worldAt(frame, width / 2 + (east * width) / 4, height / 2 - (north * height) / 4);
      change({ map: centredAt(middle, position.zoom) });
    } else moveMark({ frame, x, y }, east, north);
    return true;
  }
  if (key === '+' || key === '=') change({ map: zoomedAt(frame, 1, width / 2, height / 2) });
  else if (key === '-') change({ map: zoomedAt(frame, -1, width / 2, height / 2) });
  else if (key === '0') change({ map: positionOfAll(x, y, width, height) });
  else return false;
  return true;
}

/** Moves the mark by one cell; the map follows a mark that leaves it. */
function moveMark({ frame, x, y }: MapAxes, east: number, north: number): void {
  const step = (dim: Dimension, by: number) => {
    const numbers = dim.labels?.numbers;
    const rises = (numbers?.at(-1) ?? 0) > (numbers?.[0] ?? 0);
    return Math.min(dim.size - 1, Math.max(0, indexAt(view.value, dim) + (rises ? by : -by)));
  };
  const cell = { x: step(x, east), y: step(y, north) };
  const point = pointOf(x, y, cell);
  const turn = Math.round(worldAt(frame, frame.width / 2, 0).x - point.x);
  const { left, top } = canvasPoint(frame, { x: point.x + turn, y: point.y });
  const isOutside = left < 0 || left > frame.width || top < 0 || top > frame.height;
  change({
    at: { ...view.value.at, [x.key]: cell.x, [y.key]: cell.y },
    isMarked: true,
    ...(isOutside ? { map: centredAt(point, frame.position.zoom) } : {}),
  });
}

function touchedAt(event: MouseEvent): Touched {
  return { left: event.offsetX, top: event.offsetY };
}

function distance(a: Touched, b: Touched): number {
  return Math.hypot(a.left - b.left, a.top - b.top);
}
