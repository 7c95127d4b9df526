import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Running } from './gateway-handler.js';

/** Maximum number of turns of the event loop to wait while new connections keep arriving. */
const MAX_TURNS = 2000;

/** Connections that carry several operations. */
export interface OtherConnections {
  /** Closes connections when their operations have ended, and accepts no further operations. */
  drain(): void;
  closeAll(): void;
}

/** Shuts a server down in steps: announce, stop accepting connections, drain, abort. */
export function createShutdown(
  server: Server,
  running: Running,
  others: readonly OtherConnections[],
  drainTimeoutMs: number,
  logger: Pick<Logger, 'warn'>,
) {
  let isAnnounced = false;
  let closing: Promise<void> | undefined;
  const hurry = new AbortController();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  /** Browsers open connections before they need them. For Node, these are not idle, but wait for a request. */
  function closeUnused(): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  async function drain(): Promise<void> {
    isAnnounced = true;
    hurry.abort();
    // `server.close` also closes idle connections. Closing them here first lets `close` directly follow the
    // last accept.
    server.closeIdleConnections();
    await acceptWaiting(server);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    closeUnused();
    for (const other of others) other.drain();
    const timer = setTimeout(cutOff, drainTimeoutMs);
    await closed;
    clearTimeout(timer);
  }

  function cutOff(): void {
    if (running.size > 0) logger.warn({ requests: running.size }, 'aborting requests in flight');
    for (const controller of running)
      controller.abort(new DOMException('the gateway is shutting down', 'AbortError'));
    server.closeAllConnections();
    for (const other of others) other.closeAll();
  }

  return {
    /** Whether `/readyz` fails and every further request closes its connection. */
    get isAnnounced(): boolean {
      return isAnnounced;
    },
    /**
     * Makes `/readyz` fail and resolves after `delayMs`, or when `close` is called. Requests are still served
     * until then.
     */
    announce(delayMs: number): Promise<void> {
      isAnnounced = true;
      return new Promise((resolve) => {
        if (hurry.signal.aborted) resolve();
        const timer = setTimeout(resolve, delayMs);
        hurry.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
    /**
     * Stops listening and drains; a second call aborts requests in flight. Resolves when all connections are
     * closed.
     */
    close(): Promise<void> {
      if (closing !== undefined) cutOff();
      closing ??= drain();
      return closing;
    },
    /** Call it after each request. During a shutdown, it closes idle connections, which would delay the shutdown. */
    requestEnded(): void {
      if (closing !== undefined) setImmediate(() => server.closeIdleConnections());
    },
  };
}

/**
 * Waits until Node has accepted all connections that the system has established. Closing the listening
 * socket would reset them, possibly after their clients have sent a request. The event loop accepts one per
 * turn, so two turns without a new one mean that none is waiting.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (let turn = 0; turn < MAX_TURNS && quiet < 2; turn++) {
    quiet++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', onConnection);
}
