/** In a browser a module cannot be read synchronously: the program compiles it and hands it to `provideWasm`. */
import { UnsupportedError } from '../../errors.js';

export function readWasmFile(name: 'codecs' | 'archive'): Uint8Array {
  throw new UnsupportedError(
    `the WebAssembly module "${name}" is not loaded: compile ${name}.wasm and call provideWasm("${name}", module) first`,
  );
}
