/**
 * Base64 (RFC 4648, section 4), using functions of the JavaScript engine or of Node. Decoded bytes have a
 * separate buffer, which is aligned for all typed arrays.
 */

/** @returns undefined unless the text is base64 with padding in the standard alphabet */
export function parseBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? decodeBase64(text, base64Length(text)) : undefined;
}

/**
 * Like `parseBase64`, but faster for large texts.
 * The alphabet is not checked separately: Node's Buffer also accepts the URL-safe one.
 * @returns undefined unless the text decodes to exactly `byteLength` bytes
 */
export function decodeBase64(text: string, byteLength: number): Uint8Array<ArrayBuffer> | undefined {
  if (byteLength < 0 || base64Length(text) !== byteLength) return undefined;
  const decode = nativeDecoder() ?? bufferDecoder() ?? decodeByAtob;
  const bytes = decode(text, byteLength);
  return bytes?.length === byteLength ? bytes : undefined;
}

/** Number of bytes that well-formed base64 encodes; -1 if the length of the text is not a multiple of 4. */
function base64Length(text: string): number {
  return text.length % 4 === 0 ? (text.length / 4) * 3 - paddingOf(text) : -1;
}

function paddingOf(text: string): number {
  return text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
}

/** Decodes base64 text; returns undefined for malformed text. */
type Decoder = (text: string, byteLength: number) => Uint8Array<ArrayBuffer> | undefined;

/** Returns a decoder that uses `Uint8Array.fromBase64` (ECMAScript 2026), if the engine has it. */
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

/**
 * Uses Node's Buffer, but writes into new memory, because `Buffer.from(text)` may return a view of a shared
 * pool.
 */
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

/** Fallback for engines with neither `fromBase64` nor Buffer. */
const decodeByAtob: Decoder = (text, byteLength) => {
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(byteLength);
    for (let i = 0; i < byteLength; i++) bytes[i] = binary.charCodeAt(i);
    return binary.length === byteLength ? bytes : undefined;
  } catch {
    return undefined;
  }
};

/** Encodes bytes as base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const Buffer: unknown = Reflect.get(globalThis, 'Buffer');
  if (isNodeBuffer(Buffer))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const pieces: string[] = [];
  // The length is a multiple of 3, so that only the last piece is padded, and is short enough for the call
  // stack.
  for (let from = 0; from < bytes.length; from += 0x6000)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(from, from + 0x6000))));
  return pieces.join('');
}
