/** Decides which attributes of a picture's variable still apply after the operations. */
import { convertedUnits } from '../analysis/operations/quantity.js';
import { defined } from '../../wire/guards.js';
import type { SliceStep } from '../analysis/operations/table.js';
import { textAttribute } from '../dataset/attributes.js';
import { parseFlags } from '../dataset/decode/parse-flags.js';
import {
  type CoarsenMethod,
  isZarrError,
  type JsonObject,
  type LazySlice,
  type Reduction,
  type ReductionName,
  reductionOf,
} from '../zarr/index.js';
import { MAX_CATEGORIES } from './paint/painting.js';
import { parseColour } from './palette.js';

export interface PictureSubject {
  readonly slice: LazySlice;
  /** The operations that derive the slice from a variable or array. */
  readonly steps: readonly SliceStep[];
  /** The attributes of the source variable of the operations; undefined unless there is exactly one. */
  readonly attributes: JsonObject | undefined;
  readonly name: string | undefined;
  readonly isDecoded: boolean;
}

export interface Category {
  readonly value: number;
  readonly label: string;
  /** Colours as #rrggbb or #rrggbbaa, from the attribute `flag_colors`. */
  readonly colour: string | undefined;
}

/**
 * The categories of a variable with flags (CF, section 3.5). Undefined if the steps change its values, and
 * for flags that are malformed, bit masks or more than 256.
 */
export function categoriesOf({
  slice,
  steps,
  attributes,
  name,
}: PictureSubject): readonly Category[] | undefined {
  if (attributes === undefined || !keepsValues({ steps })) return undefined;
  const [input] = slice.inputs;
  if (input === undefined) return undefined;
  const flags = flagsOf(name ?? '', input.array.meta.dtype, attributes);
  if (flags === undefined || flags.length === 0 || flags.length > MAX_CATEGORIES) return undefined;
  const values = flags.map(({ value, mask }) => (mask === undefined ? Number(value) : NaN));
  if (!values.every(Number.isFinite)) return undefined;
  const colours = coloursIn(attributes, flags.length);
  return flags.map(({ meaning }, i) => ({ value: defined(values[i]), label: meaning, colour: colours?.[i] }));
}

/** The flags of a variable. Values with malformed flags are painted as numbers. */
function flagsOf(
  name: string,
  dtype: LazySlice['dtype'],
  attributes: JsonObject,
): ReturnType<typeof parseFlags> {
  try {
    return parseFlags({ name, dtype, attributes });
  } catch (error) {
    if (isZarrError(error)) return undefined;
    throw error;
  }
}

/**
 * Parses `flag_colors`: colours separated by blanks or commas, or a list. Undefined unless there are `count`
 * colours.
 */
function coloursIn(attributes: JsonObject, count: number): readonly string[] | undefined {
  const json = attributes['flag_colors'];
  const text = typeof json === 'string' && json.length <= 2 ** 14 ? json.split(/[\s,]+/) : json;
  const colours: readonly unknown[] = Array.isArray(text) ? text : [];
  const known = colours.slice(0, count + 1).flatMap((colour) => {
    if (typeof colour !== 'string' || !/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i.test(colour)) return [];
    parseColour(colour);
    return [colour.toLowerCase()];
  });
  return known.length === count ? known : undefined;
}

/** Whether the attributes of the variable about units and the valid range apply to the values. */
export function keepsUnits({ steps }: Pick<PictureSubject, 'steps'>): boolean {
  return steps.every((step) => {
    if ('reduce' in step) return rangeOf(step.reduce.by) !== 'other';
    if ('coarsen' in step) return rangeOf(step.coarsen.method ?? 'MEAN') !== 'other';
    return 'select' in step || 'within' in step || 'interpolate' in step;
  });
}

/** Whether each value is one of the variable's. */
export function keepsValues({ steps }: Pick<PictureSubject, 'steps'>): boolean {
  return steps.every((step) => {
    if ('reduce' in step) return rangeOf(step.reduce.by) === 'among';
    if ('coarsen' in step) return step.coarsen.method !== undefined && keepsCategories(step.coarsen.method);
    return 'select' in step || 'within' in step;
  });
}

/** Whether a block is reduced to one of its values. */
export function keepsCategories(method: CoarsenMethod): boolean {
  return rangeOf(method) === 'among';
}

function rangeOf(by: ReductionName | CoarsenMethod): Reduction['range'] {
  return by === 'NEAREST' ? 'among' : reductionOf(by).range;
}

/** The title and units of a legend. */
export function captionOf(subject: PictureSubject): {
  readonly title: string | null;
  readonly units: string | null;
} {
  const { attributes = {}, name = null } = subject;
  const short = (text: string | undefined): string | null => text?.slice(0, 200) ?? null;
  return {
    title:
      short(textAttribute(attributes, 'long_name') ?? textAttribute(attributes, 'standard_name')) ?? name,
    units: short(keepsUnits(subject) ? textAttribute(attributes, 'units') : convertedUnits(subject.steps)),
  };
}
