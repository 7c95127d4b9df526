/** One persistent connection of HTTP/1.1, which carries one request at a time. */
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Body } from './body.js';
import { MalformedResponse, parseResponseHead } from './response-head.js';
import type { Carrier, Reply } from './reply.js';
import { TransientFailure } from '../http/exchange.js';

export interface Endpoint {
  readonly isSecure: boolean;
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface ConnectionEvents {
  /** The connection is ready for another request. */
  free(connection: Connection): void;
  closed(connection: Connection): void;
  /** The server closed a reused connection before it responded to the request, which may be sent again. */
  resend(reply: Reply): void;
  /** A TLS session that later connections may resume. */
  session(session: Buffer): void;
}

/** Size of the buffer for heads and pieces of bodies; also the maximum size of a head. */
const BUFFER_BYTES = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';

export class Connection implements Carrier {
  readonly #socket: net.Socket;
  readonly #events: ConnectionEvents;
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** Bytes of an incomplete head in the buffer. */
  #headBytes = 0;
  #reply: Reply | undefined;
  /** Whether the connection can be used after this response. */
  #isPersistent = true;
  #body: Body | undefined;
  /** Memory of the body that receives the next bytes; undefined for the buffer. */
  #target: Uint8Array | undefined;
  #requests = 0;
  #isPaused = false;
  /** When the last response ended, by `performance.now()`. */
  freeSince = 0;

  constructor({ isSecure, host, port }: Endpoint, events: ConnectionEvents, session: Buffer | undefined) {
    this.#events = events;
    const onread: net.OnReadOpts = {
      buffer: () => this.#nextBuffer(),
      callback: (bytes) => this.#receive(bytes),
    };
    const target = { host, port, onread, noDelay: true };
    if (isSecure) {
      const name = net.isIP(host) === 0 ? { servername: host } : {};
      const socket = tls.connect({ ...target, ...name, ...(session === undefined ? {} : { session }) });
      socket.on('session', (made) => events.session(made));
      this.#socket = socket;
    } else this.#socket = net.connect(target);
    this.#socket.setKeepAlive(true, 60_000);
    this.#socket.on('error', (error) => this.#lost(error));
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('close', () => {
      this.#lost(new Error('closed'));
      events.closed(this);
    });
  }

  send(reply: Reply): void {
    this.#reply = reply;
    this.#requests++;
    reply.carrier = this;
    this.#socket.ref();
    this.#socket.write(reply.text, 'latin1');
  }

  destroy(): void {
    this.#reply = undefined;
    this.#socket.destroy();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#reply?.resumed();
    this.#socket.resume();
  }

  #nextBuffer(): Uint8Array {
    this.#target = this.#body?.target();
    return this.#target ?? this.#buffer.subarray(this.#headBytes);
  }

  /** @returns false to receive no more until the socket is resumed */
  #receive(count: number): boolean {
    const reply = this.#reply;
    try {
      // Without a request, nothing may arrive.
      if (reply === undefined) throw new MalformedResponse('without a request');
      if (this.#target !== undefined) {
        this.#body?.placed(count);
        this.#moved(reply, count);
      } else if (this.#body === undefined) this.#receiveHead(reply, this.#headBytes + count);
      else this.#receiveBody(reply, this.#buffer.subarray(0, count));
    } catch (error) {
      if (error instanceof MalformedResponse)
        reply?.fail(new TransientFailure(error.message, { cause: error }));
      else reply?.fail(error);
      this.destroy();
    }
    return !this.#isPaused;
  }

  #receiveHead(reply: Reply, end: number): void {
    const bytes = this.#buffer.subarray(0, end);
    const from = Math.max(0, this.#headBytes - END_OF_HEAD.length + 1);
    const at = bytes.indexOf(END_OF_HEAD, from, 'latin1');
    this.#headBytes = end;
    if (at < 0) {
      if (end === BUFFER_BYTES) throw new MalformedResponse('its head is too long');
      return;
    }
    this.#headBytes = 0;
    const head = parseResponseHead(bytes.toString('latin1', 0, at), reply.method);
    const rest = bytes.subarray(at + END_OF_HEAD.length);
    if (head.status === 101) throw new MalformedResponse('another protocol');
    if (head.status < 200) {
      // Informational: the response follows.
      this.#buffer.copyWithin(0, at + END_OF_HEAD.length, end);
      if (rest.length > 0) this.#receiveHead(reply, rest.length);
      return;
    }
    this.#isPersistent = head.isPersistent;
    this.#body = reply.start(head);
    this.#receiveBody(reply, rest);
  }

  #receiveBody(reply: Reply, bytes: Uint8Array): void {
    const own = this.#body?.push(bytes) ?? 0;
    // No request has asked for these bytes.
    if (own < bytes.length) this.#isPersistent = false;
    this.#moved(reply, own);
  }

  #moved(reply: Reply, bytes: number): void {
    const body = this.#body;
    if (body?.isComplete === true) return this.#finish(reply, bytes);
    if (bytes > 0) reply.moved(bytes);
    if (body?.isFull === true && !reply.isOver) {
      this.#isPaused = true;
      reply.paused();
    }
  }

  #finish(reply: Reply, bytes: number): void {
    if (bytes > 0) reply.moved(bytes);
    if (this.#reply === undefined) return;
    this.#reply = this.#body = undefined;
    reply.finish();
    if (!this.#isPersistent) return this.destroy();
    this.freeSince = performance.now();
    this.#socket.unref();
    this.#events.free(this);
  }

  #ended(): void {
    const reply = this.#reply;
    this.#body?.end();
    if (reply !== undefined && this.#body?.isComplete === true) this.#finish(reply, 0);
    else this.#lost(new Error('closed'));
  }

  #lost(cause: Error): void {
    const reply = this.#reply;
    const isUnanswered = this.#body === undefined && this.#headBytes === 0 && this.#requests > 1;
    this.destroy();
    if (reply === undefined || reply.isOver) return;
    if (isUnanswered) this.#events.resend(reply);
    else reply.break(cause);
  }
}
