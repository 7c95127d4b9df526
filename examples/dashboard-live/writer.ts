// Simulates a measuring station: appends readings of three sensors to an array, four times a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, ndarray } from 'zarrql-client';

const url = process.env['GATEWAY'] ?? 'http://127.0.0.1:4000/graphql';
const readings = await createClient({ url })
  .store('live')
  .createArray('readings', {
    shape: [0, 3],
    chunkShape: [1024, 3],
    dtype: 'float32',
    dimensionNames: ['time', 'sensor'],
  });
console.log('ready');

let [temperature, pressure, humidity] = [18, 1013, 55];
const step = (size: number) => (Math.random() - 0.5) * size;
for (;;) {
  [temperature, pressure, humidity] = [temperature + step(0.3), pressure + step(0.5), humidity + step(1)];
  await readings.append(ndarray(Float32Array.of(temperature, pressure, humidity), [1, 3]));
  await sleep(250);
}
