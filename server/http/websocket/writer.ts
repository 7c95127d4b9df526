/**
 * Writes messages to a WebSocket, one after the other. A long message is written in fragments with backpressure, and
 * nothing is read while the client does not read, so that its messages cannot cause further ones.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import {
  createMessageQueue,
  type MessageBody,
  type MessageWriter,
  wholeMessage,
} from '../operations/message-writer.js';
import { type Pace, type PieceSink, sendPieces, taken } from '../send.js';

/** Stops reading from a connection while at least one holder wants it. */
export type ReadingGate = ReturnType<typeof createReadingGate>;

export function createReadingGate(webSocket: WebSocket) {
  let holders = 0;
  return {
    hold(): void {
      if (holders++ === 0) webSocket.pause();
    },
    release(): void {
      if (--holders === 0) webSocket.resume();
    },
  };
}

export interface SocketWriter extends MessageWriter {
  /** Responds to a ping, unless the client does not read. */
  pong(data: Buffer): void;
}

export function createMessageWriter(
  webSocket: WebSocket,
  socket: Socket,
  reading: ReadingGate,
  pace: Pace,
): SocketWriter {
  let isBehind = false;

  function fallBehind(): void {
    if (isBehind) return;
    isBehind = true;
    reading.hold();
  }

  function catchUp(): void {
    if (isBehind) reading.release();
    isBehind = false;
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
    const whole = wholeMessage(body);
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
    send: createMessageQueue({
      get isClosed() {
        return sink.destroyed;
      },
      write,
      written: catchUp,
      fail: () => webSocket.terminate(),
    }),
    pong(data) {
      if (isBehind) return;
      webSocket.pong(data);
      if (!socket.writableNeedDrain) return;
      fallBehind();
      taken(sink, pace, data.byteLength).then(catchUp, () => webSocket.terminate());
    },
  };
}
