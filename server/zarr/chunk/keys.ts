/** The key of a chunk below its array's path (v3 core specification, "Chunk key encoding"; v2 "Chunks"). */

export interface ChunkKeys {
  /** `default` adds the prefix "c"; `v2` does not, and the only chunk of a 0-d array has the key "0". */
  readonly encoding: 'default' | 'v2';
  readonly separator: '/' | '.';
}

/** @param index the chunk's coordinates in the grid, one per dimension */
export function chunkKey(keys: ChunkKeys, index: readonly number[]): string {
  const joined = index.join(keys.separator);
  if (keys.encoding === 'v2') return index.length === 0 ? '0' : joined;
  return index.length === 0 ? 'c' : `c${keys.separator}${joined}`;
}
