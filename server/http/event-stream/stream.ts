/** One reserved event stream: its operations, and the response that carries their results. */
import type { ServerResponse } from 'node:http';
import { REQUEST_BYTES } from '../../memory/sizes.js';
import type { ConnectedClient } from '../access-control.js';
import type { Exchange } from '../exchange.js';
import { begin, endWithToken } from '../gateway-handler.js';
import {
  createMessageQueue,
  type MessageBody,
  type MessageWriter,
  wholeMessage,
} from '../operations/message-writer.js';
import { createOperations, type MessageForm, type OperationsParts } from '../operations/operations.js';
import { type Pace, sendPieces, taken } from '../send.js';

/** Interval of comments on an idle stream: common proxies close idle connections after 30 seconds. */
const KEEP_ALIVE_MS = 12_000;
const COMMENT = ':\n\n';

const messages: MessageForm = {
  logged: 'SSE',
  next: (id) => [`event: next\ndata: {"id":${JSON.stringify(id)},"payload":`, '}\n\n'],
  // The protocol has no message for errors of operations.
  error: (id, errors) =>
    `event: next\ndata: {"id":${JSON.stringify(id)},"payload":{"errors":${errors}}}\n\n${messages.complete(id)}`,
  complete: (id) => `event: complete\ndata: {"id":${JSON.stringify(id)}}\n\n`,
};

export type EventStream = ReturnType<typeof createEventStream>;

/**
 * @param reservation the request that reserved the stream
 * @param onEnd called once
 */
export function createEventStream(
  reservation: Exchange,
  { client }: ConnectedClient,
  parts: OperationsParts,
  onEnd: () => void,
) {
  const { config, gateway, metrics, running } = parts;
  const memory = gateway.memory.open(client);
  memory.add(REQUEST_BYTES);
  let resolveOpened: (response: ServerResponse | undefined) => void = () => {};
  /** Resolves when the stream is opened, or with undefined if it ends before. */
  const opened = new Promise<ServerResponse | undefined>((resolve) => {
    resolveOpened = resolve;
  });
  let outgoing: ServerResponse | undefined;
  let hasEnded = false;
  let isBehind = false;
  let sentBytes = 0;
  const expiry = setTimeout(end, config.receiveTimeoutMs);
  const pace: Pace = {
    minBytesPerSecond: config.minClientBytesPerSecond,
    isMemoryWanted: () => gateway.memory.stats().waiting > 0,
    onTooSlow() {
      reservation.tooSlow = true;
    },
  };

  async function write(body: MessageBody): Promise<number> {
    const response = await opened;
    if (response === undefined || response.destroyed) {
      if (body instanceof ReadableStream) await body.cancel();
      return 0;
    }
    isBehind = true;
    const whole = wholeMessage(body);
    if (whole === undefined && typeof body !== 'string') {
      const sent = await sendPieces(body, response, pace);
      sentBytes += sent;
      return sent;
    }
    if (whole === undefined) return 0;
    if (!response.write(whole)) await taken(response, pace, whole.byteLength);
    sentBytes += whole.byteLength;
    return whole.byteLength;
  }

  const send: MessageWriter['send'] = createMessageQueue({
    get isClosed() {
      return hasEnded;
    },
    write,
    written() {
      isBehind = false;
    },
    fail() {
      outgoing?.destroy();
      end();
    },
  });
  const operations = createOperations(reservation, parts, messages, { send });

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(expiry);
    operations.cancelAll();
    resolveOpened(undefined);
    outgoing?.end();
    memory.end();
    onEnd();
  }

  return {
    /** The client that reserved the stream. */
    client,
    operations,
    get isOpen(): boolean {
      return outgoing !== undefined;
    },
    /** Sends the events as the response to a request. */
    open(exchange: Exchange): void {
      clearTimeout(expiry);
      const response = exchange.outgoing;
      outgoing = response;
      const { signal } = begin(exchange, running);
      signal.addEventListener('abort', () => response.destroy());
      endWithToken(exchange);
      response.writeHead(200, {
        ...exchange.headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
      response.write(COMMENT);
      metrics.eventStreams(1);
      const comments = setInterval(() => {
        if (!isBehind) response.write(COMMENT);
      }, KEEP_ALIVE_MS);
      response.once('close', () => {
        clearInterval(comments);
        exchange.responseBytes = sentBytes;
        exchange.tooSlow = reservation.tooSlow;
        metrics.eventStreams(-1);
        end();
      });
      resolveOpened(response);
    },
    /** Ends the stream when its operations have ended. */
    drain(): void {
      operations.drain(end);
      if (outgoing === undefined) end();
    },
    /** Ends the stream and its operations. */
    end,
  };
}
