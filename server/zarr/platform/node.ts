/** The functions of browser.ts, on Node. */
import { setMaxListeners } from 'node:events';
import type * as browser from './browser.js';

export { nativeZstd } from './zstd.js';

export const isResponsive: boolean = false;

export const runInNextTurn: typeof browser.runInNextTurn = (work) => void setImmediate(work);

export const nextTurn: typeof browser.nextTurn = () => new Promise((resolve) => setImmediate(resolve));

export const startTimer: typeof browser.startTimer = (work, ms) => {
  const timer = setTimeout(work, ms);
  return { restart: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};

export const allowManyListeners: typeof browser.allowManyListeners = (signal) => setMaxListeners(0, signal);

export const allocateUninitialised: typeof browser.allocateUninitialised = (bytes) =>
  new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);

export const isSharedBuffer: typeof browser.isSharedBuffer = (buffer) => buffer instanceof SharedArrayBuffer;

export const sameBytes: typeof browser.sameBytes = (a, b) => Buffer.compare(a, b) === 0;

export const latin1FromBytes: typeof browser.latin1FromBytes = (bytes, start, end) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);

export const bytesFromLatin1: typeof browser.bytesFromLatin1 = (text) => Buffer.from(text, 'latin1');
