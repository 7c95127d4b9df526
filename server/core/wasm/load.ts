/**
 * The source of the WebAssembly modules. On Node they are read and compiled at first use, synchronously (a few
 * milliseconds). In browsers `loadWasm` fetches and compiles them before chunks are decoded. Workers that
 * share compiled code, and programs whose bundler does not copy the files, provide them:
 *
 *     worker.postMessage(compiledWasm('codecs'))      // in the worker: provideWasm('codecs', event.data)
 */
import { CodecError } from '../errors.js';
import { fetchWasmFile, readWasmFile } from '#wasm-file';

/** `codecs`: blosc, lz4, zstd and kernels of reductions. `archive`: bzip2 and lzma, which are rare. */
export type WasmName = 'codecs' | 'archive';

/**
 * A `WebAssembly.Module`. This alias exists because the TypeScript libraries of the engine do not include
 * that type.
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
  readonly Instance: new (
    module: WasmModule,
    imports?: Readonly<Record<string, Readonly<Record<string, WasmMemory>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory;
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

/** Whether the module can be used without loading it first. */
export function hasWasm(name: WasmName): boolean {
  return fetchWasmFile === undefined || compiled.has(name);
}

const loading = new Map<WasmName, Promise<void>>();

/**
 * Makes the module available to `compiledWasm`.
 * @returns undefined if it is already available
 * @throws CodecError or an error of the platform if loading fails; a later call retries
 */
export function loadWasm(name: WasmName): Promise<void> | undefined {
  if (fetchWasmFile === undefined || hasWasm(name)) return undefined;
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

/** The `load` of a codec that uses the module. Empty on Node, which reads modules at their first use. */
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
 * Creates an instance with separate memory.
 * @throws CodecError if the module does not export a memory
 */
export function instantiateWasm(name: WasmName): WasmInstance {
  const instance = instanceOf(compiledWasm(name));
  if (instance === undefined)
    throw new CodecError(`the WebAssembly module "${name}" does not export a memory`);
  return instance;
}

/**
 * Compiles a module that was generated at run time and imports `from.memory`.
 * @returns a function that creates an instance with the given memory and returns its functions. Both are
 * undefined if the platform does not allow it
 */
export function linkBytes(
  bytes: Uint8Array,
): ((memory: WasmMemory) => ReadonlyMap<string, WasmFunction> | undefined) | undefined {
  const module = unlessFailed(() => new WebAssembly.Module(bytes));
  if (module === undefined) return undefined;
  return (memory) =>
    unlessFailed(() => functionsOf(new WebAssembly.Instance(module, { from: { memory } }).exports));
}

const PAGE_BYTES = 65_536;

/** @returns undefined if no addresses are left: a memory may reserve several gigabytes of them */
export function allocateWasm(bytes: number): WasmMemory | undefined {
  return unlessFailed(() => new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) }));
}

function unlessFailed<T>(create: () => T): T | undefined {
  try {
    return create();
  } catch {
    return undefined;
  }
}

function instanceOf(module: WasmModule): WasmInstance | undefined {
  const { exports } = new WebAssembly.Instance(module);
  const { memory } = exports;
  return isWasmMemory(memory) ? { functions: functionsOf(exports), memory } : undefined;
}

function functionsOf(exports: Readonly<Record<string, unknown>>): ReadonlyMap<string, WasmFunction> {
  const functions = new Map<string, WasmFunction>();
  for (const [key, value] of Object.entries(exports)) if (isWasmFunction(value)) functions.set(key, value);
  return functions;
}

function isWasmFunction(value: unknown): value is WasmFunction {
  return typeof value === 'function';
}

function isWasmMemory(value: unknown): value is WasmMemory {
  return (
    typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof ArrayBuffer
  );
}
