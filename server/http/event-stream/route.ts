/**
 * The single connection mode of graphql-sse ("GraphQL over Server-Sent Events"): PUT reserves an event stream, GET opens
 * it, POST starts an operation whose results it carries, and DELETE ends an operation. Requests name the stream by the
 * token of its reservation.
 */
import { randomBytes } from 'node:crypto';
import { isRecord } from '../../../wire/guards.js';
import { bodyParserFor } from '../../gateway/pipeline/parameters.js';
import { acceptedBy } from '../../gateway/pipeline/write.js';
import { REQUEST_BYTES } from '../../memory/sizes.js';
import type { AccessControl, ConnectedClient } from '../access-control.js';
import { type Exchange, respond, respondWithProblem } from '../exchange.js';
import { begin, MAX_TIMER_MS } from '../gateway-handler.js';
import type { ConnectionCounts } from '../operations/connection-counts.js';
import { type BegunOperation, MAX_ID_LENGTH, type OperationsParts } from '../operations/operations.js';
import {
  eventStreamIsOpen,
  eventStreamNotAcceptable,
  malformedRequest,
  operationExists,
  type Problem,
  shuttingDown,
  tooManyConnections,
  unknownEventStream,
  unsupportedBodyProblem,
} from '../problem.js';
import { createBodyReceiver } from '../receive-body.js';
import type { OtherConnections } from '../shutdown.js';
import { createEventStream, type EventStream } from './stream.js';

const TOKEN_HEADER = 'x-graphql-event-stream-token';
const TOKEN_BYTES = 32;
/** The parameter `token` of a URL may belong to others, such as a proxy, unless it has the form of a reservation. */
const tokenForm = /^[\w-]{43}$/;

const noStore = { 'cache-control': 'no-store' };

export interface EventStreamRoute extends OtherConnections {
  /** Handles a request of this protocol. @returns undefined for all other requests */
  handle(exchange: Exchange): Promise<void> | undefined;
}

export function createEventStreamRoute(
  parts: OperationsParts,
  access: AccessControl,
  counts: ConnectionCounts,
): EventStreamRoute {
  const { config, logger, running } = parts;
  const streams = new Map<string, EventStream>();
  const receiveBody = createBodyReceiver(config);
  let isDraining = false;

  function reserve(exchange: Exchange, owner: ConnectedClient): void {
    if (isDraining) return respondWithProblem(exchange, shuttingDown);
    const release = counts.take(owner.client);
    if (release === undefined)
      return respondWithProblem(exchange, tooManyConnections(config.maxClientConnections));
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stream = createEventStream(exchange, owner, parts, () => {
      streams.delete(token);
      release();
    });
    streams.set(token, stream);
    respond(exchange, 201, token, { 'content-type': 'text/plain; charset=utf-8', ...noStore });
  }

  function open(exchange: Exchange, stream: EventStream): void {
    if (!acceptedBy(exchange.incoming.headers.accept).isEventStream)
      return respondWithProblem(exchange, eventStreamNotAcceptable);
    if (stream.isOpen) return respondWithProblem(exchange, eventStreamIsOpen);
    stream.open(exchange);
  }

  async function start(exchange: Exchange, owner: ConnectedClient, stream: EventStream): Promise<void> {
    const operation = stream.operations.begin(owner, exchange);
    if ('status' in operation) return respondWithProblem(exchange, operation);
    let received: ReceivedOperation | Problem | undefined;
    try {
      received = await receive(exchange, operation);
    } catch (error) {
      operation.drop();
      throw error;
    }
    // The stream may have ended, or may have got another operation of this id.
    if (received === undefined || 'status' in received || stream.operations.has(received.id)) {
      operation.drop();
      if (received === undefined) return;
      return respondWithProblem(exchange, 'status' in received ? received : operationExists(received.id));
    }
    if (streams.get(tokenOf(exchange) ?? '') !== stream) {
      operation.drop();
      return respondWithProblem(exchange, unknownEventStream);
    }
    const { id, parameters } = received;
    respond(exchange, 202, '', noStore);
    const untilMs = owner.expiresAtMs;
    const expiry =
      untilMs === undefined
        ? undefined
        : setTimeout(
            () => stream.operations.cancel(id),
            Math.min(Math.max(untilMs - Date.now(), 0), MAX_TIMER_MS),
          );
    operation
      .execute(id, parameters, 0)
      .catch((error: unknown) => logger.error({ err: error, id: exchange.id }, 'operation failed'))
      .finally(() => clearTimeout(expiry));
  }

  /** @returns undefined if the client has disconnected or the response has been sent */
  async function receive(
    exchange: Exchange,
    { memory }: BegunOperation,
  ): Promise<ReceivedOperation | Problem | undefined> {
    const parse = bodyParserFor(exchange.incoming.headers['content-type']);
    if (parse === undefined) return unsupportedBodyProblem;
    const { signal } = begin(exchange, running);
    await memory.take(REQUEST_BYTES, { signal });
    const body = await receiveBody(exchange, memory, signal);
    if (body === undefined) return undefined;
    let parameters: ReturnType<typeof parse>;
    try {
      parameters = parse(body);
    } catch (error) {
      return malformedRequest(error instanceof Error ? error.message : 'invalid body');
    }
    if (Array.isArray(parameters))
      return malformedRequest('an event stream carries single operations; send them one by one');
    const { extensions } = parameters;
    const id = isRecord(extensions) ? extensions['operationId'] : undefined;
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
      return malformedRequest(`"extensions.operationId" must be text of 1 to ${MAX_ID_LENGTH} characters`);
    return { id, parameters };
  }

  function stop(exchange: Exchange, stream: EventStream): void {
    const id = new URLSearchParams(exchange.query).get('operationId');
    if (id === null || id === '')
      return respondWithProblem(exchange, malformedRequest('the parameter "operationId" is missing'));
    // The operation may have ended by itself.
    stream.operations.cancel(id);
    respond(exchange, 200, '', noStore);
  }

  async function handle(exchange: Exchange, token: string | undefined): Promise<void> {
    const owner = await access.admitToStream(exchange);
    if (owner === undefined) return;
    const { method } = exchange;
    if (method === 'PUT') return reserve(exchange, owner);
    const stream = streams.get(token ?? '');
    // Another client must not learn that the token exists.
    if (stream === undefined || stream.client !== owner.client)
      return respondWithProblem(exchange, unknownEventStream);
    if (method === 'GET') return open(exchange, stream);
    if (method === 'DELETE') return stop(exchange, stream);
    return start(exchange, owner, stream);
  }

  return {
    handle(exchange) {
      const { method, incoming, query } = exchange;
      if (method === 'HEAD') return undefined;
      const isNamed = incoming.headers[TOKEN_HEADER] !== undefined || query.includes('token=');
      const token = isNamed ? tokenOf(exchange) : undefined;
      if (token === undefined && method !== 'PUT' && method !== 'DELETE') return undefined;
      return handle(exchange, token);
    },
    drain() {
      isDraining = true;
      for (const stream of [...streams.values()]) stream.drain();
    },
    closeAll() {
      for (const stream of [...streams.values()]) stream.end();
    },
  };
}

interface ReceivedOperation {
  readonly id: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function tokenOf({ incoming, query }: Exchange): string | undefined {
  const header = incoming.headers[TOKEN_HEADER];
  if (typeof header === 'string') return header;
  const token = new URLSearchParams(query).get('token');
  return token !== null && tokenForm.test(token) ? token : undefined;
}
