/**
 * Compares typed arrays by their bytes. The comparison of vitest visits each element, which takes seconds for
 * megabytes. Vitest compares arrays with different bytes: it treats NaNs with other bits as equal, and shows the
 * difference.
 */
import { Buffer } from 'node:buffer';
import { expect } from 'vitest';

function haveEqualBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
  if (a.constructor !== b.constructor || a.byteLength !== b.byteLength) return undefined;
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? true : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

// This file runs before each test file, and files share a process.
const key = Symbol.for('zarrql.typed-arrays');
if (!(key in globalThis)) {
  Object.defineProperty(globalThis, key, { value: true });
  expect.addEqualityTesters([haveEqualBytes]);
}
