/** Draws a heat map with its axes on a canvas. */
import type { Dimension } from '../array/model.js';
import type { Span } from '../state/view.js';
import type { LoadedPlane } from './load-plane.js';
import { paint } from './paint.js';
import type { Scale } from './scale.js';
import { ticksOf } from './ticks.js';

/** Margins around the picture, in CSS pixels. */
export const margins = { left: 70, right: 10, top: 6, bottom: 26 } as const;

export interface Frame {
  /** Size of the picture without margins, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly x: Dimension;
  readonly y: Dimension;
  readonly spanX: Span;
  readonly spanY: Span;
  readonly isFlipped: boolean;
  /** The layers to draw. Later layers cover earlier ones. */
  readonly planes: readonly LoadedPlane[];
  readonly scale: Scale | undefined;
  readonly palette: string;
  readonly coast: Float64Array | undefined;
  readonly marked: { readonly x: number; readonly y: number } | undefined;
  readonly hovered: { readonly x: number; readonly y: number } | undefined;
  readonly isDark: boolean;
}

function pixelX({ spanX, width }: Frame, position: number): number {
  return margins.left + ((position - spanX[0]) / (spanX[1] - spanX[0])) * width;
}

function pixelY({ spanY, height, isFlipped }: Frame, position: number): number {
  const fraction = (position - spanY[0]) / (spanY[1] - spanY[0]);
  return margins.top + (isFlipped ? 1 - fraction : fraction) * height;
}

/** The cell at a point of the canvas; undefined outside the picture. */
export function cellAt(
  frame: Frame,
  left: number,
  top: number,
): { readonly x: number; readonly y: number } | undefined {
  const { spanX, spanY, width, height, isFlipped } = frame;
  const across = (left - margins.left) / width;
  const down = (top - margins.top) / height;
  if (across < 0 || across >= 1 || down < 0 || down >= 1) return undefined;
  const up = isFlipped ? 1 - down : down;
  const cell = ([start, stop]: Span, fraction: number) =>
    Math.min(stop - 1, Math.floor(start + fraction * (stop - start)));
  return { x: cell(spanX, across), y: cell(spanY, up) };
}

