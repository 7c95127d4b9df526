import { describe, expect, test } from 'vitest';
import { createDefaultRegistry } from '../../../server/format/codec/registry.js';
import type { JsonValue } from '../../../server/core/bytes/json.js';
import { isFixedSize, type DataType } from '../../../server/core/dtype/data-type.js';
import { ZarrError } from '../../../server/core/errors.js';
import { largestShapeOf } from '../../../server/format/grid.js';
import { resolveNode } from '../../../server/format/metadata/resolve-node.js';
import { parseNodePath } from '../../../server/format/metadata/paths.js';
import { matrixArrays, matrixGroups } from '../../conformance/matrix.js';
import { bad, fixtureDocuments, matrix, readLines } from './fixture-documents.js';

const registry = createDefaultRegistry();

/** The description of a data type in the fixtures (see their README). */
function layoutOf(dtype: DataType): unknown {
  switch (dtype.name) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return { kind: dtype.name.replace('numpy.', ''), unit: dtype.unit, scale: dtype.scale };
    case 'null_terminated_bytes':
      return { kind: 'fixed_bytes', bytes: dtype.itemSize };
    case 'raw_bytes':
    case 'raw_bits':
      return { kind: 'raw', bytes: dtype.itemSize };
    case 'fixed_length_utf32':
      return { kind: 'fixed_utf32', chars: dtype.itemSize / 4 };
    case 'struct':
      return {
        kind: 'struct',
        bytes: dtype.itemSize,
        fields: dtype.fields.map(({ name, offset, shape, dtype: type }) => ({
          name,
          offset,
          shape,
          layout: layoutOf(type),
        })),
      };
    case 'string':
      return { kind: 'var_utf8' };
    case 'variable_length_bytes':
      return { kind: 'var_bytes' };
    case 'ragged':
      return { kind: 'ragged', item: layoutOf(dtype.item) };
    default:
      return { kind: dtype.name };
  }
}

/** A value of variable length in the form of the fixtures: its length in 4 bytes, then its bytes. */
function framed(item: unknown): Uint8Array {
  const bytes = item instanceof Uint8Array ? item : new TextEncoder().encode(String(item));
  const frame = new Uint8Array(4 + bytes.length);
  new DataView(frame.buffer).setUint32(0, bytes.length, true);
  frame.set(bytes, 4);
  return frame;
}

/**
 * Converts parsed attributes to the notation of the fixtures for values that plain JSON cannot represent, and
 * objects to lists of their entries.
 */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return { $int: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { $float: String(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, part]) => [key, plain(part)]);
}
/** Converts the objects in expected attributes to lists of their entries, because the order of keys matters. */
function entries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entries);
  if (typeof value !== 'object' || value === null) return value;
  if ('$int' in value || '$float' in value) return value;
  return Object.entries(value).map(([key, part]) => [key, entries(part)]);
}

/**
 * zarr-python writes the fill value 0 of a struct as b"0" in its text field; the expected element contains
 * zeros. No chunk is absent, so the difference does not affect values.
 */
const zarrPythonZero = new Set(['zp2-struct', 'zp3-struct']);

describe('every array of the matrix', () => {
  const folders = matrixArrays.filter(({ path }) => path.endsWith('.zarr'));
  test.each(folders.map((row) => [row.id, row] as const))('%s', (_, row) => {
    const meta = resolveNode(fixtureDocuments(matrix, row.path, row.node), registry);
    if (meta?.kind !== 'array') throw new Error('expected an array');
    expect(meta.zarrFormat).toBe(row.format);
    expect(meta.shape).toEqual(row.shape);
    expect(largestShapeOf(meta.grid)).toEqual(row.chunks);
    expect(layoutOf(meta.dtype)).toEqual(row.layout);
    if (row.order !== null) expect(meta.order).toBe(row.order);
    if (row.attributes !== undefined && row.attributes !== null)
      expect(plain(meta.attributes)).toEqual(entries(row.attributes));
    if (row.dimension_names !== undefined) expect(meta.dimensionNames ?? null).toEqual(row.dimension_names);
    expect(meta.chain).not.toHaveProperty('unsupported');
    if (typeof row.fill !== 'string' || zarrPythonZero.has(row.id)) return;
    const bytes = 'bytes' in meta.fill ? meta.fill.bytes : framed(meta.fill.item);
    expect(Buffer.from(bytes).toString('base64')).toBe(row.fill);
    expect(isFixedSize(meta.dtype)).toBe('bytes' in meta.fill);
  });
});

describe('every group of the matrix', () => {
  const folders = matrixGroups.filter(({ path }) => path.endsWith('.zarr'));
  test.each(folders.map((row) => [row.id, row] as const))('%s', (_, row) => {
    const meta = resolveNode(fixtureDocuments(matrix, row.path, ''), registry);
    expect(meta?.kind).toBe('group');
    expect(plain(meta?.attributes ?? {})).toEqual(entries(row.attributes));
  });
});

const classes: Readonly<Record<string, string>> = {
  metadata: 'INVALID_METADATA',
  unsupported: 'UNSUPPORTED',
  limits: 'LIMIT_EXCEEDED',
  codec: 'CODEC_ERROR',
  path: 'BAD_INPUT',
};

/** The code of the error on opening or, if only the codecs are unsupported, on reading. */
function codeOf(row: Record<string, unknown>): string | undefined {
  try {
    const path = parseNodePath(String(row['node']));
    const meta = resolveNode(fixtureDocuments(bad, String(row['path']), path), registry);
    return meta?.kind === 'array' && 'unsupported' in meta.chain ? 'UNSUPPORTED' : undefined;
  } catch (error) {
    if (error instanceof ZarrError) return error.code;
    throw error;
  }
}

describe('malformed metadata is rejected', () => {
  const rows = readLines(new URL('cases.jsonl', bad)).filter(
    ({ when, path, level, id }) =>
      when === 'open' &&
      String(path).endsWith('.zarr') &&
      level !== 'may' &&
      // These cases require a hierarchy rather than the documents of one node: see conformance/writers.test.ts.
      !/path-v[23]-consolidated|path-v3-7/.test(String(id)),
  );
  test.each(rows.map((row) => [String(row['id']), row] as const))('%s', (_, row) => {
    const accepted = [row['expected_error'], ...(Array.isArray(row['accept']) ? row['accept'] : [])];
    expect(accepted.map((name) => classes[String(name)])).toContain(codeOf(row));
  });
});
