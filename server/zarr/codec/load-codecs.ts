/**
 * Loads the dependencies of codecs before their first use, because browsers cannot load WebAssembly modules
 * synchronously.
 */
import { CodecError, ownError } from '../errors.js';
import type { Codec, CodecChain } from './codec.js';

/**
 * @param chain codec chain of an array; nothing is loaded for an unsupported chain
 * @returns undefined if everything is loaded.
 * @throws CodecError if something cannot be loaded; a later call retries
 */
export function loadCodecs(chain: CodecChain | { readonly unsupported: string }): Promise<void> | undefined {
  if ('unsupported' in chain || chain.loaded === undefined) return undefined;
  const loading = [...chain.loaded].flatMap((codec) => load(codec) ?? []);
  return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
}

function load(codec: Codec): Promise<void> | undefined {
  try {
    return codec.load?.()?.catch((error: unknown) => failed(codec, error));
  } catch (error) {
    return failed(codec, error);
  }
}

function failed({ name }: Codec, cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw ownError(cause) ?? new CodecError(`codec "${name}": loading failed: ${why}`, { cause });
}
