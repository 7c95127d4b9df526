import type { FetchResponse } from '../options.js';

/** The whole body, in memory of its own. `touch` is called for every piece that comes. */
export async function readBody(response: FetchResponse, touch: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    touch();
    if (value === undefined) continue;
    pieces.push(value);
    length += value.length;
  }
  return joined(pieces, length);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && only.buffer instanceof ArrayBuffer)
    return new Uint8Array(only.buffer, only.byteOffset, only.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
