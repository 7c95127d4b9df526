/**
 * Base64 (RFC 4648, section 4) to bytes and back, by the fastest means at hand. The result has a buffer of its own: aligned
 * for every typed array, and no view of a shared pool.
 */
import { TransportError } from '../errors.js';

/** @throws TransportError BAD_RESPONSE unless the text is base64 of exactly `byteLength` bytes */
export function decodeBase64(text: string, byteLength: number): Uint8Array<ArrayBuffer> {
  if (byteLength < 0 || base64Length(text) !== byteLength) throw malformed(text, byteLength);
  const decode = nativeDecoder() ?? bufferDecoder() ?? decodeByTable;
  const bytes = decode(text, byteLength);
  if (bytes?.length !== byteLength) throw malformed(text, byteLength);
  return bytes;
}

/** Undefined: the text is malformed. */
type Decoder = (text: string, byteLength: number) => Uint8Array<ArrayBuffer> | undefined;

/** `Uint8Array.fromBase64` (ECMAScript 2026), where the engine has it. */
function nativeDecoder(): Decoder | undefined {
  const native: unknown = Reflect.get(Uint8Array, 'fromBase64');
  if (typeof native !== 'function') return undefined;
  return (text) => {
    try {
      const bytes: unknown = Reflect.apply(native, Uint8Array, [text]);
      return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
        : undefined;
    } catch {
      return undefined;
    }
  };
}

/** Node's Buffer, written into memory of our own: `Buffer.from(text)` may give a view of a pool of 8 KiB. */
function bufferDecoder(): Decoder | undefined {
  const Buffer: unknown = Reflect.get(globalThis, 'Buffer');
  if (!isNodeBuffer(Buffer)) return undefined;
  return (text, byteLength) => {
    const bytes = new Uint8Array(byteLength);
    const written = Buffer.from(bytes.buffer).write(text, 'base64');
    return written === byteLength ? bytes : undefined;
  };
}

interface NodeBuffer {
  from(buffer: ArrayBufferLike, byteOffset?: number, length?: number): NodeBytes;
}

interface NodeBytes {
  write(text: string, encoding: 'base64'): number;
  toString(encoding: 'base64'): string;
}

function isNodeBuffer(value: unknown): value is NodeBuffer {
  return typeof value === 'function' && 'from' in value && 'allocUnsafe' in value;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Character code -> its six bits; the sign bit is set for what is no such character. */
const table = new Int8Array(128).fill(-1);
for (let i = 0; i < alphabet.length; i++) table[alphabet.charCodeAt(i)] = i;

/** For engines that have neither. Exported for its test. */
export function decodeByTable(text: string, byteLength: number): Uint8Array<ArrayBuffer> | undefined {
  const bytes = new Uint8Array(byteLength);
  const whole = byteLength - (byteLength % 3);
  let from = 0;
  // Negative once any character was none: the sign bit stays through every `|`.
  let seen = 0;
  for (let to = 0; to < whole; to += 3, from += 4) {
    const a = sixBits(text, from);
    const b = sixBits(text, from + 1);
    const c = sixBits(text, from + 2);
    const d = sixBits(text, from + 3);
    seen |= a | b | c | d;
    bytes[to] = (a << 2) | (b >> 4);
    bytes[to + 1] = (b << 4) | (c >> 2);
    bytes[to + 2] = (c << 6) | d;
  }
  if (whole < byteLength) {
    const [a, b] = [sixBits(text, from), sixBits(text, from + 1)];
    const c = whole + 1 < byteLength ? sixBits(text, from + 2) : 0;
    seen |= a | b | c;
    bytes[whole] = (a << 2) | (b >> 4);
    if (whole + 1 < byteLength) bytes[whole + 1] = (b << 4) | (c >> 2);
  }
  return seen < 0 ? undefined : bytes;
}

function sixBits(text: string, at: number): number {
  return table[text.charCodeAt(at)] ?? -1;
}

/** Bytes to base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const Buffer: unknown = Reflect.get(globalThis, 'Buffer');
  if (isNodeBuffer(Buffer))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const pieces: string[] = [];
  // A multiple of 3, so that only the last piece is padded; short enough for the call stack.
  for (let from = 0; from < bytes.length; from += 0x6000)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + 0x6000))));
  return pieces.join('');
}

function paddingOf(text: string): number {
  return text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
}

/** Bytes that well-formed base64 stands for, -1 where the length alone shows that it is malformed. */
export function base64Length(text: string): number {
  return text.length % 4 === 0 ? (text.length / 4) * 3 - paddingOf(text) : -1;
}

function malformed(text: string, byteLength: number): TransportError {
  return new TransportError(
    'BAD_RESPONSE',
    `the values are not base64 of ${byteLength} bytes (${text.length} characters came)`,
  );
}
