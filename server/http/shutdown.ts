import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Running } from './gateway-handler.js';

/** Bounds the wait where connections come without end. */
const maxTurns = 2000;

export interface Shutdown {
  /** Readiness has turned: every response closes its connection. */
  readonly isAnnounced: boolean;
  /** Turns readiness and resolves after `delayMs`, or when `close` is called: meanwhile everything is served. */
  announce(delayMs: number): Promise<void>;
  /** Stops listening and drains; called again, cuts off what is still running. Resolves when all connections are closed. */
  close(): Promise<void>;
  /** A kept connection that has nothing more to do would hold up the end. */
  requestEnded(): void;
}

/** The end of a server in steps: announced to balancers, then without new connections, then cut off. */
export function createShutdown(
  server: Server,
  running: Running,
  drainTimeoutMs: number,
  logger: Pick<Logger, 'warn'>,
): Shutdown {
  let isAnnounced = false;
  let closing: Promise<void> | undefined;
  const hurry = new AbortController();

  async function drain(): Promise<void> {
    isAnnounced = true;
    hurry.abort();
    // First, so that closing the listening socket, which includes this, follows the last look at once.
    server.closeIdleConnections();
    await acceptWaiting(server);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    const timer = setTimeout(cutOff, drainTimeoutMs);
    await closed;
    clearTimeout(timer);
  }

  function cutOff(): void {
    if (running.size > 0) logger.warn({ requests: running.size }, 'requests in flight are cut off');
    for (const controller of running) controller.abort(new DOMException('the gateway closes', 'AbortError'));
    server.closeAllConnections();
  }

  return {
    get isAnnounced() {
      return isAnnounced;
    },
    announce(delayMs) {
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
    close() {
      if (closing !== undefined) cutOff();
      closing ??= drain();
      return closing;
    },
    requestEnded() {
      if (closing !== undefined) setImmediate(() => server.closeIdleConnections());
    },
  };
}

/**
 * Takes in the connections that the system has established and that wait to be accepted: closing the listening socket
 * resets them, after their clients have sent a request. The event loop accepts one in a turn, so two turns without any
 * mean that none waits.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (let turn = 0; turn < maxTurns && quiet < 2; turn++) {
    quiet++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  server.off('connection', onConnection);
}
