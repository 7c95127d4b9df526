/**
 * Calls into a WebAssembly module. One instance a thread, made at first use; whatever a call allocates is freed when it
 * ends, and an instance that trapped is thrown away, since nobody knows what its memory holds then.
 */
import { CodecError, LimitError, ZarrError } from '../../errors.js';
import type { ByteSpan } from '../codec.js';
import { instantiateWasm, type WasmFunction, type WasmInstance, type WasmName } from './load.js';

/** Above this an instance is given up after the call: memory of WebAssembly never shrinks. */
const MAX_KEPT_BYTES = 96 * 2 ** 20;

/** What the modules may grow to (build/build.sh), a little less than 4 GiB. */
const MAX_MEMORY_BYTES = 4_278_190_080;

/** What one call works with. Addresses are byte offsets in the module's memory. */
export interface WasmCall<F extends string> {
  readonly functions: Readonly<Record<F, WasmFunction>>;
  /** Where the source lies. */
  readonly source: number;
  /** Room for `length` bytes. @throws LimitError if there is no more memory */
  allocate(length: number): number;
  /** Another room with what `block` holds, which is gone. */
  resize(block: number, length: number): number;
  /** Copies bytes in. */
  place(bytes: Uint8Array): number;
  /** A view on memory that the next `allocate`, `resize` or `place` may detach. */
  view(address: number, length: number): Uint8Array;
  /**
   * The result of a decoder: copied to the start of `into`, or without `into` a view that lives until the next call of
   * this module.
   * @param part what of it is worth copying
   */
  deliver(block: number, length: number, into: Uint8Array | undefined, part?: ByteSpan): Uint8Array;
}

/** A module on this thread. */
export interface WasmHost<F extends string> {
  /**
   * Runs `body` with `source` in the module's memory. `body` gets the source once more, as it must use it: one that lies
   * in this memory (the result of the last call) was copied out, since what it lies in is about to be freed or detached.
   * @param codec for messages
   * @param head stands before the source in the memory
   * @throws what `body` throws; CodecError for a trap
   */
  run<T>(
    codec: string,
    source: Uint8Array,
    body: (call: WasmCall<F>, source: Uint8Array) => T,
    head?: Uint8Array,
  ): T;
}

/** @param names the functions that the module must export, beside `alloc`, `resize` and `release` */
export function createWasmHost<const F extends string>(name: WasmName, names: readonly F[]): WasmHost<F> {
  let live: LiveInstance<F> | undefined;
  return {
    run(codec, source, body, head) {
      const instance = (live ??= new LiveInstance(instantiateWasm(name), names));
      let intact = false;
      try {
        const result = body(instance, instance.begin(source, head));
        intact = true;
        return result;
      } catch (error) {
        intact = error instanceof ZarrError;
        if (intact) throw error;
        throw new CodecError(`codec "${codec}": the decoder broke off, the bytes are not in its format`, {
          cause: error,
        });
      } finally {
        intact = intact && instance.end();
        if (!intact || instance.memoryBytes > MAX_KEPT_BYTES) live = undefined;
      }
    },
  };
}

class LiveInstance<F extends string> implements WasmCall<F> {
  readonly functions: Readonly<Record<F, WasmFunction>>;
  source = 0;
  readonly #instance: WasmInstance;
  readonly #alloc: WasmFunction;
  readonly #resize: WasmFunction;
  readonly #release: WasmFunction;
  readonly #blocks: number[] = [];
  #bytes: Uint8Array;
  /** Holds the last result while its view lives. */
  #delivered = 0;

  constructor(instance: WasmInstance, names: readonly F[]) {
    this.#instance = instance;
    this.functions = functionsOf(instance, names);
    ({
      alloc: this.#alloc,
      resize: this.#resize,
      release: this.#release,
    } = functionsOf(instance, ['alloc', 'resize', 'release']));
    this.#bytes = new Uint8Array(instance.memory.buffer);
  }

  get memoryBytes(): number {
    return this.#instance.memory.buffer.byteLength;
  }

  begin(source: Uint8Array, head: Uint8Array | undefined): Uint8Array {
    const kept = source.buffer === this.#instance.memory.buffer ? source.slice() : source;
    this.#releaseDelivered();
    const headBytes = head?.length ?? 0;
    this.source = this.allocate(headBytes + kept.length);
    const memory = this.view(this.source, headBytes + kept.length);
    if (head !== undefined) memory.set(head);
    memory.set(kept, headBytes);
    return kept;
  }

  /** Whether the memory is still in order. */
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
    const block = length > MAX_MEMORY_BYTES ? 0 : this.#alloc(Math.max(length, 1)) >>> 0;
    if (block === 0) throw outOfMemory(length);
    this.#blocks.push(block);
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
    const { buffer } = this.#instance.memory;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes.subarray(address, address + length);
  }

  deliver(block: number, length: number, into: Uint8Array | undefined, part?: ByteSpan): Uint8Array {
    const result = this.view(block, length);
    if (into !== undefined) {
      if (part === undefined) into.set(result);
      else into.set(result.subarray(part.start, part.end), part.start);
      return into.subarray(0, length);
    }
    this.#forget(block);
    this.#delivered = block;
    return result;
  }

  #forget(block: number): void {
    const at = this.#blocks.indexOf(block);
    if (at >= 0) this.#blocks.splice(at, 1);
  }

  #releaseDelivered(): void {
    if (this.#delivered !== 0) this.#release(this.#delivered);
    this.#delivered = 0;
  }
}

function functionsOf<F extends string>(
  instance: WasmInstance,
  names: readonly F[],
): Readonly<Record<F, WasmFunction>> {
  const found: Partial<Record<F, WasmFunction>> = {};
  for (const name of names) {
    const one = instance.functions.get(name);
    if (one !== undefined) found[name] = one;
  }
  if (hasAll(found, names)) return found;
  throw new CodecError(`the WebAssembly module lacks one of ${names.join(', ')}: it is another version`);
}

function hasAll<F extends string>(
  found: Partial<Record<F, WasmFunction>>,
  names: readonly F[],
): found is Record<F, WasmFunction> {
  return names.every((name) => found[name] !== undefined);
}

function outOfMemory(needed: number): LimitError {
  return new LimitError(`decoding needs ${needed} bytes more than the decoder's memory of 4 GiB has left`, {
    excess: [{ limit: 'decoderMemoryBytes', allowed: MAX_MEMORY_BYTES, needed }],
  });
}
