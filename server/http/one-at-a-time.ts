/**
 * Handles the requests of a connection one at a time, in order. Node emits pipelined requests immediately,
 * but a response that is queued behind another emits no "close" if the connection ends, so its resources
 * would leak.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export function oneAtATime(handle: Handle): Handle {
  return (incoming, outgoing) => {
    if (outgoing.socket !== null) {
      handle(incoming, outgoing);
      return;
    }
    const { socket } = incoming;
    // Stop reading, because queued requests need memory.
    socket.pause();
    outgoing.once('socket', () => {
      socket.resume();
      if (!socket.destroyed) handle(incoming, outgoing);
    });
  };
}

/**
 * Runs `action` when the response ends or its connection closes, or immediately if either has already
 * happened.
 */
export function onceClosed(outgoing: ServerResponse, action: () => void): void {
  if (outgoing.closed) action();
  else outgoing.once('close', action);
}
