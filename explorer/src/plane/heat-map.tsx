/** The canvas of a heat map, with its axes, coast lines and marks. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ArrayModel, type Dimension, titleOf } from '../array/model.js';
import { indexAt, spanOf } from '../array/slice-of-view.js';
import { isTakenAsDark, view } from '../state/current.js';
import { coastOf } from './coast.js';
import { draw, type Frame } from './draw.js';
import type { LoadedPlane } from './load-plane.js';
import type { Scale } from './scale.js';
import { hovered, isFlipped } from './viewport.js';
import { usePointer } from './use-pointer.js';

interface HeatMapProps {
  readonly model: ArrayModel;
  readonly x: Dimension;
  readonly y: Dimension;
  /** Size without margins, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly planes: readonly LoadedPlane[];
  readonly scale: Scale | undefined;
}

export function HeatMap({ model, x, y, ...picture }: HeatMapProps) {
  const current = view.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const coast = useCoast(x, y);
  const frame: Frame = {
    ...picture,
    x,
    y,
    spanX: spanOf(current, x),
    spanY: spanOf(current, y),
    isFlipped: isFlipped(y),
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
  return (
    <canvas
      ref={canvas}
      tabIndex={0}
      role="img"
      aria-label={`Heat map of ${titleOf(model)}: ${y.key} over ${x.key}. Arrow keys move the mark, plus and minus zoom, 0 shows everything. The marked value is announced below.`}
      {...pointer}
    />
  );
}

function useCoast(x: Dimension, y: Dimension): Float64Array | undefined {
  const [coast, setCoast] = useState<Float64Array | undefined>();
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
  return coast;
}
