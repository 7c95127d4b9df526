/** A client of GraphQL over WebSocket that sends and records plain messages. */
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { until } from '../serving.js';

export interface Message {
  readonly type: string;
  readonly id?: string;
  // The payload depends on the operation; tests access it without types.
  // eslint-disable-next-line typescript/no-explicit-any
  readonly payload?: any;
}

export interface SocketClient {
  readonly socket: WebSocket;
  readonly messages: Message[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(message: object | string): void;
  subscribe(id: string, query: string, variables?: object): void;
  /** The messages of an operation, when it has ended. */
  ended(id: string): Promise<Message[]>;
  /** Waits for a number of messages. */
  received(count: number): Promise<Message[]>;
}

const SUBPROTOCOL = 'graphql-transport-ws';

/** Connects without sending a message. Rejects with the status of a refused handshake. */
export function connect(
  port: number,
  options: ClientOptions = {},
  protocols: string[] = [SUBPROTOCOL],
): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, protocols, options);
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8'))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
  });
  const client: SocketClient = {
    socket,
    messages,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    subscribe: (id, query, variables) =>
      client.send({ id, type: 'subscribe', payload: { query, variables } }),
    async ended(id) {
      const own = (): Message[] => messages.filter((message) => message.id === id);
      await until(() => own().some(({ type }) => type === 'complete' || type === 'error'));
      return own();
    },
    async received(count) {
      await until(() => messages.length >= count);
      return messages;
    },
  };
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('unexpected-response', (_request, response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        reject(
          Object.assign(new Error(`${response.statusCode} ${Buffer.concat(parts).toString()}`), { response }),
        ),
      );
    });
    socket.on('error', reject);
  });
}

/** Connects and initialises. */
export async function open(
  port: number,
  payload?: object,
  options: ClientOptions = {},
): Promise<SocketClient> {
  const client = await connect(port, options);
  client.send({ type: 'connection_init', payload });
  await client.received(1);
  client.messages.length = 0;
  return client;
}
