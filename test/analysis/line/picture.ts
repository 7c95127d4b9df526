/** Draws lines without antialiasing, as the pixels of a grid that they touch. */

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The smallest and the largest label. */
  readonly x: readonly [number, number];
  /** The smallest and the largest value. */
  readonly y: readonly [number, number];
}

/** Points joined by lines (Bresenham); a missing value breaks the line. */
export function draw(x: readonly number[], y: readonly number[], frame: Frame): Picture {
  const { width, height } = frame;
  const pixels = new Uint8Array(width * height);
  let before: readonly [number, number] | undefined;
  x.forEach((label, i) => {
    const value = y[i] ?? NaN;
    if (Number.isNaN(value)) {
      before = undefined;
      return;
    }
    const point = [columnOf(label, frame.x, width), columnOf(value, frame.y, height)] as const;
    segment(before ?? point, point, (column, row) => {
      if (column >= 0 && column < width) pixels[row * width + column] = 1;
    });
    before = point;
  });
  return { width, height, pixels };
}

function columnOf(value: number, [from, to]: readonly [number, number], count: number): number {
  const column = Math.floor(((value - from) * count) / (to - from));
  return value === to ? count - 1 : column;
}

function segment(
  [x0, y0]: readonly [number, number],
  [x1, y1]: readonly [number, number],
  touch: (x: number, y: number) => void,
): void {
  const [dx, dy] = [Math.abs(x1 - x0), -Math.abs(y1 - y0)];
  const [sx, sy] = [x0 < x1 ? 1 : -1, y0 < y1 ? 1 : -1];
  let [x, y, error] = [x0, y0, dx + dy];
  for (;;) {
    touch(x, y);
    if (x === x1 && y === y1) return;
    const twice = 2 * error;
    if (twice >= dy) {
      error += dy;
      x += sx;
    }
    if (twice <= dx) {
      error += dx;
      y += sy;
    }
  }
}
