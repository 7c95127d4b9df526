/**
 * Platform functions for browsers and other hosts without Node. `#platform` in package.json selects this file or
 * node.ts, which export the same names.
 */

/** Whether decoding must always be time-sliced, so that a page stays responsive. */
export const isResponsive = true;

let channel: MessageChannel | undefined;
const scheduled: (() => void)[] = [];

/** Runs the work in a later turn of the event loop, after pending events. */
export function runInNextTurn(work: () => void): void {
  // A timer would wait 4 ms or more; a message to the same thread does not.
  if (channel === undefined) {
    channel = new MessageChannel();
    channel.port1.onmessage = () => scheduled.shift()?.();
  }
  scheduled.push(work);
  channel.port2.postMessage(null);
}

interface Timer {
  /** Restarts the timer. */
  restart(): void;
  stop(): void;
}

/** @param _keepsAlive on Node, whether the program waits for the timer; default true */
export function startTimer(work: () => void, ms: number, _keepsAlive?: boolean): Timer {
  let timer = setTimeout(work, ms);
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Suppresses Node's warning about many listeners of one signal. Browsers have no such warning. */
export function allowManyListeners(_signal: AbortSignal): void {}

/** Allocates memory that the caller must overwrite. Node does not initialise it. */
export function allocateUninitialised(bytes: number): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * Whether the buffer is shared with other threads. Pages without cross-origin isolation have no shared
 * buffers.
 */
export function isSharedBuffer(buffer: ArrayBufferLike): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Maximum number of arguments of one call. */
const MAX_ARGUMENTS = 8192;

/** Converts bytes to text, one character per byte (ISO 8859-1). */
export function latin1FromBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += MAX_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + MAX_ARGUMENTS)));
  return text;
}

/** The inverse of `latin1FromBytes`. */
export function bytesFromLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Zstandard of the platform, if it is faster than the WebAssembly module. */
export interface NativeZstd {
  /** Minimum decoded size in bytes. The WebAssembly module decodes smaller frames faster. */
  readonly minDecodedBytes: number;
  readonly minEncodedBytes: number;
  /**
   * @returns undefined if the frame is invalid or decodes to more than `length` bytes. The caller must check
   * for fewer
   */
  decode(frame: Uint8Array, length: number): Uint8Array | undefined;
  encode(bytes: Uint8Array, level: number, checksum: boolean): Uint8Array;
}

export const nativeZstd: NativeZstd | undefined = undefined;
