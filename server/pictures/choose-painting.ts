/**
 * Chooses the colours of a picture from the request, otherwise from the attributes, otherwise from the
 * values.
 */
import { type CoarsenMethod, InputError, isTime } from '../zarr/index.js';
import { isPaintable, type Painting, type RgbPainting } from './paint/painting.js';
import { checkColourMap, type ColourMap, type ColourStop, COLOURS, hexColour, paletteOf } from './palette.js';
import {
  assertPaintable,
  checkRange,
  rangeOfAttributes,
  rangeOfValues,
  type ScaleName,
  type ScaleRange,
} from './picture-range.js';
import { categoriesOf, type Category, keepsCategories, keepsUnits, type PictureSubject } from './subject.js';

export interface RequestedColours {
  readonly range?: { readonly min: unknown; readonly max: unknown } | undefined;
  readonly colourMap?:
    | { readonly name?: string | null | undefined; readonly stops?: readonly ColourStop[] | null | undefined }
    | undefined;
  readonly scale: ScaleName;
  /** The reduction of blocks of values. Undefined: the mean, or the most frequent value for categories. */
  readonly method?: CoarsenMethod | undefined;
}

/** Reads the 2 % and the 98 % quantile of all values; null without values. */
export type ReadQuantiles = () => Promise<readonly unknown[]>;

const defaultMap: ColourMap = { name: 'viridis' };

/** Whether the range depends on the values. Pure. */
export function needsQuantiles(
  subject: PictureSubject,
  requested: RequestedColours,
  channelAxis: number | undefined,
): boolean {
  if (channelAxis !== undefined || requested.range !== undefined) return false;
  if (subject.slice.dtype.name === 'bool' || isCategorical(subject, requested)) return false;
  const { min, max } = attributeRange(subject);
  return min === undefined || max === undefined;
}

/**
 * @throws UnsupportedError for types without colours; InputError for an invalid range, colour map or scale,
 * and if no range can be chosen; errors from reading the quantiles
 */
export async function choosePainting(
  subject: PictureSubject,
  requested: RequestedColours,
  channelAxis: number | undefined,
  readQuantiles: ReadQuantiles,
): Promise<Painting> {
  const { slice } = subject;
  assertPaintable(slice.dtype, isPaintable(slice.dtype));
  const colourMap = requested.colourMap === undefined ? undefined : checkColourMap(requested.colourMap);
  if (channelAxis !== undefined) return rgbPainting(subject, requested, channelAxis, colourMap);
  const categories = isCategorical(subject, requested) ? categoriesOf(subject) : undefined;
  if (categories !== undefined) return categoryPainting(categories, colourMap);
  const range =
    requested.range === undefined
      ? await chooseRange(subject, requested.scale, readQuantiles)
      : checkRange(slice.dtype, requested.range, requested.scale);
  const painting = { kind: 'scale', ...range, colours: colourMap ?? defaultMap } as const;
  return requested.scale === 'LOG' ? { ...painting, log: true } : painting;
}

/**
 * Whether flags are painted as categories. If a range, a logarithmic scale or a method that computes new
 * values (MEAN, MEDIAN, SUM) is requested, they are painted on a scale.
 */
function isCategorical(subject: PictureSubject, { range, scale, method }: RequestedColours): boolean {
  const isScale =
    range !== undefined || scale === 'LOG' || (method !== undefined && !keepsCategories(method));
  return !isScale && categoriesOf(subject) !== undefined;
}

/**
 * The colours of the attributes if no colour map is requested, else equidistant colours of the colour map.
 */
function categoryPainting(categories: readonly Category[], colourMap: ColourMap | undefined): Painting {
  const palette = paletteOf(colourMap ?? defaultMap);
  const last = Math.max(1, categories.length - 1);
  const colours = categories.map(({ colour }, i) => {
    const own = colourMap === undefined ? colour : undefined;
    return own ?? hexColour(palette, Math.round((i * (COLOURS - 1)) / last));
  });
  return { kind: 'categories', values: categories.map(({ value }) => value), colours };
}

async function chooseRange(
  subject: PictureSubject,
  scale: ScaleName,
  readQuantiles: ReadQuantiles,
): Promise<ScaleRange> {
  const { dtype } = subject.slice;
  if (dtype.name === 'bool') return checkRange(dtype, { min: 0, max: 1 }, scale);
  const stated = attributeRange(subject);
  const isStated = stated.min !== undefined && stated.max !== undefined;
  const [low, high] = isStated ? [] : await readQuantiles();
  const min = stated.min ?? low ?? null;
  const max = stated.max ?? high ?? null;
  if (isTime(dtype)) return timeRange(dtype, min, max, scale);
  const ends = [min, max].map((end) => (typeof end === 'bigint' ? Number(end) : end));
  const [first, last] = ends;
  // If there are no values, any range is valid.
  if (typeof first !== 'number' || typeof last !== 'number') return { min: 1, max: 2 };
  if (!Number.isFinite(first) || !Number.isFinite(last))
    throw new InputError('the values are not all finite; set "range"');
  return checkRange(dtype, rangeOfValues(first, last), scale);
}

function timeRange(
  dtype: PictureSubject['slice']['dtype'],
  min: unknown,
  max: unknown,
  scale: ScaleName,
): ScaleRange {
  if (min === null || max === null) return { min: 1, max: 2 };
  if (min !== max) return checkRange(dtype, { min, max }, scale);
  throw new InputError('the range of the times is empty; set "range"');
}

function attributeRange(subject: PictureSubject): ReturnType<typeof rangeOfAttributes> {
  const { attributes, isDecoded, slice } = subject;
  const isKept = attributes !== undefined && keepsUnits(subject) && !isTime(slice.dtype);
  const { min, max } = isKept ? rangeOfAttributes(attributes, isDecoded) : { min: undefined, max: undefined };
  // Ignores contradictory attributes.
  return min !== undefined && max !== undefined && !(min < max)
    ? { min: undefined, max: undefined }
    : { min, max };
}

function rgbPainting(
  { slice: { dtype } }: PictureSubject,
  { range, scale }: RequestedColours,
  axis: number,
  colourMap: ColourMap | undefined,
): RgbPainting {
  if (colourMap !== undefined || scale === 'LOG')
    throw new InputError('RGB pictures accept neither a colour map nor a logarithmic scale');
  if (range !== undefined) return { kind: 'rgb', ...checkRange(dtype, range, scale), axis };
  const max = fullIntensity(dtype.name);
  if (max === undefined) throw new InputError(`RGB values of type ${dtype.name} require a "range"`);
  return { kind: 'rgb', min: 0, max, axis };
}

/** The value of full intensity of a data type; undefined if the request must state a range. */
function fullIntensity(name: string): number | undefined {
  if (name === 'uint8') return 255;
  if (name === 'uint16') return 65_535;
  return name.startsWith('float') ? 1 : undefined;
}
