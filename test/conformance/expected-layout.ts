/** Converts blocks to the byte layout of expected values in the matrix (test/fixtures/README.md). */
import { toTypedArray } from '../../server/core/dtype/arrays.js';
import { isFixedSize, type Block } from '../../server/zarr/index.js';

const NO_VALUE = 0xffffffff;

export interface Layout {
  readonly kind: string;
  readonly bytes?: number;
  readonly chars?: number;
  readonly unit?: string;
  readonly scale?: number;
  readonly fields?: readonly { name: string; offset: number; shape: number[]; layout: Layout }[];
  readonly item?: Layout;
}

export interface Case {
  readonly id: string;
  readonly path: string;
  readonly format: number;
  readonly node: string;
  readonly shape: number[];
  readonly dtype: unknown;
  readonly features: string[];
  readonly layout: Layout;
  readonly expected: string | null;
  readonly undefined_chunks?: number[][];
  readonly chunks: number[];
  readonly attributes?: Record<string, unknown>;
  readonly dimension_names?: (string | null)[];
  readonly fill?: string | null;
  /** The fill value as JSON text. */
  readonly fill_json?: string;
  readonly order?: string | null;
}

export function toLayout(block: Block, layout: Layout): Buffer {
  if ('bytes' in block) return Buffer.from(block.bytes);
  return Buffer.concat(Array.from(toTypedArray(block), (item) => itemLayout(item, layout)));
}

function itemLayout(item: unknown, layout: Layout): Buffer {
  if (layout.kind === 'ragged') {
    const block = item as Block;
    const [count = 0] = block.shape;
    const body =
      'bytes' in block
        ? Buffer.from(block.bytes)
        : Buffer.concat(Array.from(toTypedArray(block), (one) => itemLayout(one, layout.item ?? layout)));
    return Buffer.concat([uint32(count), body]);
  }
  if (layout.kind !== 'json' && (item === null || item === undefined)) return uint32(NO_VALUE);
  const bytes =
    layout.kind === 'json'
      ? Buffer.from(sortedJson(item))
      : typeof item === 'string'
        ? Buffer.from(item)
        : Buffer.from(item as Uint8Array);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Equivalent to Python's json.dumps with sort_keys and without spaces. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `${JSON.stringify(key)}:${sortedJson(one)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}

/** Compares byte for byte; all NaNs are equal unless the case tests payloads. */
export function sameValues(got: Buffer, expected: Buffer, c: Case, width: number): boolean {
  if (got.equals(expected)) return true;
  const float = /^(float|complex)/.exec(c.layout.kind);
  const skip = undefinedElements(c);
  if (got.length !== expected.length) return false;
  if (float === null || c.features.includes('nan-payload')) {
    if (skip.size === 0) return false;
    return everyElement(got, expected, width, skip, (a, b) => a.equals(b));
  }
  const bits = Number(/\d+$/.exec(c.layout.kind)?.[0]) / (c.layout.kind.startsWith('complex') ? 2 : 1);
  const read = (bytes: Buffer, at: number): number =>
    bits === 64 ? bytes.readDoubleLE(at) : bits === 32 ? bytes.readFloatLE(at) : half(bytes.readUInt16LE(at));
  return everyElement(got, expected, width, skip, (a, b) => {
    for (let at = 0; at < a.length; at += bits / 8)
      if (!Object.is(read(a, at), read(b, at)) || a.length % (bits / 8) !== 0) return false;
    return true;
  });
}

function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

function everyElement(
  got: Buffer,
  expected: Buffer,
  width: number,
  skip: ReadonlySet<number>,
  same: (a: Buffer, b: Buffer) => boolean,
): boolean {
  for (let i = 0; i * width < got.length; i++) {
    if (skip.has(i)) continue;
    const [from, to] = [i * width, (i + 1) * width];
    if (!same(got.subarray(from, to), expected.subarray(from, to))) return false;
  }
  return true;
}

function undefinedElements(c: Case): Set<number> {
  const positions = new Set<number>();
  const chunks = new Set((c.undefined_chunks ?? []).map((chunk) => chunk.join()));
  if (chunks.size === 0) return positions;
  const total = c.shape.reduce((a, b) => a * b, 1);
  for (let i = 0; i < total; i++) {
    let rest = i;
    const index = [...c.shape].reverse().map((length) => {
      const at = rest % length;
      rest = Math.floor(rest / length);
      return at;
    });
    const chunk = index.reverse().map((at, d) => Math.floor(at / (c.chunks[d] ?? 1)));
    if (chunks.has(chunk.join())) positions.add(i);
  }
  return positions;
}

export function widthOf(block: Block): number {
  return isFixedSize(block.dtype) ? block.dtype.itemSize : 0;
}
