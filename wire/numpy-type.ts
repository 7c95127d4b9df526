/**
 * NumPy's type strings (`<f4`, `<M8[10ms]`), which say how the bytes beside them are laid out. See "The
 * __array_interface__ protocol" in NumPy's manual.
 */
import {
  isNumberName,
  numberTypes,
  type FixedBytesName,
  type NumberName,
  type TimeName,
} from './data-types.js';
import { MAX_TIME_SCALE, parseTimeUnit, type TimeUnit } from './time-units.js';

/** A type whose values all take `itemSize` bytes. */
export type FixedSizeType =
  | { readonly name: NumberName | FixedBytesName; readonly itemSize: number }
  | { readonly name: TimeName; readonly itemSize: 8; readonly unit: TimeUnit; readonly scale: number };

/** @param order of types that have a byte order */
export function formatTypestr(type: FixedSizeType, order: '<' | '>' = '<'): string {
  const { name, itemSize } = type;
  if (isNumberName(name)) return `${itemSize === 1 ? '|' : order}${numberTypes[name].numpy}`;
  switch (name) {
    case 'numpy.datetime64':
      return `${order}M8${unitSuffix(type)}`;
    case 'numpy.timedelta64':
      return `${order}m8${unitSuffix(type)}`;
    case 'null_terminated_bytes':
      return `|S${itemSize}`;
    case 'fixed_length_utf32':
      return `${order}U${itemSize / 4}`;
    default:
      return `|V${itemSize}`;
  }
}

function unitSuffix({ unit = 'generic', scale = 1 }: { unit?: TimeUnit; scale?: number }): string {
  if (unit === 'generic' && scale === 1) return '';
  return `[${scale === 1 ? '' : scale}${unit}]`;
}

/** A little-endian type string; `|V4` is raw_bytes. @returns undefined for an unknown type or another byte order */
export function parseTypestr(text: string): FixedSizeType | undefined {
  const match = /^([<|])([a-zA-Z])(\d{1,10})(?:\[(\d{0,10})([a-zA-Z]{1,7})\])?$/.exec(text);
  const [, order, kind = '', digits = '', scaleDigits, unitName] = match ?? [];
  if (order === undefined) return undefined;
  const size = Number(digits);
  if ((kind === 'M' || kind === 'm') && size === 8) {
    const unit = parseTimeUnit(unitName ?? 'generic');
    const scale = Number(scaleDigits || 1);
    if (unit === undefined || scale < 1 || scale > MAX_TIME_SCALE) return undefined;
    return { name: kind === 'M' ? 'numpy.datetime64' : 'numpy.timedelta64', itemSize: 8, unit, scale };
  }
  if (unitName !== undefined) return undefined;
  if (kind === 'S') return { name: 'null_terminated_bytes', itemSize: size };
  if (kind === 'U') return { name: 'fixed_length_utf32', itemSize: size * 4 };
  if (kind === 'V') return { name: 'raw_bytes', itemSize: size };
  const name = numbersByKind.get(kind + digits);
  if (name === undefined || (order === '|' && size > 1)) return undefined;
  return { name, itemSize: size };
}

const numbersByKind: ReadonlyMap<string, NumberName> = new Map(
  Object.entries(numberTypes).flatMap(([name, { numpy }]) => (isNumberName(name) ? [[numpy, name]] : [])),
);
