/** Serves the files of a page and a gateway from one origin, like a dashboard. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Gateway } from '../../server/index.js';
import { fullAccess } from '../../server/index.js';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.css': 'text/css',
};

export async function servePage(folder: string, gateway: Gateway): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const sending =
      request.url === '/graphql'
        ? sendToGateway(gateway, request, response)
        : /^\/(?:files|tiles|zarr)\//.test(request.url ?? '')
          ? followLink(gateway, request, response)
          : sendFile(folder, request, response);
    sending.catch(() => (response.headersSent ? response.destroy() : response.writeHead(404).end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function sendFile(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const file = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
  const body = await readFile(join(folder, file));
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
}

async function followLink(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`;
  const reply = await gateway.fetch(new Request(url), fullAccess);
  await sendReply(reply, response);
}

async function sendToGateway(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { accept = '', 'content-type': type = '' } = request.headers;
  const init = { method: 'POST', headers: { accept, 'content-type': type }, body: Buffer.concat(pieces) };
  const reply = await gateway.fetch(new Request('http://localhost/graphql', init), fullAccess);
  await sendReply(reply, response);
}

/** Sends each piece as soon as the gateway has computed it. */
async function sendReply({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  for await (const piece of body ?? []) response.write(piece);
  response.end();
}
