/** WebSockets at the GraphQL endpoint: the handshake, the number of connections, and the shutdown. */
import { WebSocketServer } from 'ws';
import type { AccessControl } from '../access-control.js';
import { type Exchange, respondWithProblem } from '../exchange.js';
import type { Running } from '../gateway-handler.js';
import type { HttpServerParts } from '../options.js';
import { malformedRequest, shuttingDown, tooManyConnections, wrongUpgrade } from '../problem.js';
import type { LogRequest } from '../request-log.js';
import type { OtherConnections } from '../shutdown.js';
import type { ConnectionCounts } from '../operations/connection-counts.js';
import { type SocketConnection, serveConnection } from './connection.js';

/** The subprotocol of graphql-ws. */
const SUBPROTOCOL = 'graphql-transport-ws';
const MAX_SUBPROTOCOLS = 100;

export interface WebSocketRoute extends OtherConnections {
  /** Responds to a request for a WebSocket. */
  accept(exchange: Exchange): void;
}

export function createWebSocketRoute(
  parts: HttpServerParts,
  access: AccessControl,
  running: Running,
  log: LogRequest,
  counts: ConnectionCounts,
): WebSocketRoute {
  const { config, metrics } = parts;
  const connections = new Set<SocketConnection>();
  let isDraining = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: config.maxBodyBytes,
    handleProtocols: () => SUBPROTOCOL,
  });

  return {
    accept(exchange) {
      const { incoming, outgoing, upgradeHead = Buffer.alloc(0), address } = exchange;
      const { 'sec-websocket-protocol': offered = '', 'sec-websocket-version': version } = incoming.headers;
      if (isDraining) return respondWithProblem(exchange, shuttingDown);
      if (
        exchange.method !== 'GET' ||
        !/^[+/0-9A-Za-z]{22}==$/.test(incoming.headers['sec-websocket-key'] ?? '')
      )
        return respondWithProblem(exchange, malformedRequest('it is not a WebSocket handshake'));
      if (version !== '13')
        return respondWithProblem(
          exchange,
          wrongUpgrade('unsupported version of the WebSocket protocol; use 13', {
            'sec-websocket-version': '13',
          }),
        );
      if (!offered.split(',', MAX_SUBPROTOCOLS).some((name) => name.trim() === SUBPROTOCOL))
        return respondWithProblem(
          exchange,
          wrongUpgrade(
            `unsupported WebSocket subprotocol; use "${SUBPROTOCOL}", as the library graphql-ws does`,
          ),
        );
      const release = counts.take(`address ${address}`);
      if (release === undefined)
        return respondWithProblem(exchange, tooManyConnections(config.maxClientConnections));
      outgoing.once('close', release);
      server.handleUpgrade(incoming, incoming.socket, upgradeHead, (webSocket) => {
        exchange.isUpgraded = true;
        metrics.webSockets(1);
        const connection = serveConnection(
          webSocket,
          exchange,
          { ...parts, access, running, counts, log },
          release,
        );
        connections.add(connection);
        outgoing.once('close', () => {
          metrics.webSockets(-1);
          connections.delete(connection);
        });
      });
    },
    drain() {
      isDraining = true;
      for (const connection of connections) connection.drain();
    },
    closeAll() {
      for (const connection of connections) connection.terminate();
    },
  };
}
