/**
 * Writes messages to a WebSocket, one after the other. A long message is written in fragments with backpressure, and
 * nothing is read while the client does not read, so that its messages cannot cause further ones.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { type Pace, type PieceSink, sendPieces, taken } from '../send.js';

/** Stops reading from a connection while at least one holder wants it. */
export interface ReadingGate {
  hold(): void;
  release(): void;
}

export function createReadingGate(webSocket: WebSocket): ReadingGate {
  let holders = 0;
  return {
    hold() {
      if (holders++ === 0) webSocket.pause();
    },
    release() {
      if (--holders === 0) webSocket.resume();
    },
  };
}

export type MessageBody = string | readonly Uint8Array[] | ReadableStream<Uint8Array>;

export interface MessageWriter {
  /** Whether a message waits for the client. */
  readonly isBehind: boolean;
  /**
   * Resolves with the number of bytes when the operating system has accepted the message, or with 0 if the connection
   * has closed or the signal fired before the message started.
   */
  send(body: MessageBody, signal?: AbortSignal): Promise<number>;
}

/** Messages up to this size are written in one frame. */
const ONE_FRAME_BYTES = 2 ** 16;

export function createMessageWriter(
  webSocket: WebSocket,
  socket: Socket,
  reading: ReadingGate,
  pace: Pace,
): MessageWriter {
  let last: Promise<unknown> = Promise.resolve();
  let isBehind = false;

  function fallBehind(): void {
    if (isBehind) return;
    isBehind = true;
    reading.hold();
  }

  const sink: PieceSink = {
    get destroyed() {
      return socket.destroyed || webSocket.readyState !== webSocket.OPEN;
    },
    write(piece) {
      webSocket.send(piece, { binary: false, fin: false });
      if (socket.writableNeedDrain) fallBehind();
      return !socket.writableNeedDrain;
    },
    on: (event, listener) => socket.on(event, listener),
    off: (event, listener) => socket.off(event, listener),
    destroy: () => webSocket.terminate(),
  };

  async function write(body: MessageBody): Promise<number> {
    const whole = typeof body === 'string' ? Buffer.from(body) : joined(body);
    if (whole !== undefined) {
      webSocket.send(whole, { binary: false });
      if (socket.writableNeedDrain) {
        fallBehind();
        await taken(sink, pace, whole.byteLength);
      }
      return whole.byteLength;
    }
    if (typeof body === 'string') return 0;
    const sent = await sendPieces(body, sink, pace);
    webSocket.send('', { fin: true });
    return sent;
  }

  return {
    get isBehind() {
      return isBehind;
    },
    send(body, signal) {
      const turn = last.then(async () => {
        if (sink.destroyed || signal?.aborted === true) {
          if (body instanceof ReadableStream) await body.cancel();
          return 0;
        }
        try {
          return await write(body);
        } catch (error) {
          // Closes the connection, because a partial message must not look complete.
          webSocket.terminate();
          throw error;
        } finally {
          if (isBehind) reading.release();
          isBehind = false;
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** A small body as one buffer. */
function joined(body: readonly Uint8Array[] | ReadableStream<Uint8Array>): Uint8Array | undefined {
  if (body instanceof ReadableStream) return undefined;
  const bytes = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return bytes <= ONE_FRAME_BYTES ? Buffer.concat(body) : undefined;
}
