/**
 * One WebSocket with the protocol of graphql-ws ("GraphQL over WebSocket", subprotocol graphql-transport-ws). Its
 * operations are admitted, limited, logged and counted like requests. The library's server is not used, because it
 * converts each message to one string, which blocks the event loop for large values.
 */
import { setMaxListeners } from 'node:events';
import type { WebSocket } from 'ws';
import { isRecord } from '../../../wire/guards.js';
import type { ResultMessage } from '../../gateway/options.js';
import { parseRequestJson } from '../../gateway/pipeline/parameters.js';
import { BusyError } from '../../memory/lease.js';
import { BODY_FACTOR, PARSED_BODY_FACTOR, REQUEST_BYTES } from '../../memory/sizes.js';
import { LimitError } from '../../zarr/index.js';
import type { AccessControl, ConnectedClient } from '../access-control.js';
import type { Exchange } from '../exchange.js';
import { MAX_TIMER_MS, type Running } from '../gateway-handler.js';
import type { HttpServerParts } from '../options.js';
import {
  abortProblem,
  busy,
  internalProblem,
  malformedRequest,
  type Problem,
  problemErrors,
  shuttingDown,
  tooLarge,
  tooManyOperations,
} from '../problem.js';
import type { LoggedExchange, LogRequest } from '../request-log.js';
import type { ConnectionCounts } from './connection-counts.js';
import { createMessageWriter, createReadingGate } from './writer.js';

/** Interval of pings: common proxies close idle connections after 30 seconds. */
const PING_MS = 12_000;
const MAX_ID_LENGTH = 200;
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

export interface Connection {
  /** Closes the connection when its operations have ended. */
  drain(): void;
  terminate(): void;
}

export interface ConnectionParts extends Pick<HttpServerParts, 'config' | 'gateway' | 'logger' | 'metrics'> {
  readonly access: AccessControl;
  readonly running: Running;
  readonly counts: ConnectionCounts;
  readonly log: LogRequest;
}

