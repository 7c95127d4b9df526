/** A separate address for health checks and metrics. It serves nothing else, and needs no token. */
import { createServer } from 'node:http';
import { createExchange, respond, respondWithProblem } from './exchange.js';
import { type ListenAddress, listenOn } from './listen.js';
import { unknownPath, wrongMethod } from './problem.js';
import type { Route } from './routes.js';

export interface AdminServer {
  /** @returns the origin; @throws ListenError */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** `HOST:PORT`, `:PORT` or the path of a unix socket, as the option is checked. */
export function adminAddressOf(text: string): ListenAddress {
  if (text.startsWith('/')) return { host: '', port: 0, socket: text };
  const at = text.lastIndexOf(':');
  return {
    host: text.slice(0, at) === '' ? '127.0.0.1' : text.slice(0, at),
    port: Number(text.slice(at + 1)),
  };
}

export function createAdminServer(address: string, routes: readonly Route[]): AdminServer {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const server = createServer((incoming, outgoing) => {
    const exchange = createExchange(incoming, outgoing, 0);
    const route = byPath.get(exchange.path);
    if (route === undefined) respondWithProblem(exchange, unknownPath(exchange.path, [...byPath.keys()]));
    else if (!route.methods.includes(exchange.method))
      respondWithProblem(exchange, wrongMethod(exchange.method, route.path, route.methods));
    else
      Promise.resolve(route.handle(exchange)).catch(() => {
        if (!outgoing.headersSent) respond(exchange, 500, 'error\n', { 'content-type': 'text/plain' });
      });
  });
  return {
    listen: () => listenOn(server, adminAddressOf(address)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