export function draw(canvas: HTMLCanvasElement, frame: Frame): void {
  const { width, height, ratio } = frame;
  const [fullWidth, fullHeight] = [
    width + margins.left + margins.right,
    height + margins.top + margins.bottom,
  ];
  const [pixelWidth, pixelHeight] = [Math.round(fullWidth * ratio), Math.round(fullHeight * ratio)];
  // Setting the size also clears it.
  canvas.width = pixelWidth;
  canvas.height = pixelHeight;
  canvas.style.width = `${fullWidth}px`;
  canvas.style.height = `${fullHeight}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = frame.isDark ? '#3a3f45' : '#d9dce0';
  context.fillRect(margins.left, margins.top, width, height);
  context.save();
  context.beginPath();
  context.rect(margins.left, margins.top, width, height);
  context.clip();
  context.imageSmoothingEnabled = false;
  for (const plane of frame.planes) drawPlane(context, frame, plane);
  drawCoast(context, frame);
  drawMarks(context, frame);
  context.restore();
  drawAxes(context, frame);
}

/** Caches the pictures of planes, which are redrawn on zoom. */
const pictures = new WeakMap<LoadedPlane, { readonly key: string; readonly canvas: HTMLCanvasElement }>();

function pictureOf(plane: LoadedPlane, scale: Scale, palette: string): HTMLCanvasElement {
  const key = JSON.stringify([scale, palette]);
  const known = pictures.get(plane);
  if (known?.key === key) return known.canvas;
  const canvas = document.createElement('canvas');
  canvas.width = plane.columns;
  canvas.height = plane.rows;
  const image = new ImageData(plane.columns, plane.rows);
  new Uint32Array(image.data.buffer).set(paint(plane, scale, palette));
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  pictures.set(plane, { key, canvas });
  return canvas;
}

function drawPlane(context: CanvasRenderingContext2D, frame: Frame, plane: LoadedPlane): void {
  if (frame.scale === undefined || plane.columns === 0 || plane.rows === 0) return;
  const picture = pictureOf(plane, frame.scale, frame.palette);
  const [left, right] = [pixelX(frame, plane.spanX[0]), pixelX(frame, endOf(plane.spanX, plane.columns))];
  const [top, bottom] = [pixelY(frame, plane.spanY[0]), pixelY(frame, endOf(plane.spanY, plane.rows))];
  // Clears the area first, so that later layers hide earlier ones even where values are missing.
  context.clearRect(left, Math.min(top, bottom), right - left, Math.abs(bottom - top));
  context.fillRect(left, Math.min(top, bottom), right - left, Math.abs(bottom - top));
  context.save();
  context.translate(left, top);
  context.scale((right - left) / plane.columns, (bottom - top) / plane.rows);
  context.drawImage(picture, 0, 0);
  context.restore();
}

/**
 * The end of the last block if it were complete, because all blocks have the same size on the screen.
 */
function endOf([start, stop]: Span, count: number): number {
  const length = stop - start;
  const block = Math.ceil(length / count);
  return length % count === 0 || Math.ceil(length / block) !== count ? stop : start + block * count;
}

function drawCoast(context: CanvasRenderingContext2D, frame: Frame): void {
  const { coast } = frame;
  if (coast === undefined) return;
  context.beginPath();
  let isNew = true;
  for (let i = 0; i + 1 < coast.length; i += 2) {
    const [x = Number.NaN, y = Number.NaN] = [coast[i], coast[i + 1]];
    if (Number.isNaN(x)) isNew = true;
    else if (isNew) {
      context.moveTo(pixelX(frame, x), pixelY(frame, y));
      isNew = false;
    } else context.lineTo(pixelX(frame, x), pixelY(frame, y));
  }
  context.strokeStyle = 'rgb(255 255 255 / 45%)';
  context.lineWidth = 2;
  context.stroke();
  context.strokeStyle = 'rgb(0 0 0 / 85%)';
  context.lineWidth = 0.8;
  context.stroke();
}

function drawMarks(context: CanvasRenderingContext2D, frame: Frame): void {
  const { marked, hovered } = frame;
  if (hovered !== undefined) drawCross(context, frame, hovered, 'rgb(255 255 255 / 60%)');
  if (marked === undefined) return;
  const [x, y] = [pixelX(frame, marked.x + 0.5), pixelY(frame, marked.y + 0.5)];
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.strokeStyle = '#000';
  context.lineWidth = 4;
  context.stroke();
  context.strokeStyle = '#fff';
  context.lineWidth = 2;
  context.stroke();
}

function drawCross(
  context: CanvasRenderingContext2D,
  frame: Frame,
  at: { readonly x: number; readonly y: number },
  colour: string,
): void {
  const [x, y] = [pixelX(frame, at.x + 0.5), pixelY(frame, at.y + 0.5)];
  context.beginPath();
  context.moveTo(x, margins.top);
  context.lineTo(x, margins.top + frame.height);
  context.moveTo(margins.left, y);
  context.lineTo(margins.left + frame.width, y);
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
}

function drawAxes(context: CanvasRenderingContext2D, frame: Frame): void {
  const { width, height, x, y, spanX, spanY, isDark } = frame;
  context.fillStyle = isDark ? '#d5d9de' : '#30343a';
  context.strokeStyle = isDark ? '#8b929a' : '#60666e';
  context.lineWidth = 1;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const isDate = x.labels?.kind !== 'number' && x.labels !== undefined;
  for (const { at, text } of ticksOf(x, spanX, Math.max(2, width / (isDate ? 150 : 90)))) {
    const left = pixelX(frame, at);
    if (left < margins.left || left > margins.left + width) continue;
    line(context, left, margins.top + height, left, margins.top + height + 4);
    context.fillText(text, left, margins.top + height + 6);
  }
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { at, text } of ticksOf(y, spanY, Math.max(2, height / 45))) {
    const top = pixelY(frame, at);
    if (top < margins.top || top > margins.top + height) continue;
    line(context, margins.left - 4, top, margins.left, top);
    context.fillText(text.slice(0, 10), margins.left - 6, top);
  }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
