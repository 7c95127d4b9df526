import type { ServerResponse } from 'node:http';
import type { Encoded } from './compression.js';

/**
 * Sends an answer over Node's response, with `extra` headers below its own. A body that is there whole is handed on as
 * its buffers; any other is streamed as fast as the client takes it.
 * @returns the bytes of the body that were handed on
 * @throws what the body's stream throws; by then the connection is cut, since the status has gone out
 */
export async function sendAnswer(
  { status, headers: own, body }: Encoded,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
  withBody: boolean,
): Promise<number> {
  const headers: Record<string, string> = { ...extra, ...own };
  // Several parts of the gateway have a say in what an answer varies with.
  if (own['vary'] !== undefined && extra['vary'] !== undefined)
    headers['vary'] = `${own['vary']}, ${extra['vary']}`;
  outgoing.writeHead(status, headers);
  if (!withBody || body === null) {
    outgoing.end();
    if (body !== null && Symbol.asyncIterator in body) await body[Symbol.asyncIterator]().return?.();
    return 0;
  }
  return Symbol.asyncIterator in body ? await pump(body, outgoing) : sendWhole(body, outgoing);
}

/** All buffers in one write of the socket, with the headers. Node holds views of them until the client has taken them. */
function sendWhole(buffers: readonly Uint8Array[], outgoing: ServerResponse): number {
  let sent = 0;
  outgoing.cork();
  for (const buffer of buffers) {
    sent += buffer.byteLength;
    outgoing.write(buffer);
  }
  outgoing.end();
  outgoing.uncork();
  return sent;
}

async function pump(body: AsyncIterable<Uint8Array>, outgoing: ServerResponse): Promise<number> {
  let sent = 0;
  try {
    for await (const part of body) {
      if (outgoing.destroyed) return sent;
      sent += part.byteLength;
      if (!outgoing.write(part)) await writable(outgoing);
      if (outgoing.destroyed) return sent;
    }
    outgoing.end();
  } catch (error) {
    // Half an answer must not look like a whole one.
    outgoing.destroy();
    throw error;
  }
  return sent;
}

/** Until the client has taken what was written, or is gone. */
function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) {
      resolve();
      return;
    }
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
