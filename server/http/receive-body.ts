/** Receives the bodies of requests within limits. */
import type { RequestMemory } from '../memory/budget.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR } from '../memory/sizes.js';
import { respondWithProblem, type Exchange } from './exchange.js';
import type { HttpConfig } from './options.js';
import { bodyTooLarge, encodedBody } from './problem.js';

/** Maximum body size whose parsing is covered by the base memory of a request. */
const SMALL_BODY_BYTES = 2 ** 13;

/**
 * The body; undefined if it was rejected or the client has disconnected. Never buffers more than `maxBodyBytes`,
 * regardless of what the client declares or sends.
 */
export type ReceiveBody = (
  exchange: Exchange,
  memory: RequestMemory,
  signal: AbortSignal,
) => Promise<Buffer<ArrayBuffer> | undefined>;

export function createBodyReceiver({ maxBodyBytes }: Pick<HttpConfig, 'maxBodyBytes'>): ReceiveBody {
  return async (exchange, memory, signal) => {
    const { incoming } = exchange;
    const received: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
    const parts: Buffer[] = [];
    let length = 0;
    try {
      const coding = incoming.headers['content-encoding'];
      if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') {
        respondWithProblem(exchange, encodedBody(coding));
        return undefined;
      }
      const announced = Number(incoming.headers['content-length'] ?? 0);
      if (announced > maxBodyBytes) {
        respondWithProblem(exchange, bodyTooLarge(maxBodyBytes, announced));
        return undefined;
      }
      for await (const part of received) {
        length += part.length;
        if (length > maxBodyBytes) {
          respondWithProblem(exchange, bodyTooLarge(maxBodyBytes, undefined));
          return undefined;
        }
        parts.push(part);
        // A slow sender must not use the reserve.
        await memory.take(part.length * BODY_FACTOR, { signal, reserve: false });
      }
    } catch (error) {
      if (incoming.destroyed) return undefined;
      throw error;
    } finally {
      // Discards the rest as it arrives, until the server's time limit for requests.
      incoming.on('error', () => {}).resume();
    }
    if (length > SMALL_BODY_BYTES) await memory.take(length * PARSED_BODY_FACTOR, { signal });
    return Buffer.concat(parts, length);
  };
}
