/**
 * Handles the requests of a connection one at a time, in order. Node passes on pipelined requests at once, but a response
 * that still waits for its turn emits no "close" when the connection ends: whatever it holds would be held forever.
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
    // Requests that wait take memory, too: no more are read meanwhile.
    socket.pause();
    outgoing.once('socket', () => {
      socket.resume();
      if (!socket.destroyed) handle(incoming, outgoing);
    });
  };
}

/** Runs `action` when the response has ended or its connection is gone, also if that has happened already. */
export function onceClosed(outgoing: ServerResponse, action: () => void): void {
  if (outgoing.closed) action();
  else outgoing.once('close', action);
}
