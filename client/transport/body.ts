import type { FetchResponse } from '../options.js';
import { createByteSink, tooLarge } from './byte-sink.js';

/**
 * Reads the whole decompressed body into newly allocated memory. Calls `touch` for every non-empty chunk.
 * @throws TransportError TOO_LARGE as soon as more than `maxBytes` have arrived or been announced
 */
export async function readBody(
  response: FetchResponse,
  maxBytes: number,
  touch: () => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const what = "the gateway's response";
  const reader = response.body?.getReader();
  try {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge(what, maxBytes);
    const sink = createByteSink(maxBytes, what);
    if (reader === undefined) {
      const whole = new Uint8Array(await response.arrayBuffer());
      sink.push(whole);
      return whole;
    }
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return sink.take();
      if (value === undefined || value.length === 0) continue;
      touch();
      sink.push(value);
    }
  } catch (error) {
    // The rest of the body is not needed, so errors of cancelling are ignored.
    reader?.cancel().catch(() => undefined);
    throw error;
  }
}
