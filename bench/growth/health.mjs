/** The thread that requests `/livez` about every 5 ms, and reports the latencies when it is told to end. */
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

let isRunning = true;
parentPort.once('message', () => (isRunning = false));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const request = () =>
  new Promise((resolve, reject) =>
    get({ port: workerData, path: '/livez', agent }, (incoming) =>
      incoming.resume().on('end', resolve).on('error', reject),
    ).on('error', reject),
  );
await request();
parentPort.postMessage('connected');
const times = [];
while (isRunning) {
  const start = performance.now();
  await request();
  times.push(performance.now() - start);
  await delay(5);
}
agent.destroy();
parentPort.postMessage(times);
