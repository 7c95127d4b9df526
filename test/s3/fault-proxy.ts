/**
 * A proxy in front of an S3 server that simulates faults of networks and busy servers. It forwards the client's Host
 * header, so that signatures remain valid.
 */
import { Agent, createServer, request as send } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

export type Fault =
  /** Replaces the response; `code` creates an S3 error document. */
  | { readonly kind: 'respond'; readonly status: number; readonly code?: string; readonly body?: Uint8Array; readonly headers?: OutgoingHttpHeaders } // prettier-ignore
  /** Closes the connection before the response; with `done`, after the server has executed the request. */
  | { readonly kind: 'reset'; readonly done?: boolean }
  | { readonly kind: 'silence' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Closes the connection, or stalls, after this many bytes of the body. */
  | { readonly kind: 'cut' | 'stall'; readonly after: number }
  /** Changes headers of the response. */
  | { readonly kind: 'headers'; readonly headers: OutgoingHttpHeaders }
  /** Runs before the request is forwarded. */
  | { readonly kind: 'before'; readonly run: () => Promise<unknown> };

export interface Rule {
  readonly fault: Fault;
  /** Number of requests to which the fault applies. @default 1 */
  times?: number;
  readonly match?: (request: IncomingMessage) => boolean;
}

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly fault: Fault['kind'] | undefined;
}

export interface FaultProxy {
  readonly url: string;
  /** The faults. The first fault that matches a request is applied. */
  readonly rules: Rule[];
  /** All received requests, in order. */
  readonly log: Seen[];
  close(): Promise<void>;
}

export async function startFaultProxy(upstream: string): Promise<FaultProxy> {
  const target = new URL(upstream);
  const agent = new Agent({ keepAlive: true });
  const rules: Rule[] = [];
  const log: Seen[] = [];
  const server = createServer((request, response) => {
    const rule = rules.find(({ times = 1, match }) => times > 0 && (match?.(request) ?? true));
    if (rule !== undefined) rule.times = (rule.times ?? 1) - 1;
    const { method = '', url = '', headers } = request;
    log.push({ method, url, headers, fault: rule?.fault.kind });
    handle(request, response, rule?.fault).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;

  async function handle(request: IncomingMessage, response: ServerResponse, fault?: Fault): Promise<void> {
    if (fault?.kind === 'respond') return respond(request, response, fault);
    if (fault?.kind === 'reset' && fault.done !== true) {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault?.kind === 'silence') {
      request.resume();
      return;
    }
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault?.kind === 'before') await fault.run();
    const { method = 'GET', url = '/', headers } = request;
    const passed = send(
      { agent, host: target.hostname, port: target.port, method, path: url, headers },
      (reply) => passOn(reply, request, response, fault),
    );
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    rules,
    log,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Extract<Fault, { kind: 'respond' }>,
): void {
  const document = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${fault.code}</Code></Error>`;
  const body = fault.body ?? Buffer.from(fault.code === undefined ? '' : document);
  const headers = { 'content-type': 'application/xml', 'content-length': body.length, ...fault.headers };
  request.resume().on('end', () => {
    response.writeHead(fault.status, headers).end(request.method === 'HEAD' ? undefined : body);
  });
}

function passOn(
  reply: IncomingMessage,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
): void {
  if (fault?.kind === 'reset') {
    reply.resume().on('end', () => request.socket.resetAndDestroy());
    return;
  }
  const changed = fault?.kind === 'headers' ? fault.headers : {};
  response.writeHead(reply.statusCode ?? 500, { ...reply.headers, ...changed });
  if (fault?.kind !== 'cut' && fault?.kind !== 'stall') {
    reply.pipe(response);
    return;
  }
  let left = fault.after;
  reply.on('data', (piece: Buffer) => {
    if (left <= 0) return;
    response.write(piece.subarray(0, left));
    left -= piece.length;
    if (left <= 0 && fault.kind === 'cut') setTimeout(() => response.socket?.resetAndDestroy(), 10);
  });
}
