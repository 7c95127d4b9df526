import type { ServerResponse } from 'node:http';

/** Bodies of known size up to this are sent in one piece; others are streamed. */
const maxWholeBytes = 4 * 2 ** 20;

/**
 * Sends a fetch response over Node's, with `extra` headers below its own. A body is streamed as fast as the client
 * takes it.
 * @returns the bytes of the body that were handed on
 * @throws what the body's stream throws; by then the connection is cut, since the status has gone out
 */
export async function sendResponse(
  response: Response,
  outgoing: ServerResponse,
  extra: Readonly<Record<string, string>>,
  withBody: boolean,
): Promise<number> {
  const headers: Record<string, string | string[]> = { ...extra };
  response.headers.forEach((value, name) => {
    const own = extra[name];
    // Several parts of the gateway have a say in what an answer varies with.
    headers[name] = name === 'vary' && own !== undefined ? `${value}, ${own}` : value;
  });
  const length = response.headers.get('content-length');
  if (!withBody || response.body === null) {
    outgoing.writeHead(response.status, headers);
    outgoing.end();
    await response.body?.cancel();
    return 0;
  }
  if (length !== null && Number(length) <= maxWholeBytes) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(response.status, headers);
    outgoing.end(bytes);
    return bytes.byteLength;
  }
  outgoing.writeHead(response.status, headers);
  return await pump(response.body, outgoing);
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<number> {
  const reader = body.getReader();
  let sent = 0;
  try {
    while (!outgoing.destroyed) {
      const { done, value } = await reader.read();
      if (done) {
        outgoing.end();
        return sent;
      }
      sent += value.byteLength;
      if (!outgoing.write(value)) await writable(outgoing);
    }
    await reader.cancel();
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
