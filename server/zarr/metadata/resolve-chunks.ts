/** The part that all versions share: a chunk's codec chain is bound, or the reason is kept why it cannot be. */
import { resolveChain } from '../codec/chain.js';
import type { ChunkRep, CodecRegistry, CodecSpec } from '../codec/codec.js';
import { UnsupportedError } from '../errors.js';
import type { ArrayMeta } from './model.js';

/**
 * An array whose data type or codecs this engine lacks opens all the same; only its values are unsupported.
 * @throws MetadataError for a chain that is wrong, whoever reads it
 */
export function resolveStoredChain(
  registry: CodecRegistry,
  specs: readonly CodecSpec[],
  rep: ChunkRep,
): ArrayMeta['chain'] {
  if (rep.dtype.name === 'unknown')
    return { unsupported: `the data type ${quoted(rep.dtype.given)} is not supported` };
  try {
    return resolveChain(registry, specs, rep);
  } catch (error) {
    if (error instanceof UnsupportedError) return { unsupported: error.detail };
    throw error;
  }
}

function quoted(name: string): string {
  return name.length > 80 ? `"${name.slice(0, 80)}..."` : `"${name}"`;
}
