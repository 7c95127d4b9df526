import type { ServerResponse } from 'node:http';
import type { Encoded } from './compression.js';
import { type Pace, sendPieces } from './send-pieces.js';

/** Size of a body that fits the socket's buffers, so that no check for slow readers is necessary. */
const SMALL_BYTES = 2 ** 16;

/**
 * Sends a response. Headers of the response override `extra`. A small body is written at once, a large one
 * in pieces with backpressure.
 * @returns the number of body bytes written
 * @throws errors from the body's stream; the connection is then closed, because the status has already been
 *   sent
 */
export async function sendResponse(
  { status, headers: own, body }: Encoded,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
  withBody: boolean,
  pace: Pace,
): Promise<number> {
  const headers: Record<string, string> = { ...extra, ...own };
  // Merges both `Vary` headers.
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

/** Writes the headers and all buffers with one write to the socket. */
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
    // Closes the connection, because a partial body must not look complete.
    outgoing.destroy();
    throw error;
  }
}

function byteLengthOf(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
}
