/** Fetches the two modules in browsers, from the URLs that the bundler assigned. */
import { CodecError } from '../errors.js';

type WasmFile = 'codecs' | 'archive';

/** Always fails, because browsers cannot read files synchronously. @throws CodecError in every case */
export function readWasmFile(name: WasmFile): Uint8Array {
  throw new CodecError(
    `the WebAssembly module "${name}" is not loaded; call provideWasm("${name}", bytes) before the first read`,
  );
}

/**
 * Fetches the bytes of a module; undefined if `readWasmFile` can read them synchronously.
 * @throws CodecError if the server responds with an error; TypeError if it cannot be reached
 */
export const fetchWasmFile: ((name: WasmFile) => Promise<Uint8Array>) | undefined = async (name) => {
  // Bundlers recognise only this form, and copy the file.
  const url =
    name === 'codecs'
      ? new URL('./codecs.wasm', import.meta.url)
      : new URL('./archive.wasm', import.meta.url);
  const response = await fetch(url);
  if (!response.ok)
    throw new CodecError(
      `the WebAssembly module "${name}": the server responded with status ${response.status}`,
    );
  return new Uint8Array(await response.arrayBuffer());
};
