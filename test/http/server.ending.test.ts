/** Requests that end early, and the end of the server. */
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ask, serve, takeTurns, until } from './serving.js';

function codeOf(body: string): string {
  return JSON.parse(body).errors[0].extensions.code;
}

describe('ends', () => {
  test('a client that disconnects aborts its request', async () => {
    const signals: AbortSignal[] = [];
    const { port, log } = await serve(
      (request) =>
        new Promise((_resolve, reject) => {
          signals.push(request.signal);
          request.signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    );
    const outgoing = httpRequest({ port, path: '/graphql' });
    outgoing.on('error', () => {});
    outgoing.end();
    await until(() => signals.length > 0);
    expect(signals[0]?.aborted).toBe(false);
    outgoing.destroy();
    await until(() => signals[0]?.aborted === true && log.length > 0);
    expect(log[0]).toMatchObject({ msg: 'request', aborted: true });
  });

  test("a request that takes too long is aborted, and the gateway's error response is sent", async () => {
    const { port } = await serve(
      (request) =>
        new Promise((resolve) => {
          request.signal.addEventListener('abort', () => {
            resolve(Response.json({ aborted: true }));
          });
        }),
      { requestTimeoutMs: 20 },
    );
    expect(await ask(port)).toMatchObject({ status: 200, body: '{"aborted":true}' });
  });

  test('if the gateway ignores the signal, the server responds', async () => {
    const { port } = await serve(() => new Promise(() => {}), { requestTimeoutMs: 20 });
    const { status, body } = await ask(port);
    expect(status).toBe(504);
    expect(codeOf(body)).toBe('ABORTED');
    expect(body).toContain('requestTimeoutMs');
  });

  test('a long response is produced at the speed of the client, and stops when it disconnects', async () => {
    const chunk = new Uint8Array(2 ** 18);
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(chunk);
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 1 },
    );
    const { port } = await serve(async () => new Response(body));
    const outgoing = httpRequest({ port, path: '/graphql' }).end();
    const [incoming] = await once(outgoing, 'response');
    incoming.pause();
    let before = -1;
    await until(() => {
      const still = pulled === before;
      before = pulled;
      return still && pulled > 0;
    });
    await takeTurns(port);
    // Sockets buffer a few megabytes; without back pressure a gigabyte would have been produced by now.
    expect(pulled).toBeLessThan(200);
    incoming.on('error', () => {});
    outgoing.destroy();
    await until(() => cancelled);
  });

  // A partial response must not look complete.
  test('a response whose stream fails is cut off', async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls < 3) controller.enqueue(new Uint8Array(10));
        else controller.error(new Error('disk'));
      },
    });
    const { port, log } = await serve(async () => new Response(body));
    await expect(ask(port)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    await until(() => log.some((entry) => entry['msg'] === 'request failed'));
  });
});
