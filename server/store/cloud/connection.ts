/** Sends authorized requests, and reads short responses. */
import { StoreUnavailableError } from '../../core/errors.js';
import { type ResponseHead, type Sent, type Timeouts, TransientFailure } from '../http/exchange.js';
import { retryAfterMs } from '../http/headers.js';
import type { Reply } from '../http/reply.js';
import { createTransport, type HttpTransport } from '../http/transport.js';
import { untilAborted } from '../retries.js';
import type { Authorization, CloudConnection, CloudRequest } from './service.js';

export interface ConnectionSettings {
  readonly authorization: Authorization;
  readonly timeouts: Timeouts;
  readonly maxSockets: number;
}

/** Maximum size of a response that is no object, in bytes. A page of a listing has a few hundred kilobytes. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;

export function createCloudConnection({
  authorization,
  timeouts,
  maxSockets,
}: ConnectionSettings): CloudConnection {
  let opening: Promise<HttpTransport> | undefined;
  const transport = (): Promise<HttpTransport> =>
    (opening ??= import('undici').then((undici) =>
      createTransport(undici, { maxSockets, connectMs: timeouts.firstByteMs }),
    ));

  async function once(request: CloudRequest): Promise<Sent> {
    const authorized = await untilAborted(request.signal, authorization.authorize(request));
    return sentOf(await (await transport()).send({ ...request, ...authorized, timeouts }));
  }

  return {
    async send(request) {
      const sent = await once(request);
      if (sent.response.status !== 401 || !authorization.renew()) return sent;
      sent.discard();
      return once(request);
    },
    close() {
      opening?.then((open) => open.close()).catch(() => {});
    },
  };
}

function sentOf(reply: Reply): Sent {
  return {
    response: { status: reply.status, headers: { get: (name) => reply.header(name) ?? null } },
    nextPiece: () => reply.nextPiece(),
    collect: (progress, taken, acquire) => reply.collect(progress, taken, acquire),
    discard: () => reply.discard(),
  };
}

/** Reads a response that is no object. @throws StoreUnavailableError if it is too long; TransientFailure */
export async function bodyText(sent: Sent): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await sent.nextPiece(); piece !== undefined; piece = await sent.nextPiece()) {
    length += piece.length;
    if (length > MAX_RESPONSE_BYTES) {
      sent.discard();
      throw new StoreUnavailableError(`the server sent a response of more than ${MAX_RESPONSE_BYTES} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/**
 * The error for a status that no caller handles. Shows only the status, because messages of servers contain names.
 * @param code the server's name of the error, if it is known
 */
export function unexpected(response: ResponseHead, code?: string): Error {
  const { status } = response;
  const text = code === undefined || !/^[A-Za-z0-9]{1,64}$/.test(code) ? `${status}` : `${status} ${code}`;
  if (status === 408 || status === 429 || (status >= 500 && status !== 501))
    return new TransientFailure(`the server responded with ${text}`, { afterMs: retryAfterMs(response) });
  return new StoreUnavailableError(`the server responded with ${text}`);
}
