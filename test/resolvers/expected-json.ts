/** JSON values according to the contract, from the `expected` bytes of fixtures; independent of the gateway. */

import { expect } from 'vitest';
import type { Layout } from '../conformance/expected-layout.js';

const sizes: Record<string, number> = {
  bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, float16: 2, int32: 4, uint32: 4, float32: 4,
  int64: 8, uint64: 8, float64: 8, complex64: 8, complex128: 16, datetime64: 8, timedelta64: 8,
}; // prettier-ignore

export function sizeOfLayout(layout: Layout): number | undefined {
  if (layout.kind === 'fixed_utf32') return 4 * (layout.chars ?? 0);
  return sizes[layout.kind] ?? layout.bytes;
}

const count = (shape: readonly number[]) => shape.reduce((product, n) => product * n, 1);

export function expectedJson(bytes: Buffer, shape: number[], layout: Layout): unknown {
  if (layout.kind === 'struct') {
    const size = layout.bytes ?? 0;
    return Object.fromEntries(
      (layout.fields ?? []).map((field) => {
        const length = (sizeOfLayout(field.layout) ?? 0) * count(field.shape);
        const parts = Array.from({ length: count(shape) }, (_, i) =>
          bytes.subarray(i * size + field.offset, i * size + field.offset + length),
        );
        return [field.name, expectedJson(Buffer.concat(parts), [...shape, ...field.shape], field.layout)];
      }),
    );
  }
  const size = sizeOfLayout(layout);
  let at = 0;
  const take = (): unknown => {
    if (size !== undefined) {
      const item = bytes.subarray(at, at + size);
      at += size;
      return element(item, layout);
    }
    const length = bytes.readUInt32LE(at);
    at += 4;
    if (length === 0xffffffff) return null;
    const byteLength = layout.item === undefined ? length : length * (sizeOfLayout(layout.item) ?? 0);
    const item = bytes.subarray(at, at + byteLength);
    at += byteLength;
    if (layout.item !== undefined) return expectedJson(item, [length], layout.item);
    if (layout.kind === 'var_bytes') return item.toString('base64');
    return layout.kind === 'json' ? JSON.parse(item.toString('utf8')) : item.toString('utf8');
  };
  const nest = (rest: number[]): unknown =>
    rest.length === 0 ? take() : Array.from({ length: rest[0] ?? 0 }, () => nest(rest.slice(1)));
  return nest(shape);
}

function element(item: Buffer, layout: Layout): unknown {
  switch (layout.kind) {
    case 'bool':
      return item[0] !== 0;
    case 'int8':
      return item.readInt8();
    case 'uint8':
      return item.readUInt8();
    case 'int16':
      return item.readInt16LE();
    case 'uint16':
      return item.readUInt16LE();
    case 'int32':
      return item.readInt32LE();
    case 'uint32':
      return item.readUInt32LE();
    case 'int64':
      return item.readBigInt64LE().toString();
    case 'uint64':
      return item.readBigUInt64LE().toString();
    case 'float16':
      return float(half(item.readUInt16LE()));
    case 'float32':
      return float(item.readFloatLE());
    case 'float64':
      return float(item.readDoubleLE());
    case 'complex64':
      return [float(item.readFloatLE(0)), float(item.readFloatLE(4))];
    case 'complex128':
      return [float(item.readDoubleLE(0)), float(item.readDoubleLE(8))];
    case 'timedelta64':
      return item.readBigInt64LE() === -(2n ** 63n) ? null : item.readBigInt64LE().toString();
    case 'datetime64':
      return datetime(item.readBigInt64LE(), layout);
    case 'fixed_bytes': {
      let end = item.length;
      while (end > 0 && item[end - 1] === 0) end--;
      return item.toString('utf8', 0, end);
    }
    case 'fixed_utf32': {
      const points = Array.from({ length: item.length / 4 }, (_, i) => item.readUInt32LE(4 * i));
      while (points.at(-1) === 0) points.pop();
      return String.fromCodePoint(...points);
    }
    case 'raw':
      return item.toString('base64');
    default:
      throw new Error(`unsupported layout ${layout.kind}`);
  }
}

function float(value: number): unknown {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const perSecond: Record<string, bigint> = {
  s: 1n, ms: 10n ** 3n, us: 10n ** 6n, ns: 10n ** 9n, ps: 10n ** 12n, fs: 10n ** 15n, as: 10n ** 18n,
}; // prettier-ignore
const seconds: Record<string, bigint> = { m: 60n, h: 3600n, D: 86400n, W: 604800n };

/**
 * Formats dates with JavaScript's Date, which has the same calendar. Accepts any text for dates beyond its range or
 * year format.
 */
function datetime(value: bigint, layout: Layout): unknown {
  if (value === -(2n ** 63n)) return null;
  const scaled = value * BigInt(layout.scale ?? 1);
  const unit = layout.unit ?? '';
  if (unit === 'generic') return value.toString();
  if (unit === 'Y' || unit === 'M') {
    const date = new Date(Date.UTC(1970, Number(unit === 'Y' ? scaled * 12n : scaled)));
    return isUsual(date) ? date.toISOString().slice(0, unit === 'Y' ? 4 : 7) : expect.any(String);
  }
  const per = perSecond[unit] ?? 1n;
  const total = scaled * (seconds[unit] ?? 1n);
  const fraction = ((total % per) + per) % per;
  const date = new Date(Number((total - fraction) / per) * 1000);
  if (!isUsual(date)) return expect.any(String);
  const text = date.toISOString();
  const length = { D: 10, W: 10, h: 13, m: 16 }[unit];
  if (length !== undefined) return text.slice(0, length);
  const digits = per.toString().length - 1;
  return text.slice(0, 19) + (digits === 0 ? '' : `.${fraction.toString().padStart(digits, '0')}`);
}

function isUsual(date: Date): boolean {
  return date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
}
