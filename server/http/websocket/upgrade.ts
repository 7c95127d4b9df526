/** Requests with an `Upgrade` header: those for a WebSocket are handled as exchanges, all others without the header. */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Headers that concern only the upgrade (RFC 9110, section 7.8; RFC 9113, section 3.2). */
const upgradeHeaders: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);

/**
 * @param handle handles a request whose connection may become a WebSocket; `head` is what follows the request
 * @param isResponding whether a response of the connection is in flight
 */
export function createUpgrades(
  server: Server,
  handle: (incoming: IncomingMessage, outgoing: ServerResponse, head: Buffer) => void,
  isResponding: (socket: Socket) => boolean,
): void {
  server.on('upgrade', (incoming, _stream, head) => {
    const { socket } = incoming;
    // Node no longer handles errors of the connection.
    socket.on('error', () => socket.destroy());
    // The response to an earlier request is not complete, so nothing else may be written.
    if (isResponding(socket)) {
      socket.destroy();
      return;
    }
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket') {
      // Clients that offer HTTP/2 (h2c) expect a response in HTTP/1.1 otherwise.
      socket.unshift(Buffer.concat([headWithoutUpgrade(incoming), head]));
      server.emit('connection', socket);
      return;
    }
    const outgoing = new ServerResponse(incoming);
    outgoing.shouldKeepAlive = false;
    outgoing.assignSocket(socket);
    outgoing.once('finish', () => socket.destroySoon());
    handle(incoming, outgoing, head);
  });
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (upgradeHeaders.has(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === 'connection' ? withoutNames(value, upgradeHeaders) : value;
    lines.push(`${name}: ${kept}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function withoutNames(list: string, names: ReadonlySet<string>): string {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter((entry) => !names.has(entry.toLowerCase())).join(', ');
}
