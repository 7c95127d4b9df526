/**
 * The source of the WebAssembly modules. On Node they are read and compiled at first use, synchronously (a few
 * milliseconds). In browsers `loadWasm` fetches and compiles them before chunks are decoded. Workers that share compiled
 * code, and programs whose bundler does not copy the files, provide them:
 *
 *     worker.postMessage(compiledWasm('codecs'))      // and there: provideWasm('codecs', it)
 */
import { CodecError } from '../../errors.js';
import { fetchWasmFile, readWasmFile } from '#wasm-file';

/** `codecs`: blosc, lz4, zstd, deflate. `archive`: bzip2 and lzma, which are rare. */
export type WasmName = 'codecs' | 'archive';

/**
 * A `WebAssembly.Module`. An alias, because the TypeScript libraries of the engine do not include this
 * type.
 */
export type WasmModule = object;

export type WasmFunction = (...args: number[]) => number;

/** One instance: its functions and its memory, whose `buffer` is replaced when it grows. */
export interface WasmInstance {
  readonly functions: ReadonlyMap<string, WasmFunction>;
  readonly memory: WasmMemory;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

interface WebAssemblyApi {
  readonly compile: (bytes: Uint8Array) => Promise<WasmModule>;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule) => { readonly exports: Readonly<Record<string, unknown>> };
}
declare const WebAssembly: WebAssemblyApi;

const compiled = new Map<WasmName, WasmModule>();

/**
 * Provides a module, compiled or as bytes; existing instances are not affected. One module serves all
 * instances of a thread, and a compiled one can be posted to other threads.
 */
export function provideWasm(name: WasmName, source: Uint8Array | WasmModule): void {
  compiled.set(name, source instanceof Uint8Array ? new WebAssembly.Module(source) : source);
}

const loading = new Map<WasmName, Promise<void>>();

/**
 * Makes the module available to `compiledWasm`.
 * @returns undefined if it is already available.
 * @throws CodecError; a later call retries
 */
export function loadWasm(name: WasmName): Promise<void> | undefined {
  if (fetchWasmFile === undefined || compiled.has(name)) return undefined;
  let current = loading.get(name);
  if (current === undefined) {
    current = fetchWasmFile(name)
      .then((bytes) => WebAssembly.compile(bytes))
      .then((module) => void compiled.set(name, module))
      .finally(() => loading.delete(name));
    loading.set(name, current);
  }
  return current;
}

/** The `load` of a codec that uses the module. Nothing on Node, which reads modules at their first use. */
export function loadingWasm(name: WasmName): { readonly load?: () => Promise<void> | undefined } {
  return fetchWasmFile === undefined ? {} : { load: () => loadWasm(name) };
}

/** The compiled module, as provided or read from its file. */
export function compiledWasm(name: WasmName): WasmModule {
  let module = compiled.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readWasmFile(name));
    compiled.set(name, module);
  }
  return module;
}

/**
 * A new instance with separate memory.
 * @throws CodecError if the version of the module does not match this code
 */
export function instantiateWasm(name: WasmName): WasmInstance {
  const exported = new WebAssembly.Instance(compiledWasm(name)).exports;
  const functions = new Map<string, WasmFunction>();
  for (const [key, value] of Object.entries(exported)) if (isWasmFunction(value)) functions.set(key, value);
  const memory = exported['memory'];
  if (!isWasmMemory(memory))
    throw new CodecError(`the WebAssembly module "${name}" does not export a memory`);
  return { functions, memory };
}

function isWasmFunction(value: unknown): value is WasmFunction {
  return typeof value === 'function';
}

function isWasmMemory(value: unknown): value is WasmMemory {
  return (
    typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof ArrayBuffer
  );
}
