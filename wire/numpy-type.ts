/**
 * NumPy's type strings (`<f4`, `<M8[10ms]`), which describe the layout of bytes. See "The
 * __array_interface__ protocol" in NumPy's manual.
 */
import {
  isNumberName,
  numberTypes,
  type FixedBytesName,
  type NumberName,
  type TimeName,
  MAX_TIME_SCALE,
  parseTimeUnit,
  type TimeUnit,
} from './data-types.js';

/** A type whose values all take `itemSize` bytes. */
export type SizedType =
  | { readonly name: NumberName | FixedBytesName; readonly itemSize: number }
  | { readonly name: TimeName; readonly itemSize: 8; readonly unit: TimeUnit; readonly scale: number };

/** @param order the byte order of types that have one */
export function formatTypestr(type: SizedType, order: '<' | '>' = '<'): string {
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

/** A type string without its byte order: `f8`, `S3`, `M8[10ms]`. */
export interface NumpyKind {
  readonly kind: string;
  /** Size in bytes; in characters for text (U). */
  readonly size: number;
  /** Scale of times. @default 1 */
  readonly scale?: number;
  /** Unit of times. NumPy omits the generic unit. */
  readonly unit?: string | undefined;
}

/** @returns undefined for an unknown kind, size, scale or unit; `V` is raw_bytes */
export function typeOfKind({ kind, size, scale = 1, unit }: NumpyKind): SizedType | undefined {
  if (kind === 'M' || kind === 'm') {
    const known = parseTimeUnit(unit ?? 'generic');
    if (size !== 8 || known === undefined || scale < 1 || scale > MAX_TIME_SCALE) return undefined;
    return { name: kind === 'M' ? 'numpy.datetime64' : 'numpy.timedelta64', itemSize: 8, unit: known, scale };
  }
  if (unit !== undefined) return undefined;
  switch (kind) {
    case 'S':
    case 'a':
      return { name: 'null_terminated_bytes', itemSize: size };
    case 'U':
      return { name: 'fixed_length_utf32', itemSize: size * 4 };
    case 'V':
      return { name: 'raw_bytes', itemSize: size };
    default: {
      const name = numbersByKind.get(`${kind}${size}`);
      return name === undefined ? undefined : { name, itemSize: numberTypes[name].itemSize };
    }
  }
}

/**
 * Parses a little-endian type string; `|V4` is raw_bytes.
 * @returns undefined for an unknown type or another byte order
 */
export function parseTypestr(text: string): SizedType | undefined {
  const match = /^([<|])([a-zA-Z])(\d{1,10})(?:\[(\d{0,10})([a-zA-Z]{1,7})\])?$/.exec(text);
  const [, order, kind = '', digits = '', scale, unit] = match ?? [];
  if (order === undefined) return undefined;
  const type = typeOfKind({ kind, size: Number(digits), scale: Number(scale || 1), unit });
  const hasOrder = type !== undefined && isNumberName(type.name) && type.itemSize > 1;
  return hasOrder && order === '|' ? undefined : type;
}

const numbersByKind: ReadonlyMap<string, NumberName> = new Map(
  Object.entries(numberTypes).flatMap(([name, { numpy }]) => (isNumberName(name) ? [[numpy, name]] : [])),
);
