/**
 * Calls into a WebAssembly module. Each thread has one instance, created on first use. Memory allocated
 * during a call is freed when it ends, and an instance that trapped is discarded, because the state of its
 * memory is unknown.
 */
import { CodecError, LimitError, ZarrError } from '../errors.js';
import type { ByteSpan } from '../bytes/values.js';
import { instantiateWasm, type WasmFunction, type WasmInstance, type WasmMemory, type WasmName } from './load.js'; // prettier-ignore

/**
 * Maximum memory, in bytes, of an instance that is kept. A larger instance is discarded after the call,
 * because WebAssembly memory never shrinks.
 */
const MAX_KEPT_BYTES = 96 * 2 ** 20;

/** Maximum memory of the modules in bytes (build/build.sh), slightly less than 4 GiB. */
const MAX_MEMORY_BYTES = 4_278_190_080;

/** The memory of one call. Addresses are byte offsets in the module's memory. */
export interface WasmCall<F extends string> {
  readonly functions: Readonly<Record<F, WasmFunction>>;
  /** Address of the source. */
  readonly source: number;
  /** Allocates `length` bytes. @throws LimitError if there is no more memory */
  allocate(length: number): number;
  /** Like `allocate`, or the address of `into` if it is in the module's memory and has at least this length. */
  allocateIn(into: Uint8Array | undefined, length: number): number;
  /** Reallocates `block` with its contents. */
  resize(block: number, length: number): number;
  /** Copies bytes into the module's memory. @returns the address of the copy */
  place(bytes: Uint8Array): number;
  /** A view of memory that the next `allocate`, `resize` or `place` may detach. */
  view(address: number, length: number): Uint8Array;
  /**
   * Returns the result of a decoder. With `into`, the result is at its start, and copied only if it is elsewhere.
   * Without `into`, the result is a view that is valid until the next call of this module.
   * @param part the part that must be copied
   */
  copyOut(block: number, length: number, into: Uint8Array | undefined, part?: ByteSpan): Uint8Array;
}

/** A module on this thread. */
interface WasmModule<F extends string> {
  /**
   * Runs `body` with `source` in the module's memory. `body` must use the source that it receives as its
   * argument: a source in the module's memory (the result of the last call) is copied first, because that
   * memory will be freed or detached.
   * @param codec name of the codec, for messages
   * @param head bytes placed before the source in memory
   * @throws errors from `body`; CodecError for a trap
   */
  run<T>(
    codec: string,
    source: Uint8Array,
    body: (call: WasmCall<F>, source: Uint8Array) => T,
    head?: Uint8Array,
  ): T;
  /**
   * Runs `body`, which must not allocate or call functions that do, so the result of the last call remains valid.
   * @param body function that receives the functions and the memory of the module
   */
  borrow<T>(body: (functions: Readonly<Record<F, WasmFunction>>, memory: ArrayBuffer) => T): T;
  /**
   * Memory that later calls keep, so that decoders write to it directly. Ends the views of the previous `hold`.
   * @param spare bytes that the next calls may allocate. If they need more, the views may be detached
   * @returns a view at an address aligned to 8
   * @throws LimitError if there is no more memory
   */
  hold(length: number, spare: number): Uint8Array;
  /** The module's memory, if the view is in it. */
  memoryOf(view: Uint8Array): WasmMemory | undefined;
}

/** @param names the functions that the module must export, in addition to `alloc`, `resize` and `release` */
export function createWasmModule<const F extends string>(name: WasmName, names: readonly F[]): WasmModule<F> {
  let live: LiveInstance<F> | undefined;
  const started = (): LiveInstance<F> => (live ??= new LiveInstance(instantiateWasm(name), names));
  return {
    borrow(body) {
      const { functions, memory } = started();
      return body(functions, memory.buffer);
    },
    hold: (length, spare) => started().hold(length, spare),
    memoryOf: ({ buffer }) => (live?.memory.buffer === buffer ? live.memory : undefined),
    run(codec, source, body, head) {
      const instance = started();
      let intact = false;
      try {
        const result = body(instance, instance.begin(source, head));
        intact = true;
        return result;
      } catch (error) {
        intact = error instanceof ZarrError;
        if (intact) throw error;
        throw new CodecError(`codec "${codec}": the WebAssembly module failed; the data may be corrupt`, {
          cause: error,
        });
      } finally {
        intact = intact && instance.end();
        if (!intact || instance.memory.buffer.byteLength > MAX_KEPT_BYTES) live = undefined;
      }
    },
  };
}

class LiveInstance<F extends string> implements WasmCall<F> {
  readonly functions: Readonly<Record<F, WasmFunction>>;
  readonly memory: WasmMemory;
  source = 0;
  readonly #alloc: WasmFunction;
  readonly #resize: WasmFunction;
  readonly #release: WasmFunction;
  readonly #blocks: number[] = [];
  #bytes: Uint8Array;
  /** Keeps the memory of the last result allocated while its view is valid. */
  #lastResult = 0;
  #held = { address: 0, length: 0 };

