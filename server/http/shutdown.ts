import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Running } from './ask-gateway.js';

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
    // Connections that the system has accepted already would be reset; the event loop takes them in before this.
    await new Promise((resolve) => setImmediate(resolve));
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
    server.closeIdleConnections();
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
