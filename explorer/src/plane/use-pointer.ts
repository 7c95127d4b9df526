import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { indexAt } from '../array/slice-of-view.js';
import { change, view } from '../state/current.js';
import type { Span } from '../state/view.js';
import { cellAt, type Frame, margins } from './draw.js';
import { scroll, zoom } from './viewport.js';

interface Point {
  readonly left: number;
  readonly top: number;
}

/** A pointer that moved at most this far, in pixels, is a click. */
const CLICK_PX = 4;

export function usePointer(
  canvas: RefObject<HTMLCanvasElement | null>,
  frame: Frame,
  onHover: (at: { readonly x: number; readonly y: number } | undefined) => void,
) {
  const latest = useRef(frame);
  latest.current = frame;
  const drag = useRef<
    { readonly from: Point; readonly spanX: Span; readonly spanY: Span; moved: boolean } | undefined
  >(undefined);
  const fingers = useRef(new Map<number, Point>());

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { left, top } = pointOf(event);
      const { width, height, isFlipped } = latest.current;
      const across = (left - margins.left) / width;
      const down = (top - margins.top) / height;
      if (across < 0 || across > 1 || down < 0 || down > 1) return;
      event.preventDefault();
      zoomBy(
        latest.current,
        Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))),
        across,
        isFlipped ? 1 - down : down,
      );
    };
    // Not passive, because the listener prevents the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas]);

  return {
    onPointerDown(event: PointerEvent) {
      const from = pointOf(event);
      fingers.current.set(event.pointerId, from);
      const { spanX, spanY } = latest.current;
      drag.current = { from, spanX, spanY, moved: fingers.current.size > 1 };
      canvas.current?.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      const point = pointOf(event);
      const { current: frameNow } = latest;
      const others = [...fingers.current].filter(([id]) => id !== event.pointerId);
      const [other] = others;
      const before = fingers.current.get(event.pointerId);
      if (before !== undefined) fingers.current.set(event.pointerId, point);
      if (other !== undefined && before !== undefined) {
        const ratio = distance(before, other[1]) / Math.max(1, distance(point, other[1]));
        zoomBy(frameNow, ratio, 0.5, 0.5);
        return;
      }
      const { current: started } = drag;
      if (started === undefined) {
        onHover(cellAt(frameNow, point.left, point.top));
        return;
      }
      const [across, down] = [point.left - started.from.left, point.top - started.from.top];
      if (Math.hypot(across, down) > CLICK_PX) started.moved = true;
      if (!started.moved) return;
      const { width, height, isFlipped, x, y } = frameNow;
      const byX = (-across / width) * (started.spanX[1] - started.spanX[0]);
      const byY = ((isFlipped ? down : -down) / height) * (started.spanY[1] - started.spanY[0]);
      setSpans(frameNow, scroll(started.spanX, x.size, byX), scroll(started.spanY, y.size, byY));
    },
    onPointerUp(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      const { current: started } = drag;
      if (fingers.current.size === 0) drag.current = undefined;
      if (started === undefined || started.moved) return;
      const { left, top } = pointOf(event);
      const cell = cellAt(latest.current, left, top);
      if (cell !== undefined) mark(latest.current, cell.x, cell.y);
    },
    onPointerCancel(event: PointerEvent) {
      fingers.current.delete(event.pointerId);
      drag.current = undefined;
    },
    onPointerLeave: () => onHover(undefined),
    onDblClick: () => showAll(latest.current),
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (handleKey(latest.current, event.key, event.shiftKey)) event.preventDefault();
    },
  };
}

function handleKey(frame: Frame, key: string, isShifted: boolean): boolean {
  const { x, y, spanX, spanY, isFlipped } = frame;
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, isFlipped ? 1 : -1],
    ArrowDown: [0, isFlipped ? -1 : 1],
  };
  const step = steps[key];
  if (step !== undefined) {
    const [byX, byY] = step;
    if (isShifted) {
      const quarter = ([start, stop]: Span) => Math.max(1, (stop - start) / 4);
      setSpans(
        frame,
        scroll(spanX, x.size, byX * quarter(spanX)),
        scroll(spanY, y.size, byY * quarter(spanY)),
      );
    } else {
      const inside = (index: number, size: number) => Math.min(size - 1, Math.max(0, index));
      mark(frame, inside(indexAt(view.value, x) + byX, x.size), inside(indexAt(view.value, y) + byY, y.size));
    }
    return true;
  }
  if (key === '+' || key === '=') zoomBy(frame, 0.5, 0.5, 0.5);
  else if (key === '-') zoomBy(frame, 2, 0.5, 0.5);
  else if (key === '0') showAll(frame);
  else return false;
  return true;
}

function zoomBy(frame: Frame, factor: number, across: number, up: number): void {
  const { x, y, spanX, spanY } = frame;
  setSpans(frame, zoom(spanX, x.size, factor, across), zoom(spanY, y.size, factor, up));
}

function showAll({ x, y }: Pick<Frame, 'x' | 'y'>): void {
  const { [x.key]: _x, [y.key]: _y, ...others } = view.value.span;
  change({ span: others });
}

function setSpans({ x, y }: Frame, spanX: Span, spanY: Span): void {
  change({ span: { ...view.value.span, [x.key]: spanX, [y.key]: spanY } });
}

function mark({ x, y }: Frame, indexX: number, indexY: number): void {
  change({ at: { ...view.value.at, [x.key]: indexX, [y.key]: indexY }, isMarked: true });
}

function pointOf(event: MouseEvent): Point {
  return { left: event.offsetX, top: event.offsetY };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.left - b.left, a.top - b.top);
}
