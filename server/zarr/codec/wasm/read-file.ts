/** The two modules as files, in browsers: they are fetched from where the bundler put them, beside the program. */
import { CodecError } from '../../errors.js';

export type WasmFile = 'codecs' | 'archive';

/** Not in browsers, which read nothing synchronously. @throws CodecError */
export function readWasmFile(name: WasmFile): Uint8Array {
  throw new CodecError(`the WebAssembly module "${name}" was not loaded before its first use`);
}

/** Bytes of a module; undefined where `readWasmFile` has them at once. @throws CodecError */
export const fetchWasmFile: ((name: WasmFile) => Promise<Uint8Array>) | undefined = async (name) => {
  // Bundlers recognise this form, literally, and copy the file.
  const url =
    name === 'codecs'
      ? new URL('./codecs.wasm', import.meta.url)
      : new URL('./archive.wasm', import.meta.url);
  const response = await fetch(url);
  if (!response.ok)
    throw new CodecError(`the WebAssembly module "${name}": the server answered with ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};
