/**
 * Sends responses. Writes a long body with backpressure. A client that reads too slowly is disconnected, because its
 * response occupies memory.
 */
import { nextTurn } from '../zarr/index.js';
import type { ServerResponse } from 'node:http';
import type { EncodedResponse } from './compression.js';

/** Maximum bytes per write. Progress of the client is observed in units of this size. */
const LARGE_PIECE_BYTES = 2 ** 20;
/** Maximum bytes per write while other requests wait for memory, so that slow clients are detected sooner. */
const SMALL_PIECE_BYTES = 2 ** 18;

/** Minimum duration of a stall before a client counts as too slow. */
const LEAST_PATIENCE_MS = 10_000;

/**
 * Bytes that a client can read before progress becomes visible. Linux reports a socket as writable again
 * when a third of its send buffer is free, and the buffer grows to 4 MiB.
 */
const UNSEEN_BYTES = 1.5 * 2 ** 20;

const CHECK_MS = 1000;

export interface Pace {
  /** Slowest rate at which the client may read the body; 0 for any. */
  readonly minBytesPerSecond: number;
  /** Whether other requests wait for memory. */
  readonly isMemoryWanted: () => boolean;
  /** Called when the client is disconnected for reading too slowly. */
  readonly onTooSlow: () => void;
}

/** The part of a response or connection that pieces are written to. */
export interface PieceSink {
  readonly destroyed: boolean;
  /** @returns false if the reader is behind; the sink then emits `drain` */
  write(piece: Uint8Array): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** @returns the number of bytes written; less than the body if the client disconnected */
export async function sendPieces(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  outgoing: PieceSink,
  pace: Pace,
): Promise<number> {
  let sent = 0;
  /** Bytes written in this turn of the event loop. All buffers of one turn are sent with one system call. */
  let inTurn = 0;
  for await (const buffer of body) {
    let from = 0;
    while (from < buffer.byteLength) {
      if (outgoing.destroyed) return sent;
      const pieceBytes = pace.isMemoryWanted() ? SMALL_PIECE_BYTES : LARGE_PIECE_BYTES;
      const piece = buffer.subarray(from, from + pieceBytes);
      from += pieceBytes;
      sent += piece.byteLength;
      inTurn += piece.byteLength;
      const isTaken = outgoing.write(piece);
      if (isTaken && inTurn < SMALL_PIECE_BYTES) continue;
      if (!isTaken) await taken(outgoing, pace, pieceBytes);
      // Yields, because a fast client would otherwise block all others.
      await nextTurn();
      inTurn = 0;
      if (outgoing.destroyed) return sent;
    }
  }
  return sent;
}

/** Resolves when the socket has accepted all written bytes, or is closed. */
export function taken(outgoing: PieceSink, pace: Pace, pieceBytes: number): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
      return;
    }
    const patienceFor = (bytes: number): number =>
      Math.max(LEAST_PATIENCE_MS, (bytes / pace.minBytesPerSecond) * 1000);
    let left = patienceFor(UNSEEN_BYTES + pieceBytes) - patienceFor(pieceBytes);
    let timer = pace.minBytesPerSecond > 0 ? setTimeout(check, patienceFor(pieceBytes)) : undefined;
    outgoing.on('drain', done);
    outgoing.on('close', done);

    function done(): void {
      clearTimeout(timer);
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    }

    /** Allows extra time for progress that is not visible yet, unless other requests wait for memory. */
    function check(): void {
      if (left <= 0 || pace.isMemoryWanted()) {
        pace.onTooSlow();
        outgoing.destroy();
        return;
      }
      left -= CHECK_MS;
      timer = setTimeout(check, CHECK_MS);
    }
  });
}

/** Size of a body that fits in the socket's buffers, so that no check for slow readers is necessary. */
const SMALL_BYTES = 2 ** 16;

/**
 * Sends a response. Headers of the response override `extra`. A small body is written at once, a large one
 * in pieces with backpressure.
 * @returns the number of body bytes written
 * @throws errors from the body's stream; the connection is then closed, because the status has already been
 *   sent
 */
export async function sendResponse(
  { status, headers: own, body }: EncodedResponse,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
  withBody: boolean,
  pace: Pace,
): Promise<number> {
  outgoing.writeHead(status, joinedHeaders(extra, own));
  if (!withBody || body === null) {
    outgoing.end();
    if (body !== null && Symbol.asyncIterator in body) await body[Symbol.asyncIterator]().return?.();
    return 0;
  }
  if (Symbol.asyncIterator in body) return sendLong(body, outgoing, pace);
  const length = byteLengthOf(body);
  if (length > SMALL_BYTES) return sendLong(body, outgoing, pace);
  // Sends the headers and all buffers with one write to the socket.
  if (body.length === 1) {
    outgoing.end(body[0]);
    return length;
  }
  outgoing.cork();
  for (const buffer of body) outgoing.write(buffer);
  outgoing.end();
  outgoing.uncork();
  return length;
}

/** Names and values in turn, which cost less than an object. Merges both `Vary` headers. */
function joinedHeaders(
  extra: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): string[] {
  const headers: string[] = [];
  for (const [name, value] of Object.entries(extra)) if (own[name] === undefined) headers.push(name, value);
  for (const [name, value] of Object.entries(own))
    headers.push(name, name === 'vary' && extra['vary'] !== undefined ? `${value}, ${extra['vary']}` : value);
  return headers;
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
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.byteLength;
  return bytes;
}
