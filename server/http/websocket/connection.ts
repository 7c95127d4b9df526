/**
 * One WebSocket with the protocol of graphql-ws ("GraphQL over WebSocket", subprotocol graphql-transport-ws). Its
 * operations are admitted, limited, logged and counted like requests. The library's server is not used, because it
 * converts each message to one string, which blocks the event loop for large values.
 */
import type { WebSocket } from 'ws';
import { isRecord } from '../../../wire/guards.js';
import { parseRequestJson } from '../../gateway/pipeline/request-json.js';
import { REQUEST_BYTES } from '../../memory/sizes.js';
import type { AccessControl, ConnectedClient } from '../access-control.js';
import type { Exchange } from '../exchange.js';
import { MAX_TIMER_MS } from '../gateway-handler.js';
import type { ConnectionCounts } from '../operations/connection-counts.js';
import {
  createOperations,
  ended,
  MAX_ID_LENGTH,
  type MessageForm,
  type OperationsParts,
} from '../operations/operations.js';
import { malformedRequest, shuttingDown } from '../problem.js';
import { createMessageWriter, createReadingGate } from './writer.js';

/** Interval of pings: common proxies close idle connections after 30 seconds. */
const PING_MS = 12_000;
/** Maximum length of the reason of a closed connection (RFC 6455, section 5.5). */
const MAX_REASON_LENGTH = 123;

/** Status codes of closed connections: the protocol's, and those of RFC 6455. */
const closeCodes = {
  goingAway: 1001,
  internal: 1011,
  tryAgainLater: 1013,
  badMessage: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  initTimeout: 4408,
  duplicateId: 4409,
  tooManyInits: 4429,
} as const;

export type SocketConnection = ReturnType<typeof serveConnection>;

export interface ConnectionParts extends OperationsParts {
  readonly access: AccessControl;
  readonly counts: ConnectionCounts;
}

const messages: MessageForm = {
  logged: 'WS',
  next: (id) => [`{"id":${JSON.stringify(id)},"type":"next","payload":`, '}'],
  error: (id, errors) => `{"id":${JSON.stringify(id)},"type":"error","payload":${errors}}`,
  complete: (id) => `{"id":${JSON.stringify(id)},"type":"complete"}`,
};

