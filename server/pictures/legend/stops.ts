/** The legend of a picture as plain data. */
import { type DataType, formatDatetimes, InputError } from '../../zarr/index.js';
import { type Painting, paintingForm } from '../paint/painting.js';
import { COLOURS, hexColour, paletteOf } from '../palette.js';
import { type Category, captionOf, categoriesOf, type PictureSubject } from '../subject.js';
import type { LegendSubject } from './draw-legend.js';

export interface LegendStop {
  /** A number, or a date as text. */
  readonly value: unknown;
  readonly color: string;
  /** Meaning of a category. */
  readonly label?: string;
}

/** Number of evenly spaced stops of a colour scale. */
const STOPS = 33;

/** The values with their colours in ascending order, or all categories. Empty for RGB. */
export function legendStops(
  painting: Painting,
  dtype: DataType,
  categories: readonly Category[] | undefined,
): readonly LegendStop[] {
  if (painting.kind === 'rgb') return [];
  if (painting.kind === 'categories')
    return painting.values.map((value, i) => ({
      value,
      color: painting.colours[i] ?? '#00000000',
      label: categories?.find((category) => category.value === value)?.label ?? String(value),
    }));
  const palette = paletteOf(painting.colours);
  return Array.from({ length: STOPS }, (_, i) => {
    const share = i / (STOPS - 1);
    const position = Math.min(COLOURS - 1, Math.floor(share * COLOURS));
    return { value: shownValue(dtype, valueAt(painting, share)), color: hexColour(palette, position) };
  });
}

/** The value at a fraction of the scale. */
function valueAt({ min, max, log }: Extract<Painting, { kind: 'scale' }>, share: number): number {
  if (share === 0) return min;
  if (share === 1) return max;
  return log === true ? min * (max / min) ** share : min + (max - min) * share;
}

/** Converts a value for display: dates become text; ticks of other times remain numbers. */
function shownValue(dtype: DataType, value: number): unknown {
  if (dtype.name !== 'numpy.datetime64') return value;
  return formatDatetimes(BigInt64Array.of(BigInt(Math.round(value))), dtype)[0] ?? null;
}

/** The ends of the scale as JSON; null for categories. */
export function shownRange(
  painting: Painting,
  dtype: DataType,
): { readonly min: unknown; readonly max: unknown } | null {
  if (painting.kind === 'categories') return null;
  return { min: shownValue(dtype, painting.min), max: shownValue(dtype, painting.max) };
}

export type LegendPainting = LegendSubject['painting'];

/** Collects the inputs of `drawLegend`. */
export function legendSubjectOf(subject: PictureSubject, painting: LegendPainting): LegendSubject {
  const { dtype } = subject.slice;
  const labels =
    painting.kind === 'categories'
      ? legendStops(painting, dtype, categoriesOf(subject)).map(({ label = '' }) => label)
      : [];
  return { painting, dtype, ...captionOf(subject), labels };
}

/** Parses a painting from JSON. @throws InputError if it is invalid */
export function parseLegendPainting(json: unknown): LegendPainting {
  const parsed = paintingForm.safeParse(json);
  if (parsed.success && hasLegend(parsed.data)) return parsed.data;
  throw new InputError('the link contains an invalid description of a legend; request a new link', {
    cause: parsed.error,
  });
}

/** Whether a painting has a legend. RGB pictures have none. */
export function hasLegend(painting: Painting): painting is LegendPainting {
  return painting.kind !== 'rgb';
}
