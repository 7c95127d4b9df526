/**
 * One change with many subscribers whose selection contains all written values; see `run-case.mjs`. This process is too busy
 * with the events to measure the liveness check.
 *
 *     npm run build && node bench/attacks/events.mjs [SUBSCRIBERS] [MEBIBYTES]
 */
import { longestTurn, request, start, statusOf } from './run-case.mjs';

const subscribers = Number(process.argv[2] ?? 300);
const elements = Number(process.argv[3] ?? 8) * 2 ** 20;

/** The text of a subscription to values of one byte, and of a change of the first one. */
const subscription = `subscription { changes(store: "mem") { kind node { ... on ZarrArray { slice { values } } } } }`;
const created = `createArray(input: { store: "mem", path: "v", shape: [${elements}], dtype: "uint8" }) { array { path } }`;
const written = `writeSlice(input: { store: "mem", path: "v", select: { text: "0" }, values: 1 }) { chunksWritten }`;

/** Subscribes, and waits for one event. @returns the number of bytes of the event and the time of its end */
async function subscribe(url) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: subscription }),
  });
  const reader = response.body.getReader();
  const event = async () => {
    let bytes = 0;
    let tail = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes, end: 'closed' };
      bytes += value.length;
      tail = (tail + Buffer.from(value.subarray(-8)).toString()).slice(-8);
      // Comments keep an idle stream open.
      if (bytes > 1000 && tail.endsWith('\n\n')) break;
      if (bytes > 200 && bytes < 1000 && tail.endsWith('\n\n')) return { bytes, end: 'error' };
    }
    await reader.cancel();
    return { bytes, end: 'event' };
  };
  return { status: response.status, event };
}

const { child, url } = await start([], ['--max-client-subscriptions', String(subscribers)]);
try {
  await request(url, { query: `mutation { ${created} }` });
  const streams = [];
  for (let i = 0; i < subscribers; i++) streams.push(await subscribe(url));
  const before = statusOf(child.pid);
  await longestTurn(child);
  const since = performance.now();
  const events = streams.map(({ event }) => event());
  await request(url, { query: `mutation { ${written} }` });
  const ended = await Promise.all(events);
  const seconds = (performance.now() - since) / 1000;
  const outcomes = new Map();
  for (const { bytes, end } of ended) {
    const key = `${end} of ${bytes} bytes`;
    outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
  }
  console.log(
    [
      `${subscribers} subscribers`,
      `turn ${(await longestTurn(child)).toFixed(0)} ms`,
      `${before} to ${statusOf(child.pid)} MB`,
      `${seconds.toFixed(1)} s`,
      [...outcomes].map(([key, count]) => `${count} x ${key}`).join(', '),
    ].join('  '),
  );
} finally {
  child.kill('SIGKILL');
}
