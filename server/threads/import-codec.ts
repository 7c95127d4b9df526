/** Imports an added codec into a decoding thread. */
import { type Codec, isCodec } from '../format/codec/codec.js';
import { UnsupportedError } from '../core/errors.js';
import type { NamedModule } from './protocol.js';

/** Maximum time, in milliseconds, to import a module, and again to load its codec. */
const IMPORT_TIMEOUT_MS = 20_000;

/**
 * The reason for a failure is only printed as a warning of the process, because it may contain paths, which
 * clients must not see.
 * @throws UnsupportedError if the import fails
 */
export async function importCodec({ name, url, export: exported }: NamedModule): Promise<Codec> {
  try {
    const module: unknown = await withinTime(import(url));
    const codec: unknown = typeof module === 'object' && module !== null && Reflect.get(module, exported);
    if (isCodec(codec)) {
      await withinTime(codec.load?.() ?? Promise.resolve());
      return codec;
    }
    throw new TypeError(`its export "${exported}" is not a codec`);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    process.emitWarning(`codec "${name}": a decoding thread could not import ${url}: ${why}`);
    throw new UnsupportedError(`codec "${name}": its module could not be imported by a decoding thread`, {
      cause,
    });
  }
}

/** The import has a time limit, because a module may contain a top-level await. */
async function withinTime<T>(importing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${IMPORT_TIMEOUT_MS} ms`)), IMPORT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([importing, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
