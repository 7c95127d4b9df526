/** Backpressure of control frames. */
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createMessageWriter, createReadingGate } from '../../../server/http/websocket/writer.js';
import { until } from '../serving.js';

const pace = { minBytesPerSecond: 0, isMemoryWanted: () => false, onTooSlow: () => {} };

test('nothing is read and no ping is answered while a client does not read its pongs', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') expect.unreachable();
  const client = connect(address.port, '127.0.0.1').pause();
  const [socket] = await once(server, 'connection');
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  let pongs = 0;
  let isPaused = false;
  const webSocket = Object.assign(Object.create(WebSocket.prototype) as WebSocket, {
    pong(data: Buffer) {
      pongs++;
      socket.write(data);
    },
    pause: () => (isPaused = true),
    resume: () => (isPaused = false),
  });
  Object.defineProperty(webSocket, 'readyState', { value: WebSocket.OPEN });
  const writer = createMessageWriter(webSocket, socket, createReadingGate(webSocket), pace);
  const data = Buffer.alloc(2 ** 16);
  // The buffers of the operating system hold some megabytes.
  for (let i = 0; i < 1000 && !isPaused; i++) writer.pong(data);
  expect(isPaused).toBe(true);
  const before = pongs;
  writer.pong(data);
  expect([pongs, writer.isBehind]).toEqual([before, true]);
  client.resume();
  await until(() => !isPaused);
  writer.pong(Buffer.alloc(1));
  expect([pongs, writer.isBehind]).toEqual([before + 1, false]);
});
