import type { ServerResponse } from 'node:http';
import type { Encoded } from './compression.js';
import { type Pace, sendPieces } from './send-pieces.js';

/** Fits the buffers of a socket: it needs no watching. */
const SMALL_BYTES = 2 ** 16;

/**
 * Sends a response, with `extra` headers below its own. A small body is written at
 * once, any other piece by piece, as fast as the client takes it.
 * @returns the bytes of the body that were written
 * @throws what the body's stream throws; by then the connection is cut, since the status has gone out
 */
export async function sendResponse(
  { status, headers: own, body }: Encoded,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
  withBody: boolean,
  pace: Pace,
): Promise<number> {
  const headers: Record<string, string> = { ...extra, ...own };
  // Both name headers that the response varies with.
  if (own['vary'] !== undefined && extra['vary'] !== undefined)
    headers['vary'] = `${own['vary']}, ${extra['vary']}`;
  outgoing.writeHead(status, headers);
  if (!withBody || body === null) {
    outgoing.end();
    if (body !== null && Symbol.asyncIterator in body) await body[Symbol.asyncIterator]().return?.();
    return 0;
  }
  const isSmall = !(Symbol.asyncIterator in body) && byteLengthOf(body) <= SMALL_BYTES;
  return isSmall ? sendSmall(body, outgoing) : await sendLong(body, outgoing, pace);
}

/** All buffers in one write of the socket, with the headers. */
function sendSmall(buffers: readonly Uint8Array[], outgoing: ServerResponse): number {
  outgoing.cork();
  for (const buffer of buffers) outgoing.write(buffer);
  outgoing.end();
  outgoing.uncork();
  return byteLengthOf(buffers);
}

async function sendLong(
  body: readonly Uint8Array[] | AsyncIterable<Uint8Array>,
  outgoing: ServerResponse,
  pace: Pace,
): Promise<number> {
  try {
    const sent = await sendPieces(body, outgoing, pace);
    if (!outgoing.destroyed) outgoing.end();
    return sent;
  } catch (error) {
    // A partial body must not look complete.
    outgoing.destroy();
    throw error;
  }
}

function byteLengthOf(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
}
