import type { FetchResponse } from '../options.js';
import { createByteSink, tooLarge } from './byte-sink.js';

/**
 * The whole body, decompressed, in memory of its own. `touch` is called for every piece that brings something.
 * @throws TransportError TOO_LARGE as soon as more than `maxBytes` have come or are announced
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
    // The rest is not wanted; what the connection says to that does not matter.
    reader?.cancel().catch(() => undefined);
    throw error;
  }
}
