/** Every chunk passes through every codec, so that their number is bounded before any is bound to an array. */
import { LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** @param where the list of codecs: "codecs", "filters". @throws LimitError */
export function assertCodecCount(count: number, where: string): void {
  const { maxCodecs } = metadataBounds;
  if (count <= maxCodecs) return;
  throw new LimitError(`${where} has ${count} codecs; at most ${maxCodecs} are accepted`, {
    excess: [{ limit: 'codecs', allowed: maxCodecs, needed: count }],
  });
}
