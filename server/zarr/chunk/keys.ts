/** The key of a chunk below its array's path (v3 core specification, "Chunk key encoding"; v2 "Chunks"). */

export interface ChunkKeys {
  /** `default` prefixes "c"; `v2` does not, and a 0-d array's chunk is "0". */
  readonly encoding: 'default' | 'v2';
  readonly separator: '/' | '.';
}

/** @param index the chunk's place in the grid, one number a dimension */
export function chunkKey(keys: ChunkKeys, index: readonly number[]): string {
  const joined = index.join(keys.separator);
  if (keys.encoding === 'v2') return index.length === 0 ? '0' : joined;
  return index.length === 0 ? 'c' : `c${keys.separator}${joined}`;
}
