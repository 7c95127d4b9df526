/** Reads the two modules on Node. `#wasm-file` in package.json selects this file or read-file.ts. */
import { readFileSync } from 'node:fs';
import type * as browser from './read-file.js';

/** Reads the bytes of a module in this folder. */
export const readWasmFile: typeof browser.readWasmFile = (name) => {
  const file = name === 'codecs' ? './codecs.wasm' : './archive.wasm';
  return readFileSync(new URL(file, import.meta.url));
};

export const fetchWasmFile: typeof browser.fetchWasmFile = undefined;
