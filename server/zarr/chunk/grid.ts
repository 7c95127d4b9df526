/**
 * The chunk grid of an array, one `GridDim` per dimension. Only regular grids are implemented (v3 core
 * specification, "Regular grids"). Readers depend only on these functions, so that other grids can be
 * added.
 */
import { MetadataError } from '../errors.js';

export interface GridDim {
  /** Length of the array along this dimension. */
  readonly size: number;
  /** Length of a chunk along this dimension; chunks at the edge have the full size too. */
  readonly chunkSize: number;
  /** Number of chunks along this dimension; 0 if size is 0. */
  readonly chunks: number;
}

export interface ChunkGrid {
  readonly kind: 'regular';
  readonly dims: readonly GridDim[];
}

/** @throws MetadataError if the ranks differ or a chunk has length 0 */
export function regularGrid(shape: readonly number[], chunkShape: readonly number[]): ChunkGrid {
  if (shape.length !== chunkShape.length)
    throw new MetadataError(
      `the chunk shape has ${chunkShape.length} dimensions, but the array's shape has ${shape.length}`,
    );
  const dims = shape.map((size, d) => {
    const chunkSize = chunkShape[d] ?? 0;
    if (chunkSize < 1)
      throw new MetadataError(`the chunk length of dimension ${d} is ${chunkSize}; it must be at least 1`);
    return { size, chunkSize, chunks: Math.ceil(size / chunkSize) };
  });
  return { kind: 'regular', dims };
}

export function chunkShapeOf(grid: ChunkGrid): number[] {
  return grid.dims.map((dim) => dim.chunkSize);
}
