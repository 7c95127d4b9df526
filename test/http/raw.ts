/** Raw requests that no HTTP client would send. */
import { connect } from 'node:net';

/** Returns everything that the server sends until it closes the connection. @param text with HTTP line endings */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    // Does not call `end`, because Node drops a connection that the client has half closed. Latin-1, so
    // that the text can contain any byte.
    socket.write(Buffer.from(text, 'latin1'));
  });
}

/** One request on a separate connection. */
export function requestText(target: string, headers: readonly string[] = [], method = 'GET'): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The status of every response, in order. */
export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