/** @param releaseAddress releases the connection that is counted for the client's address */
export function serveConnection(
  webSocket: WebSocket,
  exchange: Exchange,
  parts: ConnectionParts,
  releaseAddress: () => void,
): Connection {
  const { config, gateway, logger, metrics, access, running, counts, log } = parts;
  const { incoming, outgoing } = exchange;
  const { socket } = incoming;
  const operations = new Map<string, AbortController>();
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
  let client: ConnectedClient | undefined;
  let hasInit = false;
  let isDraining = false;
  /** Operations that have not ended, including cancelled ones. */
  let active = 0;
  /** Bytes received since the last complete message. */
  let receivedBytes = 0;
  let lastReceived = performance.now();

  function close(code: number, reason: string): void {
    for (const controller of operations.values()) controller.abort(ended());
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
        if (typeof id === 'string') operations.get(id)?.abort(ended());
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
          `maxClientConnections allows ${config.maxClientConnections} WebSockets per client`,
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

  /** Runs an operation, and logs and counts it like a request. */
  async function subscribe(
    owner: ConnectedClient,
    id: string,
    payload: unknown,
    bytes: number,
  ): Promise<void> {
    const started = performance.now();
    const controller = new AbortController();
    // Many reads of an operation share its signal.
    setMaxListeners(0, controller.signal);
    operations.set(id, controller);
    running.add(controller);
    metrics.inFlight(1);
    active++;
    const run = new Run(id, exchange, owner);
    try {
      await runOperation(run, controller, owner, payload, bytes);
    } finally {
      if (operations.get(id) === controller) operations.delete(id);
      running.delete(controller);
      metrics.inFlight(-1);
      active--;
      const aborted = controller.signal.aborted;
      const { path, route } = exchange;
      const { status = aborted ? 499 : 200, sentBytes, operation } = run;
      const durationMs = performance.now() - started;
      const record = { method: 'WS', path, status, durationMs, responseBytes: sentBytes, aborted, operation };
      metrics.request({ ...record, route });
      run.tooSlow = exchange.tooSlow;
      log(run, record, false);
      if (isDraining && active === 0) close(closeCodes.goingAway, shuttingDown.message);
    }
  }

  async function runOperation(
    run: Run,
    controller: AbortController,
    owner: ConnectedClient,
    payload: unknown,
    bytes: number,
  ): Promise<void> {
    const { signal } = controller;
    if (isDraining) return refuse(run, shuttingDown, signal);
    if (active > config.maxConnectionOperations)
      return refuse(run, tooManyOperations(config.maxConnectionOperations), signal);
    if (!isRecord(payload))
      return refuse(run, malformedRequest('the payload must be an object with "query"'), signal);
    const lease = gateway.memory.open(owner.client);
    const admission = owner.admitOperation(lease, (operation) => {
      run.operation = operation;
    });
    if ('status' in admission) return refuse(run, admission, signal);
    const timer = after(config.requestTimeoutMs, () => {
      controller.abort(new DOMException('the operation exceeded its time limit', 'TimeoutError'));
      refuse(run, abortProblem(controller.signal.reason, config.requestTimeoutMs), undefined).catch(fail);
    });
    let results: AsyncIterator<ResultMessage, undefined> | undefined;
    // Ends a subscription even while it waits for a change.
    const stop = (): void => {
      results?.return?.().catch(fail);
    };
    signal.addEventListener('abort', stop);
    try {
      await lease.take(REQUEST_BYTES + bytes * (BODY_FACTOR + PARSED_BODY_FACTOR), { signal });
      results = await gateway.handleMessage({ parameters: payload, signal }, admission.caller);
      cancel(timer);
      await sendResults(run, results, signal);
    } catch (error) {
      if (error instanceof BusyError) await refuse(run, busy(error), signal);
      else if (error instanceof LimitError) await refuse(run, tooLarge(error), signal);
      else if (!signal.aborted) {
        logger.error({ err: error, id: exchange.id }, 'operation failed');
        await refuse(run, internalProblem, signal);
      }
    } finally {
      cancel(timer);
      stop();
      lease.end();
      admission.end();
    }
  }

  async function sendResults(
    run: Run,
    results: AsyncIterator<ResultMessage, undefined>,
    signal: AbortSignal,
  ): Promise<void> {
    const id = JSON.stringify(run.operationId);
    while (!signal.aborted) {
      const next = await results.next();
      if (signal.aborted) return;
      if (next.done === true) {
        run.sentBytes += await writer.send(`{"id":${id},"type":"complete"}`, signal);
        return;
      }
      const { failure } = next.value;
      if (failure !== undefined) {
        run.status = 400;
        run.sentBytes += await writer.send(`{"id":${id},"type":"error","payload":${failure}}`, signal);
        return;
      }
      run.sentBytes += await writer.send(
        await next.value.write(`{"id":${id},"type":"next","payload":`, '}'),
        signal,
      );
    }
  }

  async function refuse(run: Run, problem: Problem, signal: AbortSignal | undefined): Promise<void> {
    run.status = problem.status;
    run.problemCode = problem.code;
    const payload = problemErrors(problem, exchange.id);
    const message = { id: run.operationId, type: 'error', payload };
    run.sentBytes += await writer.send(JSON.stringify(message), signal);
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
  webSocket.on('ping', (data) => {
    if (!writer.isBehind) webSocket.pong(data);
  });
  // The library closes the connection after an invalid frame.
  webSocket.on('error', () => {});
  outgoing.once('close', () => {
    cancel(initTimer);
    for (const timer of timers) clearTimeout(timer);
    clearInterval(pings);
    closing.abort(ended());
    memory.end();
    for (const controller of operations.values()) controller.abort(ended());
  });
  memory.add(REQUEST_BYTES);

  return {
    drain() {
      isDraining = true;
      if (active === 0) close(closeCodes.goingAway, shuttingDown.message);
    },
    terminate: () => webSocket.terminate(),
  };
}

/** Bytes of control frames that may arrive with the bytes of a message. */
const CONTROL_BYTES = 2 ** 16;

/** What the log contains about an operation. */
class Run implements LoggedExchange {
  readonly operationId: string;
  readonly id: string;
  readonly address: string;
  readonly caller: string | undefined;
  operation: LoggedExchange['operation'];
  readonly failure = undefined;
  problemCode: string | undefined;
  tooSlow = false;
  status: number | undefined;
  sentBytes = 0;

  constructor(operationId: string, { id, address }: Exchange, { name }: ConnectedClient) {
    this.operationId = operationId;
    this.id = id;
    this.address = address;
    this.caller = name;
  }
}

function ended(): DOMException {
  return new DOMException('the client has ended the operation', 'AbortError');
}

/** The value of `Authorization` in the payload of `connection_init`, directly or in `headers`. */
function authorizationIn(payload: unknown): string | undefined {
  if (!isRecord(payload)) return undefined;
  for (const group of [payload, payload['headers']])
    if (isRecord(group))
      for (const [name, value] of Object.entries(group))
        if (name.toLowerCase() === 'authorization' && typeof value === 'string') return value;
  return undefined;
}
