/**
 * Closed-loop clients: each sends its next operation when the previous one has completed, on persistent connections.
 */
import { importPeer } from '../folders.mjs';

const { default: undici } = await importPeer('undici');
const patience = { headersTimeout: 120_000, bodyTimeout: 120_000 };
export const connect = (base) => new undici.Client(base, { pipelining: 1, ...patience });
/** Connections per client for operations with several requests, as in browsers. */
const connectionsOfMany = 6;
/** Duration of the warm-up for JIT compilers. */
const warmUpMs = 500;

/** @throws Error with the difference if the responses do not match the source data */
export async function checkResponses(base, requests, operations) {
  const client = connect(base);
  try {
    for (const operation of operations) {
      const parts = [];
      for (const request of requests.of(operation)) {
        const response = await send(client, request, true);
        const wrong = faultOf(response, requests);
        if (wrong !== undefined) throw new Error(`${wrong}: ${response.body.subarray(0, 200).toString()}`);
        if (requests.contains !== undefined && !response.body.includes(requests.contains))
          throw new Error(`the response does not contain "${requests.contains}"`);
        if (requests.decode !== undefined) parts.push(requests.decode(response.body));
      }
      if (requests.decode !== undefined) compare(parts, operation.expected());
    }
  } finally {
    await client.destroy();
  }
}

function compare(parts, expected) {
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  if (count !== expected.length)
    throw new Error(`wrong result: got ${count} values, expected ${expected.length}`);
  let i = 0;
  for (const part of parts)
    for (const value of part) {
      if (!Object.is(value, expected[i]))
        throw new Error(`wrong result: value ${i} is ${value}, expected ${expected[i]}`);
      i++;
    }
}

/** @returns operations per second, latencies in ms, and the number of responses with an unexpected status or size */
export async function measureLoad(base, requests, operations, { clients, seconds }) {
  const prepared = operations.map((operation) => requests.of(operation));
  const width = prepared[0].length > 1 ? connectionsOfMany : 1;
  const all = Array.from({ length: clients }, () => Array.from({ length: width }, () => connect(base)));
  const faults = [];
  let next = 0;
  const loop = async (duration, latencies) => {
    const end = performance.now() + duration;
    const one = async (connections) => {
      // At least one operation per client, even if the server is slow.
      do {
        const start = performance.now();
        await runOperation(connections, prepared[next++ % prepared.length], requests, faults);
        latencies.push(performance.now() - start);
      } while (performance.now() < end);
    };
    await Promise.all(all.map(one));
  };
  try {
    // The preceding single-client run has already warmed up operations with several requests, which take seconds.
    if (width === 1 || clients === 1) await loop(warmUpMs, []);
    const latencies = [];
    const start = performance.now();
    await loop(seconds * 1000, latencies);
    const elapsed = (performance.now() - start) / 1000;
    return { ...summary(latencies, elapsed), faults: faults.length, firstFault: faults[0] };
  } finally {
    await Promise.all(all.flat().map((client) => client.destroy()));
  }
}

function summary(latencies, elapsed) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (share) => Number(sorted[Math.ceil(share * sorted.length) - 1].toFixed(3));
  return {
    operations: sorted.length,
    perSecond: Number((sorted.length / elapsed).toFixed(2)),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

async function runOperation(connections, list, requests, faults) {
  let next = 0;
  const one = async (client) => {
    while (next < list.length) {
      const fault = faultOf(await send(client, list[next++], false), requests);
      if (fault !== undefined) faults.push(fault);
    }
  };
  if (list.length === 1) await one(connections[0]);
  else await Promise.all(connections.map(one));
}

function faultOf({ status, bytes, error }, { bytes: [least, most] }) {
  if (error !== undefined) return error;
  if (status !== 200) return `status ${status}`;
  return bytes < least || bytes > most ? `got ${bytes} bytes, expected ${least} to ${most}` : undefined;
}

/**
 * Sends a request and counts the bytes of the response. Keeps the bytes only with `keep`. `fetch` would take 3 to 12 ms
 * for a response of more than 1 MB.
 */
export function send(client, { headers, ...request }, keep) {
  return new Promise((resolve) => {
    let [status, bytes] = [0, 0];
    const parts = [];
    const settle = (error) => resolve({ status, bytes, body: Buffer.concat(parts), error });
    client.dispatch(
      { ...request, headers: { 'accept-encoding': 'identity', ...headers } },
      {
        onRequestStart() {},
        onResponseStart(_controller, code) {
          status = code;
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length;
          if (keep) parts.push(Buffer.from(chunk));
        },
        onResponseEnd: () => settle(undefined),
        onResponseError: (_controller, error) => settle(String(error?.message ?? error)),
      },
    );
  });
}
