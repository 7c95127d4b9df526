import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Contents } from '../contracts/store.js';

/** Responds to a request and returns true, or returns false to let the server respond. */
export type Fault = (request: IncomingMessage, response: ServerResponse, body: Uint8Array) => boolean;

export interface FileServer {
  readonly url: string;
  /** Method, path with query, range and headers of every request, in order. */
  readonly log: {
    method: string;
    url: string;
    range: string | undefined;
    headers: IncomingMessage['headers'];
  }[];
  /** Handlers of the next requests; each is called once, in order. */
  readonly faults: Fault[];
  /** Header in which versions are sent. @default 'etag' */
  validator: 'etag' | 'weak etag' | 'date' | 'nothing';
  contents: Contents;
  /** The headers exposed to pages of other origins; undefined if pages may not read. */
  exposes: string | undefined;
  close(): Promise<void>;
}

/** A local web server with ranges (RFC 9110), ETags and HEAD, and faults on demand. */
export async function startFileServer(initial: Contents): Promise<FileServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const files: FileServer = {
    url: `http://127.0.0.1:${port}/files`,
    log: [],
    faults: [],
    validator: 'etag',
    contents: initial,
    exposes: undefined,
    close: () => closeServer(server),
  };
  server.on('request', (request, response) => {
    const { url = '', method = '' } = request;
    files.log.push({ method, url, range: request.headers.range, headers: request.headers });
    if (files.exposes !== undefined && allowPages(files.exposes, method, response)) return;
    const path = decodeURIComponentOf(url.split('?')[0] ?? '');
    const key = path.startsWith('/files/') ? path.slice('/files/'.length) : undefined;
    const body = key === undefined || !Object.hasOwn(files.contents, key) ? undefined : files.contents[key];
    const fault = files.faults.shift();
    if (fault?.(request, response, body ?? new Uint8Array(0)) === true) return;
    respond(files, request, response, body);
  });
  return files;
}

/** Writes the headers of CORS. @returns whether the request was a preflight and has been responded to */
function allowPages(exposes: string, method: string, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', 'range, if-match, if-none-match');
  if (exposes !== '') response.setHeader('access-control-expose-headers', exposes);
  if (method === 'OPTIONS') response.writeHead(204).end();
  return method === 'OPTIONS';
}

function respond(
  files: FileServer,
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array | undefined,
): void {
  if (body === undefined) {
    response.writeHead(404).end('nothing here');
    return;
  }
  const tag = `"${Buffer.from(body).toString('base64url').slice(0, 40)}${body.length}"`;
  if (files.validator === 'etag') response.setHeader('etag', tag);
  if (files.validator === 'weak etag') response.setHeader('etag', `W/${tag}`);
  if (files.validator === 'date') response.setHeader('last-modified', dateOf(body));
  if (request.headers['if-none-match'] === response.getHeader('etag') && files.validator.endsWith('etag')) {
    response.writeHead(304).end();
    return;
  }
  const ifMatch = request.headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== response.getHeader('etag')) {
    response.writeHead(412).end();
    return;
  }
  const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
  if (range === null) {
    response
      .writeHead(200, { 'content-length': body.length })
      .end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  const first = range[1] === '' ? Math.max(0, body.length - Number(range[2])) : Number(range[1]);
  const last =
    range[1] === '' || range[2] === '' ? body.length - 1 : Math.min(Number(range[2]), body.length - 1);
  if (first > last) {
    response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
    return;
  }
  const part = body.subarray(first, last + 1);
  response.writeHead(206, {
    'content-range': `bytes ${first}-${last}/${body.length}`,
    'content-length': part.length,
  });
  response.end(part);
}

/** A modification date that depends on the content, long ago. */
function dateOf(body: Uint8Array): string {
  let hash = body.length;
  for (const value of body) hash = (hash * 31 + value) % 1_000_000;
  return new Date(1_600_000_000_000 + hash * 1000).toUTCString();
}

function decodeURIComponentOf(path: string): string {
  return path.split('/').map(decodeURIComponent).join('/');
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

// Faults of web servers.

export const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_, response) => {
    response.writeHead(code, headers).end('<Error>no</Error>');
    return true;
  };
export const cut: Fault = (_, response, bytes) => {
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  return true;
};
export const reset: Fault = (request) => {
  request.socket.destroy();
  return true;
};
export const silence: Fault = () => true;
export const stall: Fault = (_, response, bytes) => {
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, 3));
  return true;
};