/** @param releaseAddress releases the connection that is counted for the client's address */
export function serveConnection(
  webSocket: WebSocket,
  exchange: Exchange,
  parts: ConnectionParts,
  releaseAddress: () => void,
) {
  const { config, gateway, logger, access, counts } = parts;
  const { incoming, outgoing } = exchange;
  const { socket } = incoming;
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();
  const reading = createReadingGate(webSocket);
  const memory = gateway.memory.open(`address ${exchange.address}`);
  const writer = createMessageWriter(webSocket, socket, reading, {
    minBytesPerSecond: config.minClientBytesPerSecond,
    isMemoryWanted: () => gateway.memory.stats().waiting > 0,
    onTooSlow() {
      exchange.tooSlow = true;
    },
  });
  const operations = createOperations(exchange, parts, messages, writer);
  let client: ConnectedClient | undefined;
  let hasInit = false;
  /** Bytes received since the last complete message. */
  let receivedBytes = 0;
  let lastReceived = performance.now();

  function close(code: number, reason: string): void {
    operations.cancelAll();
    webSocket.close(code, reason.slice(0, MAX_REASON_LENGTH));
  }

  function send(message: object): void {
    writer.send(JSON.stringify(message)).catch(fail);
  }

  function fail(error: unknown): void {
    if (socket.destroyed) return;
    logger.error({ err: error, id: exchange.id }, 'WebSocket failed');
    close(closeCodes.internal, 'internal error');
  }

  function receive(text: string): void {
    let message: unknown;
    try {
      message = parseRequestJson(text, 'the message');
    } catch (error) {
      close(closeCodes.badMessage, error instanceof Error ? error.message : 'invalid message');
      return;
    }
    if (!isRecord(message))
      return close(closeCodes.badMessage, 'the message must be an object with a "type"');
    const { type, id, payload } = message;
    switch (type) {
      case 'connection_init':
        if (hasInit) return close(closeCodes.tooManyInits, 'too many initialisation requests');
        hasInit = true;
        init(payload).catch(fail);
        return;
      case 'ping':
        return send({ type: 'pong' });
      case 'pong':
        return;
      case 'subscribe':
        if (client === undefined)
          return close(closeCodes.unauthorized, 'send "connection_init" and wait for "connection_ack" first');
        if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
          return close(closeCodes.badMessage, `the id must be text of 1 to ${MAX_ID_LENGTH} characters`);
        if (operations.has(id)) return close(closeCodes.duplicateId, `Subscriber for ${id} already exists`);
        subscribe(client, id, payload, Buffer.byteLength(text)).catch(fail);
        return;
      case 'complete':
        if (typeof id === 'string') operations.cancel(id);
        return;
      default:
        close(closeCodes.badMessage, 'unknown message type');
    }
  }

  async function init(payload: unknown): Promise<void> {
    const admitted = await access.admitConnection(exchange, authorizationIn(payload));
    if ('status' in admitted) {
      const code = admitted.status === 401 ? closeCodes.forbidden : closeCodes.tryAgainLater;
      return close(code, admitted.message);
    }
    const release = counts.take(admitted.client);
    if (admitted.name !== undefined) {
      if (release === undefined)
        return close(
          closeCodes.tryAgainLater,
          `maxClientConnections allows ${config.maxClientConnections} connections per client`,
        );
      // The client is known by its token now, which several clients of one address may not share.
      releaseAddress();
      outgoing.once('close', release);
    } else release?.();
    if (admitted.expiresAtMs !== undefined)
      after(Math.max(admitted.expiresAtMs - Date.now(), 0), () =>
        close(closeCodes.forbidden, 'the token has expired'),
      );
    client = admitted;
    exchange.caller = admitted.name;
    send({ type: 'connection_ack' });
  }

  async function subscribe(
    owner: ConnectedClient,
    id: string,
    payload: unknown,
    bytes: number,
  ): Promise<void> {
    const operation = operations.begin(owner, exchange);
    if ('status' in operation) await operations.refuse(owner, exchange, id, operation);
    else if (isRecord(payload)) await operation.execute(id, payload, bytes);
    else await operation.fail(id, malformedRequest('the payload must be an object with "query"'));
  }

  function after(milliseconds: number, action: () => void): NodeJS.Timeout {
    const timer = setTimeout(action, Math.min(milliseconds, MAX_TIMER_MS));
    timers.add(timer);
    return timer;
  }

  function cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    timers.delete(timer);
  }

  const initTimer = after(config.receiveTimeoutMs, () => {
    if (!hasInit) close(closeCodes.initTimeout, 'Connection initialisation timeout');
  });
  const pings = setInterval(
    () => {
      if (writer.isBehind) return;
      if (performance.now() - lastReceived > config.idleTimeoutMs) webSocket.terminate();
      else webSocket.ping();
    },
    Math.min(PING_MS, config.idleTimeoutMs / 2),
  );
  // A connection whose client neither reads nor writes.
  socket.setTimeout(config.idleTimeoutMs, () => webSocket.terminate());

  // Counts partial messages, which the library keeps until they are complete. Runs before the library's listener.
  socket.prependListener('data', ({ length }: Buffer) => {
    lastReceived = performance.now();
    if (receivedBytes + length > config.maxBodyBytes + CONTROL_BYTES) return;
    receivedBytes += length;
    const granted = memory.take(length, { signal: closing.signal, reserve: false });
    if (granted === undefined) return;
    reading.hold();
    granted.then(
      () => reading.release(),
      () => close(closeCodes.tryAgainLater, 'out of memory; connect again later'),
    );
  });
  webSocket.on('message', (data, isBinary) => {
    memory.give(receivedBytes);
    receivedBytes = 0;
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (isBinary || !Buffer.isBuffer(data)) close(closeCodes.badMessage, 'binary messages are not supported');
    else receive(data.toString('utf8'));
  });
  webSocket.on('ping', (data) => writer.pong(data));
  // The library closes the connection after an invalid frame.
  webSocket.on('error', () => {});
  outgoing.once('close', () => {
    cancel(initTimer);
    for (const timer of timers) clearTimeout(timer);
    clearInterval(pings);
    closing.abort(ended());
    memory.end();
    operations.cancelAll();
  });
  memory.add(REQUEST_BYTES);

  return {
    /** Closes the connection when its operations have ended. */
    drain(): void {
      operations.drain(() => close(closeCodes.goingAway, shuttingDown.message));
    },
    terminate: (): void => webSocket.terminate(),
  };
}

/** Bytes of control frames that may arrive with the bytes of a message. */
const CONTROL_BYTES = 2 ** 16;

/** The value of `Authorization` in the payload of `connection_init`, directly or in `headers`. */
function authorizationIn(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  for (const group of [payload, payload['headers']])
    if (isRecord(group))
      for (const [name, value] of Object.entries(group))
        if (name.toLowerCase() === 'authorization' && typeof value === 'string') return value;
  return undefined;
}
