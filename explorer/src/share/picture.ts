/** A picture of a plane for documents and talks: with title, axes, and the colour bar with its units. */
import { cssColour } from '../plane/palettes.js';
import { type Scale, valueAt } from '../plane/scale.js';
import { shortNumber } from '../parts/format.js';

export interface PictureText {
  readonly title: string;
  /** The positions that the plane shows, such as `TIME 2001-03`. */
  readonly subtitle: string;
  readonly units: string;
}

/** In CSS pixels. */
const [HEAD, BAR, GAP] = [46, 46, 12];
/** Number of labels of the colour bar. */
const LABELS = 5;
const FONT = 'system-ui, sans-serif';

/** @param palette undefined for natural colours, which have no colour bar */
export function composePicture(
  plane: HTMLCanvasElement,
  { title, subtitle, units }: PictureText,
  scale: Scale | undefined,
  palette: string | undefined,
  isDark: boolean,
): HTMLCanvasElement {
  const width = plane.clientWidth;
  const ratio = plane.width / Math.max(1, width);
  const hasBar = scale !== undefined && palette !== undefined;
  const height = HEAD + plane.clientHeight + (hasBar ? BAR + GAP : 0);
  const picture = document.createElement('canvas');
  picture.width = plane.width;
  picture.height = Math.round(height * ratio);
  const context = picture.getContext('2d');
  if (context === null) return plane;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = isDark ? '#15181c' : '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(plane, 0, HEAD, width, plane.clientHeight);
  context.fillStyle = isDark ? '#e4e7eb' : '#1d2126';
  context.textBaseline = 'top';
  context.font = `600 16px ${FONT}`;
  context.fillText(units === '' ? title : `${title} (${units})`, GAP, 6, width - 2 * GAP);
  context.font = `12px ${FONT}`;
  context.fillText(subtitle, GAP, 27, width - 2 * GAP);
  if (hasBar) drawBar(context, scale, palette, units, HEAD + plane.clientHeight + GAP, width);
  return picture;
}

function drawBar(
  context: CanvasRenderingContext2D,
  scale: Scale,
  palette: string,
  units: string,
  top: number,
  width: number,
): void {
  const left = Math.round(width * 0.15);
  const length = width - 2 * left;
  for (let x = 0; x < length; x++) {
    const colour = context.fillStyle;
    context.fillStyle = cssColour(palette, x / Math.max(1, length - 1));
    context.fillRect(left + x, top, 1, 14);
    context.fillStyle = colour;
  }
  context.textAlign = 'center';
  for (let label = 0; label < LABELS; label++) {
    const fraction = label / (LABELS - 1);
    context.fillText(shortNumber(valueAt(scale, fraction)), left + fraction * length, top + 18);
  }
  context.textAlign = 'left';
  context.fillText(units, left + length + 24, top, width - left - length - 24);
}
