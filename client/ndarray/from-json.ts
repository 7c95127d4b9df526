/** Values as JSON has them: nested lists, times as text. */
import { TransportError } from '../errors.js';
import { shown } from '../json.js';
import type { ParsedType } from './data-type.js';
import { createFromBytes } from './from-bytes.js';
import { createFromItems, flatten } from './from-lists.js';
import { createFromTexts } from './from-texts.js';
import type { ValueLayout } from './layout.js';
import { packMasked } from './masked.js';
import type { AnyNDArray, Coordinates } from './ndarray.js';
import { parseIsoTime } from './iso-time.js';

export interface JsonBlock {
  readonly type: ParsedType;
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly dimensions: readonly (string | null)[];
  readonly coordinates?: Coordinates | undefined;
}

/** @throws TransportError BAD_RESPONSE where the values are not of the type, or are complex numbers or structs */
export function createFromJson({
  type,
  shape,
  values,
  dimensions: names,
  coordinates,
}: JsonBlock): AnyNDArray {
  const dimensions = shape.map((_, d) => names[d] ?? null);
  const items = flatten(values, shape);
  if (type.layout === undefined)
    return createFromItems({ name: type.variable, shape, dimensions, items, coordinates });
  const { layout } = type;
  const texts = createFromTexts({ layout, shape, dimensions, items, coordinates });
  if (texts !== undefined) return texts;
  const { bytes, mask } = packMasked(
    layout,
    items.map((item) => parseItem(layout, item)),
  );
  return createFromBytes({ layout, shape, dimensions, bytes, mask, coordinates });
}

/** NaN and the infinities are text, and so are 64-bit integers and times. */
function parseItem(layout: ValueLayout, item: unknown): unknown {
  if (layout.name === 'numpy.datetime64') {
    const count =
      item === null ? notATime : typeof item === 'string' ? parseIsoTime(item, layout) : undefined;
    if (count === undefined)
      throw new TransportError('BAD_RESPONSE', `the gateway gave ${shown(item)} for a time`);
    return count;
  }
  if (typeof item !== 'string') return item;
  return /^-?\d{1,20}$/.test(item) ? BigInt(item) : Number(item);
}

const notATime = -(2n ** 63n);