  constructor(instance: WasmInstance, names: readonly F[]) {
    this.memory = instance.memory;
    this.functions = functionsOf(instance, names);
    ({
      alloc: this.#alloc,
      resize: this.#resize,
      release: this.#release,
    } = functionsOf(instance, ['alloc', 'resize', 'release']));
    this.#bytes = new Uint8Array(instance.memory.buffer);
  }

  hold(length: number, spare: number): Uint8Array {
    if (length > this.#held.length) {
      if (this.#held.address !== 0) this.#release(this.#held.address);
      this.#held = { address: 0, length: 0 };
      this.#held = { address: this.#keep(length), length };
    }
    this.#release(this.#keep(spare));
    return this.view(this.#held.address, length);
  }

  begin(source: Uint8Array, head: Uint8Array | undefined): Uint8Array {
    const kept = source.buffer === this.memory.buffer ? source.slice() : source;
    if (this.#lastResult !== 0) this.#release(this.#lastResult);
    this.#lastResult = 0;
    const headBytes = head?.length ?? 0;
    this.source = this.allocate(headBytes + kept.length);
    const memory = this.view(this.source, headBytes + kept.length);
    if (head !== undefined) memory.set(head);
    memory.set(kept, headBytes);
    return kept;
  }

  /** Ends the call. @returns whether the memory is consistent */
  end(): boolean {
    try {
      for (const block of this.#blocks) this.#release(block);
      this.#blocks.length = 0;
      return true;
    } catch {
      return false;
    }
  }

  allocate(length: number): number {
    const block = this.#keep(length);
    this.#blocks.push(block);
    return block;
  }

  allocateIn(into: Uint8Array | undefined, length: number): number {
    return into?.buffer === this.memory.buffer && into.length >= length
      ? into.byteOffset
      : this.allocate(length);
  }

  #keep(length: number): number {
    const block = length > MAX_MEMORY_BYTES ? 0 : this.#alloc(Math.max(length, 1)) >>> 0;
    if (block === 0) throw outOfMemory(length);
    return block;
  }

  resize(block: number, length: number): number {
    const moved = length > MAX_MEMORY_BYTES ? 0 : this.#resize(block, Math.max(length, 1)) >>> 0;
    if (moved === 0) throw outOfMemory(length);
    this.#forget(block);
    this.#blocks.push(moved);
    return moved;
  }

  place(bytes: Uint8Array): number {
    const block = this.allocate(bytes.length);
    this.view(block, bytes.length).set(bytes);
    return block;
  }

  view(address: number, length: number): Uint8Array {
    const { buffer } = this.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes.subarray(address, address + length);
  }

  copyOut(block: number, length: number, into: Uint8Array | undefined, part?: ByteSpan): Uint8Array {
    const result = this.view(block, length);
    if (into !== undefined) {
      if (into.buffer === this.memory.buffer && into.byteOffset === block) return into.subarray(0, length);
      if (part === undefined) into.set(result);
      else into.set(result.subarray(part.start, part.end), part.start);
      return into.subarray(0, length);
    }
    this.#forget(block);
    this.#lastResult = block;
    return result;
  }

  #forget(block: number): void {
    const at = this.#blocks.indexOf(block);
    if (at >= 0) this.#blocks.splice(at, 1);
  }
}

function functionsOf<F extends string>(
  instance: WasmInstance,
  names: readonly F[],
): Readonly<Record<F, WasmFunction>> {
  const functions: Partial<Record<F, WasmFunction>> = {};
  for (const name of names) {
    const exported = instance.functions.get(name);
    if (exported !== undefined) functions[name] = exported;
  }
  if (hasAll(functions, names)) return functions;
  throw new CodecError(`the WebAssembly module has the wrong version: it must export ${names.join(', ')}`);
}

function hasAll<F extends string>(
  functions: Partial<Record<F, WasmFunction>>,
  names: readonly F[],
): functions is Record<F, WasmFunction> {
  return names.every((name) => functions[name] !== undefined);
}

function outOfMemory(needed: number): LimitError {
  return new LimitError(`the codec requires ${needed} more bytes, which exceeds its memory of 4 GiB`, {
    excess: [{ limit: 'decoderMemoryBytes', allowed: MAX_MEMORY_BYTES, needed }],
  });
}

export const codecs = createWasmModule('codecs', [
  'blosc_decode',
  'blosc_encode',
  'extremes_begin',
  'extremes_float32',
  'extremes_float64',
  'lz4_bound',
  'lz4_decode',
  'lz4_encode',
  'moments_begin',
  'moments_float32',
  'moments_float64',
  'moments_memory',
  'pairs_float64',
  'pcodec_bound',
  'pcodec_decode',
  'pcodec_encode',
  'ranks_float32',
  'ranks_float64',
  'sums_float32',
  'zstd_bound',
  'zstd_content_size',
  'zstd_decode',
  'zstd_decode_bound',
  'zstd_decode_until',
  'zstd_encode',
  'zstd_min_level',
]);

export const archive = createWasmModule('archive', [
  'bzip2_close',
  'bzip2_encode',
  'bzip2_input_left',
  'bzip2_open',
  'bzip2_room_left',
  'bzip2_step',
  'lzma_close',
  'lzma_decode_open',
  'lzma_encode_open',
  'lzma_input_left',
  'lzma_room_left',
  'lzma_step',
]);
