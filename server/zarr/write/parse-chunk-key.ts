/** The inverse of `chunkKey`: the chunk that a key below an array's path belongs to. */
import type { ChunkKeys } from '../chunk/keys.js';

const indexPattern = /^(?:0|[1-9]\d{0,15})$/;

/** @returns the position of the chunk in the grid of stored objects; undefined for other keys */
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
