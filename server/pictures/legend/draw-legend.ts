/** Draws a legend: title and units, and a colour bar with ticks or a list of categories. */
import type { DataType } from '../../zarr/index.js';
import { fitted, LINE_HEIGHT, widthOf } from '../font/text.js';
import type { CategoryPainting, Painting, ScalePainting } from '../paint/painting.js';
import { COLOURS, paletteOf, parseColour } from '../palette.js';
import { pngFile, type PngImage } from '../encode-png.js';
import { type ScaleTick, scaleTicks } from './ticks.js';
import { type Canvas, createCanvas } from './canvas.js';

export interface LegendSubject {
  readonly painting: Exclude<Painting, { kind: 'rgb' }>;
  /** Data type of the values. */
  readonly dtype: DataType;
  readonly title: string | null;
  readonly units: string | null;
  /** Labels of the categories. */
  readonly labels: readonly string[];
}

const MARGIN = 10;
const outlineColour = [128, 128, 128, 255];
const black = [0, 0, 0, 255];
const MAX_WIDTH = 640;

export async function drawLegend(subject: LegendSubject): Promise<Uint8Array> {
  return pngFile(legendImage(subject));
}

function legendImage(subject: LegendSubject): PngImage {
  const { painting } = subject;
  const canvas =
    painting.kind === 'scale' ? scaleLegend(painting, subject) : categoryLegend(painting, subject);
  return canvas.image();
}

/** Memory for drawing the legend, in bytes. */
export function bytesOfLegend(painting: Painting): number {
  const rows = painting.kind === 'categories' ? painting.values.length : 3;
  return MAX_WIDTH * (rows + 2) * SWATCH_DISTANCE * 8;
}

function headingOf({ title, units, dtype }: LegendSubject): string {
  const unit = units ?? (dtype.name === 'numpy.timedelta64' ? ticksName(dtype) : null);
  if (title === null || title === '') return unit ?? '';
  return unit === null || unit === '' ? title : `${title} [${unit}]`;
}

/** The unit of counts of time: `s`, `10 m`. */
function ticksName(dtype: Extract<DataType, { name: 'numpy.timedelta64' | 'numpy.datetime64' }>): string {
  return dtype.scale === 1 ? dtype.unit : `${dtype.scale} ${dtype.unit}`;
}

/** Fewer than 256, so that the colours of the text fit in the palette. */
const BAR_WIDTH = 240;
const BAR_HEIGHT = 16;
const TICK = 4;
/** Margin between the bar and the edges of the picture, wide enough for half of most labels. */
const BAR_MARGIN = 40;

function scaleLegend(painting: ScalePainting, subject: LegendSubject): Canvas {
  const heading = fitted(headingOf(subject), MAX_WIDTH - 2 * MARGIN);
  const width = Math.max(BAR_WIDTH + 2 * BAR_MARGIN, widthOf(heading) + 2 * MARGIN);
  const top = heading === '' ? MARGIN : MARGIN + LINE_HEIGHT + 6;
  const canvas = createCanvas(width, top + BAR_HEIGHT + TICK + LINE_HEIGHT + MARGIN);
  canvas.centred(width / 2, MARGIN - 2, heading);
  const left = Math.floor((width - BAR_WIDTH) / 2);
  const palette = paletteOf(painting.colours);
  for (let x = 0; x < BAR_WIDTH; x++) {
    const code = Math.floor(((x + 0.5) * COLOURS) / BAR_WIDTH);
    canvas.rectangle(left + x, top, 1, BAR_HEIGHT, palette.subarray(4 * code, 4 * code + 4));
  }
  const below = top + BAR_HEIGHT;
  for (const { share, label } of fittingTicks(painting, subject.dtype)) {
    const x = left + Math.round(share * (BAR_WIDTH - 1));
    canvas.rectangle(x, below, 1, TICK, black);
    canvas.centred(x + 0.5, below + TICK + 1, label);
  }
  return canvas;
}

const MAX_TICKS = 7;
/** Pixels between neighbouring labels. */
const GAP = 8;

function fittingTicks(painting: ScalePainting, dtype: DataType): readonly ScaleTick[] {
  for (let maxTicks = MAX_TICKS; maxTicks > 2; maxTicks--) {
    const ticks = scaleTicks(painting, dtype, maxTicks);
    if (labelsFit(ticks)) return ticks;
  }
  const ticks = scaleTicks(painting, dtype, 2);
  return labelsFit(ticks) ? ticks : ticks.filter((_, i) => i === 0 || i === ticks.length - 1);
}

function labelsFit(ticks: readonly ScaleTick[]): boolean {
  return ticks.every(({ share, label }, i) => {
    const before = ticks[i - 1];
    if (before === undefined) return true;
    const distance = (share - before.share) * BAR_WIDTH;
    return distance >= (widthOf(label) + widthOf(before.label)) / 2 + GAP;
  });
}

const SWATCH_WIDTH = 24;
const SWATCH_HEIGHT = 14;
const SWATCH_DISTANCE = 20;

function categoryLegend({ colours }: CategoryPainting, subject: LegendSubject): Canvas {
  const labelLeft = MARGIN + SWATCH_WIDTH + 8;
  const heading = fitted(headingOf(subject), MAX_WIDTH - 2 * MARGIN);
  const labels = colours.map((_, i) => fitted(subject.labels[i] ?? '', MAX_WIDTH - labelLeft - MARGIN));
  const width = Math.max(
    2 * MARGIN + widthOf(heading),
    ...labels.map((label) => labelLeft + widthOf(label) + MARGIN),
  );
  const top = heading === '' ? MARGIN : MARGIN + LINE_HEIGHT + 6;
  const canvas = createCanvas(width, top + colours.length * SWATCH_DISTANCE + MARGIN - 6);
  canvas.text(MARGIN, MARGIN - 2, heading);
  colours.forEach((colour, i) => {
    const y = top + i * SWATCH_DISTANCE;
    canvas.rectangle(MARGIN, y, SWATCH_WIDTH, SWATCH_HEIGHT, outlineColour);
    canvas.rectangle(MARGIN + 1, y + 1, SWATCH_WIDTH - 2, SWATCH_HEIGHT - 2, parseColour(colour));
    canvas.text(labelLeft, y - 1, labels[i] ?? '');
  });
  return canvas;
}
