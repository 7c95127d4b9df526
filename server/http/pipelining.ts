import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Handles the requests of a connection one at a time, in order. Node emits pipelined requests immediately,
 * but a response that is queued behind another emits no "close" if the connection ends, so its resources
 * would leak.
 */
export function oneAtATime(handle: Handle): Handle {
  return (incoming, outgoing) => {
    if (outgoing.socket !== null) {
      handle(incoming, outgoing);
      return;
    }
    const { socket } = incoming;
    // Stops reading, because queued requests need memory.
    socket.pause();
    outgoing.once('socket', () => {
      socket.resume();
      if (!socket.destroyed) handle(incoming, outgoing);
    });
  };
}
