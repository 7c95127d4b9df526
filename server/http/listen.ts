import { lstat, unlink } from 'node:fs/promises';
import { type AddressInfo, connect, type Server } from 'node:net';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Unix socket, instead of `host` and `port`. */
  readonly socket?: string | undefined;
  readonly isTls?: boolean | undefined;
}

/**
 * The server cannot listen on the address. The message states the system's reason and, for common reasons, the option
 * to change.
 */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Starts to listen. Replaces a unix socket that no process listens on: its owner was killed.
 * @returns the origin for programs on this computer; `unix:PATH` for a socket
 * @throws ListenError if the address cannot be used
 */
export async function listenOn(server: Server, address: ListenAddress): Promise<string> {
  const { host, port, socket } = address;
  if (socket !== undefined && (await isAbandoned(socket))) await unlink(socket);
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      const message = socket === undefined ? explain(error, host, port) : explainSocket(error, socket);
      reject(new ListenError(message, { cause: error }));
    };
    server.once('error', onError);
    const target = socket === undefined ? { host: host.replace(/^\[(.*)\]$/, '$1'), port } : { path: socket };
    server.listen(target, () => {
      server.off('error', onError);
      const bound = server.address();
      const scheme = address.isTls === true ? 'https' : 'http';
      resolve(
        isAddress(bound) ? `${scheme}://${reachable(host)}:${bound.port}` : `unix:${socket ?? String(bound)}`,
      );
    });
  });
}

/** Whether the path is a unix socket on which no process listens. */
async function isAbandoned(path: string): Promise<boolean> {
  const isSocket = await lstat(path).then(
    (stats) => stats.isSocket(),
    () => false,
  );
  if (!isSocket) return false;
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
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

function explainSocket(error: Error, path: string): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `${path} exists, and is not an abandoned socket; choose another path with --socket`;
  return `cannot listen on the socket ${path}: ${error.message}`;
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
