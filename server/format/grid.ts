/**
 * The chunk grid of an array, one `GridDim` per dimension, and the keys of its chunks. Only regular grids are
 * implemented (v3 core specification, "Regular grids").
 */
import { defined } from '../../wire/guards.js';
import { MetadataError } from '../core/errors.js';

export interface GridDim {
  /** Length of the array along this dimension. */
  readonly size: number;
  /** Length of a chunk along this dimension; chunks at the edge have the full size too. */
  readonly chunkSize: number;
  /** Number of chunks along this dimension; 0 if size is 0. */
  readonly chunks: number;
}

export interface ChunkGrid {
  readonly dims: readonly GridDim[];
}

/** @throws MetadataError if the ranks differ or a chunk has length 0 */
export function regularGrid(shape: readonly number[], chunkShape: readonly number[]): ChunkGrid {
  if (shape.length !== chunkShape.length)
    throw new MetadataError(
      `the chunk shape has ${chunkShape.length} dimensions, but the array's shape has ${shape.length}`,
    );
  const dims = shape.map((size, d) => {
    const chunkSize = defined(chunkShape[d]);
    if (chunkSize < 1)
      throw new MetadataError(`the chunk length of dimension ${d} is ${chunkSize}; expected at least 1`);
    return { size, chunkSize, chunks: Math.ceil(size / chunkSize) };
  });
  return { dims };
}

export function chunkShapeOf(grid: ChunkGrid): number[] {
  return grid.dims.map((dim) => dim.chunkSize);
}

export interface ChunkKeys {
  /** `default` adds the prefix "c". `v2` does not; the key of the only chunk of a 0-d array is then "0". */
  readonly encoding: 'default' | 'v2';
  readonly separator: '/' | '.';
}

/** @param index the chunk coordinates, in the grid of stored objects */
export function chunkKey(keys: ChunkKeys, index: readonly number[]): string {
  const joined = index.join(keys.separator);
  if (keys.encoding === 'v2') return index.length === 0 ? '0' : joined;
  return index.length === 0 ? 'c' : `c${keys.separator}${joined}`;
}

const indexPattern = /^(?:0|[1-9]\d{0,15})$/;

/** @returns the chunk coordinates, in the grid of stored objects; undefined for other keys */
export function parseChunkKey(keys: ChunkKeys, name: string, rank: number): readonly number[] | undefined {
  const prefixed = keys.encoding === 'default';
  if (rank === 0) return name === (prefixed ? 'c' : '0') ? [] : undefined;
  const [first, ...rest] = name.split(keys.separator);
  if (prefixed && first !== 'c') return undefined;
  const parts = prefixed ? rest : [first ?? '', ...rest];
  return parts.length === rank && parts.every((part) => indexPattern.test(part))
    ? parts.map(Number)
    : undefined;
}
