/** Receives the bodies of requests within limits. */
import type { RequestMemory } from '../memory/budget.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR } from '../memory/sizes.js';
import { type Exchange, respondWithProblem } from './exchange.js';
import type { HttpConfig } from './options.js';
import { bodyTooLarge, encodedBody, type Problem } from './problem.js';

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
  return (exchange, memory, signal) =>
    new Promise((resolve) => {
      const { incoming } = exchange;
      const parts: Buffer[] = [];
      let length = 0;

      const announced = Number(incoming.headers['content-length'] ?? 0);
      const coding = incoming.headers['content-encoding'];
      incoming.on('error', () => {});
      if (incoming.destroyed) return end();
      if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
        return refuse(encodedBody(coding));
      if (announced > maxBodyBytes) return refuse(bodyTooLarge(maxBodyBytes, announced));
      // Listeners instead of an iterator, which costs more than reading a small body.
      incoming.once('close', end);
      incoming.once('end', complete);
      incoming.on('data', take);
      return undefined;

      function take(part: Buffer): void {
        length += part.length;
        if (length > maxBodyBytes) return refuse(bodyTooLarge(maxBodyBytes, undefined));
        parts.push(part);
        try {
          // A slow sender must not use the reserve.
          const waiting = memory.take(part.length * BODY_FACTOR, { signal, reserve: false });
          if (waiting === undefined) return;
          incoming.pause();
          waiting.then(() => incoming.resume(), fail);
        } catch (error) {
          fail(error);
        }
      }

      function complete(): void {
        try {
          const waiting =
            length > SMALL_BODY_BYTES ? memory.take(length * PARSED_BODY_FACTOR, { signal }) : undefined;
          if (waiting === undefined) end(Buffer.concat(parts, length));
          else waiting.then(() => end(Buffer.concat(parts, length)), fail);
        } catch (error) {
          fail(error);
        }
      }

      function refuse(problem: Problem): void {
        respondWithProblem(exchange, problem);
        end();
      }

      function fail(error: unknown): void {
        end(incoming.destroyed ? undefined : failed(error));
      }

      /** Discards the rest as it arrives, until the server's time limit for requests. */
      function end(body?: Buffer<ArrayBuffer> | Promise<never>): void {
        incoming.off('data', take);
        incoming.resume();
        resolve(body);
      }
    });
}

async function failed(error: unknown): Promise<never> {
  throw error;
}
