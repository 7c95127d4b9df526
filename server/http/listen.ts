import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpConfig } from './options.js';

/**
 * The server cannot listen on the address. The message states the system's reason and, for common reasons, the option
 * to change.
 */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Starts to listen.
 * @returns the URL of the GraphQL endpoint for programs on this computer
 * @throws ListenError if the address cannot be used
 */
export function listenOn(server: Server, { host, port }: Pick<HttpConfig, 'host' | 'port'>): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      reject(new ListenError(explain(error, host, port), { cause: error }));
    };
    server.once('error', onError);
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(`http://${reachable(host)}:${isAddress(address) ? address.port : port}/graphql`);
    });
  });
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** Returns the loopback address for wildcard addresses, which not all systems can connect to. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function explain(error: Error, host: string, port: number): string {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is already in use; choose another with --port, or any free one with --port 0`;
    case 'EACCES':
      return `no permission to listen on port ${port} of ${host}; choose a port above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `"${host}" is not an address of this computer; change --host (127.0.0.1 for this computer only, 0.0.0.0 for all networks)`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}`;
  }
}
