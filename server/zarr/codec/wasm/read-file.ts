/**
 * The two modules as files, on Node. Bundlers for browsers put `read-file.browser.ts` in this module's place
 * (package.json, "browser").
 */
import { readFileSync } from 'node:fs';

/** Bytes of a module that lies beside this file. */
export function readWasmFile(name: 'codecs' | 'archive'): Uint8Array {
  const file = name === 'codecs' ? './codecs.wasm' : './archive.wasm';
  return readFileSync(new URL(file, import.meta.url));
}
