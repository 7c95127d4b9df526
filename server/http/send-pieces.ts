/**
 * Writes a long body as fast as the client takes it, and no slower than it must. A client that takes too little is
 * disconnected: until its answer has left, the memory is held that others wait for.
 */
import type { ServerResponse } from 'node:http';
import { nextTurn } from './turns.js';

/** What is written at once: what a client has to take before it is expected to have made progress. */
const PIECE_BYTES = 2 ** 18;

/** A short stall says nothing about the rate. */
const LEAST_PATIENCE_MS = 10_000;

/**
 * What a client may take before it shows: Linux reports a socket writable again once a third of its send buffer is free,
 * and that buffer grows to 4 MiB.
 */
const UNSEEN_BYTES = 1.5 * 2 ** 20;

const CHECK_MS = 1000;

export interface Pace {
  /** Slowest rate at which the client may take the body; 0 for any. */
  readonly minBytesPerSecond: number;
  /** Whether other requests wait for memory that the response holds. */
  readonly isMemoryWanted: () => boolean;
  /** Called when the client was disconnected for being slower. */
  readonly onTooSlow: () => void;
}

/** @returns the bytes that were handed on; fewer than the body's where the client is gone */
export async function sendPieces(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  outgoing: ServerResponse,
  pace: Pace,
): Promise<number> {
  let sent = 0;
  for await (const buffer of body)
    for (let from = 0; from < buffer.byteLength; from += PIECE_BYTES) {
      if (outgoing.destroyed) return sent;
      const piece = buffer.subarray(from, from + PIECE_BYTES);
      sent += piece.byteLength;
      if (!outgoing.write(piece)) await taken(outgoing, pace);
      // A client that is as fast as the system would keep the process to itself.
      await nextTurn();
      if (outgoing.destroyed) return sent;
    }
  return sent;
}

/** Until the client has taken what was written, or is gone. */
function taken(outgoing: ServerResponse, pace: Pace): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
      return;
    }
    const patienceFor = (bytes: number): number =>
      Math.max(LEAST_PATIENCE_MS, (bytes / pace.minBytesPerSecond) * 1000);
    let left = patienceFor(UNSEEN_BYTES + PIECE_BYTES) - patienceFor(PIECE_BYTES);
    let timer = pace.minBytesPerSecond > 0 ? setTimeout(check, patienceFor(PIECE_BYTES)) : undefined;
    outgoing.on('drain', done).on('close', done);

    function done(): void {
      clearTimeout(timer);
      outgoing.off('drain', done).off('close', done);
      resolve();
    }

    /** A client that may only seem to stall has more time, unless others wait for what it holds. */
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
