/** Large arrays on disk that are written quickly, because most chunks are absent or equal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const GROUP = { zarr_format: 3, node_type: 'group' };

function arrayMetadata(
  shape: readonly number[],
  chunk: readonly number[],
  names?: readonly string[],
): object {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: 'uint8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 7,
    codecs: [{ name: 'bytes' }],
    ...(names === undefined ? {} : { dimension_names: names }),
    attributes: {},
  };
}

function writeJson(folder: string, value: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'zarr.json'), JSON.stringify(value));
}

/**
 * Writes an OME-NGFF image of 40,000 x 40,000 pixels with seven levels: coarse levels completely, fine ones in
 * one corner only.
 */
export function writePyramid(folder: string): void {
  const sizes = [40_000, 20_000, 10_000, 5000, 2500, 1250, 625];
  const axes = ['y', 'x'].map((name) => ({ name, type: 'space' }));
  const datasets = sizes.map((_, level) => ({
    path: String(level),
    coordinateTransformations: [{ type: 'scale', scale: [2 ** level, 2 ** level] }],
  }));
  writeJson(folder, { ...GROUP, attributes: { ome: { version: '0.5', multiscales: [{ axes, datasets }] } } });
  sizes.forEach((size, level) => {
    const chunk = Math.min(size, 625);
    const array = join(folder, String(level));
    writeJson(array, arrayMetadata([size, size], [chunk, chunk], ['y', 'x']));
    const count = size <= 2500 ? size / chunk : 1;
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) {
        mkdirSync(join(array, 'c', String(row)), { recursive: true });
        const values = new Uint8Array(chunk * chunk).map((_, i) => (i + 40 * level + row + column) % 251);
        writeFileSync(join(array, 'c', String(row), String(column)), values);
      }
  });
}

/** Writes 10^8 values, one of which is the maximum. */
export function writeLongLine(folder: string): void {
  const [count, chunk] = [100_000_000, 1_000_000];
  writeJson(folder, arrayMetadata([count], [chunk]));
  mkdirSync(join(folder, 'c'));
  const values = new Uint8Array(chunk).map((_, i) => 100 + (i % 10));
  for (let c = 0; c < count / chunk; c++) {
    if (c === 63) writeFileSync(join(folder, 'c', String(c)), values.with(123_456, 251));
    else writeFileSync(join(folder, 'c', String(c)), values);
  }
}
