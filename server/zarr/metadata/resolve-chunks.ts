/** Binds the codec chain of chunks, for all formats. If that fails, the reason is stored with the array. */
import { resolveChain } from '../codec/chain.js';
import type { ChunkRep, CodecRegistry, CodecSpec } from '../codec/codec.js';
import { UnsupportedError } from '../errors.js';
import type { ArrayMeta } from './model.js';

/**
 * An array whose data type or codecs are unsupported can be opened; only reading its values fails.
 * @throws MetadataError for a chain that is invalid for every reader
 */
export function resolveStoredChain(
  registry: CodecRegistry,
  specs: readonly CodecSpec[],
  rep: ChunkRep,
): ArrayMeta['chain'] {
  if (rep.dtype.name === 'unknown')
    return { unsupported: `unsupported data type ${quoted(rep.dtype.given)}` };
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
