/** Limits the number of codecs before they are bound, because every chunk passes through all of them. */
import { LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** @param where name of the list of codecs: "codecs" or "filters". @throws LimitError */
export function assertCodecCount(count: number, where: string): void {
  const { maxCodecs } = metadataBounds;
  if (count <= maxCodecs) return;
  throw new LimitError(`${where} has ${count} codecs; at most ${maxCodecs} are allowed`, {
    excess: [{ limit: 'codecs', allowed: maxCodecs, needed: count }],
  });
}
