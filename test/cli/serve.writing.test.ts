/** A writable gateway process: written values survive a restart, and SIGTERM ends its streams. */
import { expect, test } from 'vitest';
import { until } from '../http/serving.js';
import { openEvents } from '../http/sse-client.js';
import { serveStores } from './running.js';
import { folderOfTest } from '../setup/temporary-folder.js';

async function ask(address: string, query: string) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(await response.text());
}

test('writes only to stores named by --allow-write', async () => {
  const root = folderOfTest('writing');
  const writing = await serveStores(['--store', `a=${root}`, '--store', 'b=memory:', '--allow-write', 'a']);
  const subscriber = await openEvents(
    Number(new URL(writing.address).port),
    'subscription { changes(store: "a") { kind path } }',
  );
  const { data, errors } = await ask(
    writing.address,
    `mutation {
      createArray(input: { store: "a", path: "x", shape: [3], dtype: "float32" }) { path }
      writeSlice(input: { store: "a", path: "x", select: { text: "1:" }, values: [1.5, "NaN"] }) { chunksWritten }
      other: createGroup(input: { store: "b" }) { path }
    }`,
  );
  expect(data).toEqual({ createArray: { path: '/x' }, writeSlice: { chunksWritten: 1 }, other: null });
  expect(errors).toMatchObject([{ extensions: { code: 'READ_ONLY', store: 'b' } }]);
  expect(errors[0].message).toContain('--allow-write b');
  await until(() => subscriber.events.length >= 3);
  writing.child.kill('SIGTERM');
  await subscriber.closed;
  expect(subscriber.events.at(-1)?.event).toBe('complete');
  expect((await writing.ended).code).toBe(0);

  const reading = await serveStores(['--store', `a=${root}`]);
  const again = await ask(
    reading.address,
    '{ store(name: "a") { writable array(path: "x") { slice { values } } } }',
  );
  expect(again).toEqual({
    data: { store: { writable: false, array: { slice: { values: [0, 1.5, 'NaN'] } } } },
  });
});
