/** An HTTP server whose responses a test decides, and a client for it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../client/index.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens until the test ends. @returns the address of the endpoint */
export async function listen(handle: Handler): Promise<string> {
  const server = createServer(handle);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

export async function connect(handle: Handler, options: Partial<ClientOptions> = {}) {
  return createClient({ url: await listen(handle), retries: 0, maxResponseBytes: 2 ** 20, ...options });
}
