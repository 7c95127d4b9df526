/**
 * Where the chunks of an array lie. One `GridDim` a dimension; only the regular grid exists (v3 core specification,
 * "Regular grids"), but readers use it through these functions alone, so that another can follow.
 */
import { MetadataError } from '../errors.js';

export interface GridDim {
  /** Elements of the array along this dimension. */
  readonly size: number;
  /** Elements of a chunk along this dimension; chunks at the edge are stored at full size all the same. */
  readonly chunkSize: number;
  /** Chunks along this dimension, 0 where size is 0. */
  readonly chunks: number;
}

export interface ChunkGrid {
  readonly kind: 'regular';
  readonly dims: readonly GridDim[];
}

/** @throws MetadataError where the ranks differ or a chunk has no length */
export function regularGrid(shape: readonly number[], chunkShape: readonly number[]): ChunkGrid {
  if (shape.length !== chunkShape.length)
    throw new MetadataError(
      `the chunk shape has ${chunkShape.length} dimensions, the array's shape has ${shape.length}`,
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
