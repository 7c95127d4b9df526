/**
 * The servers: how to start and query each of them. An entry of `requests` has a function that maps an operation to its
 * HTTP requests, the minimum and maximum size of a response, and a function that decodes its values; for metadata, a text
 * that the response must contain. `kind` is "ours", "peer", "memory" (a peer that keeps all data in memory) or "bare".
 */
import { join } from 'node:path';
import { dataFolder, distFolder, python } from '../folders.mjs';
import { columns, rows, times } from './scenarios.mjs';

const store = join(dataFolder, 'gateway', 'ds.zarr');
const cli = join(distFolder, 'server/cli.js');
const app = (name) => join(import.meta.dirname, 'apps', name);
const exactly = (values) => [4 * values, 4 * values];

export const servers = {
  'zarrql base64': ours(base64Form(), []),
  'zarrql CBOR': ours(cborForm(), []),
  'zarrql JSON': ours(jsonForm(), []),
  'zarrql base64, no chunk cache': ours(base64Form(), ['--chunk-cache-bytes', '0']),
  tiled: tiled(),
  'xpublish (dask)': xpublish('dask', 'peer'),
  'xpublish (all in memory)': xpublish('memory', 'memory'),
  'bare node:http': bare(),
};

function ours(form, flags) {
  const slice = (declaration, select) =>
    `query(${declaration}) { store(name: "ds") { array(path: "t2m") { slice(select: ${select}) { ${form.field} } } } }`;
  const values = (query, variablesOf, count) => ({
    of: (operation) => [graphqlRequest(query, variablesOf(operation), form.accept)],
    bytes: form.bytes(count),
    decode: (body) => form.decode(body, count),
  });
  const metadata =
    '{ store(name: "ds") { array(path: "t2m") { shape dtype { name } chunkShape attributes } } }';
  return {
    kind: 'ours',
    start: (port) => [
      process.execPath,
      [cli, 'serve', '--store', `ds=${store}`, '--port', String(port), '--log-level', 'warn', ...flags],
    ],
    ready: '/readyz',
    requests: {
      meta: { of: () => [graphqlRequest(metadata, {})], bytes: [100, 20_000], contains: '720' },
      slice: values(slice('$t: BigInt!', '{ dims: [{ index: $t }] }'), ({ t }) => ({ t }), rows * columns),
      series: values(
        slice('$y: BigInt!, $x: BigInt!', '{ dims: [{ slice: {} }, { index: $y }, { index: $x }] }'),
        ({ y, x }) => ({ y, x }),
        times,
      ),
      points: values(slice('$p: [[BigInt!]!]!', '{ points: $p }'), ({ points }) => ({ p: points }), 20),
    },
  };
}

function base64Form() {
  const length = (values) => 4 * Math.ceil((4 * values) / 3);
  return {
    field: 'base64 { data }',
    bytes: (values) => [length(values), length(values) + 200],
    decode: (body) => littleEndian(Buffer.from(sliceOf(body).base64.data, 'base64')),
  };
}

function cborForm() {
  return {
    accept: 'application/cbor',
    field: 'values',
    bytes: (values) => [4 * values, 4 * values + 200],
    // The raw values are at the end of the response.
    decode: (body, values) => littleEndian(body.subarray(-4 * values)),
  };
}

function jsonForm() {
  return {
    field: 'values',
    bytes: (values) => [2 * values, 20 * values + 200],
    decode: (body) => Float32Array.from(sliceOf(body).values.flat(2)),
  };
}

function sliceOf(body) {
  return JSON.parse(body.toString()).data.store.array.slice;
}

function graphqlRequest(query, variables, accept = 'application/json') {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
  };
}

function tiled() {
  const headers = { accept: 'application/octet-stream' };
  const get = (part) => ({ method: 'GET', path: `/api/v1/array/full/ds/t2m?slice=${part}`, headers });
  const metadata = '/api/v1/metadata/ds/t2m';
  return {
    kind: 'peer',
    start: (port) => [python, [app('tiled_app.py'), store, String(port)]],
    ready: metadata,
    requests: {
      meta: { of: () => [{ method: 'GET', path: metadata }], bytes: [300, 20_000], contains: '720' },
      slice: { of: ({ t }) => [get(`${t},::1,::1`)], bytes: exactly(rows * columns), decode: littleEndian },
      series: { of: ({ y, x }) => [get(`::1,${y},${x}`)], bytes: exactly(times), decode: littleEndian },
      points: {
        of: ({ points }) => points.map(([t, y, x]) => get(`${t}:${t + 1},${y},${x}`)),
        bytes: exactly(1),
        decode: littleEndian,
      },
    },
  };
}

function xpublish(mode, kind) {
  const range = (first, last = first) => `%5B${first}:${last}%5D`;
  const get = (...ranges) => ({ method: 'GET', path: `/datasets/d/opendap.dods?t2m${ranges.join('')}` });
  // The response also contains the coordinates, and starts with a description.
  const values = (of, count) => ({
    of,
    bytes: [4 * count, 4 * count + 24_000],
    decode: (body) => fromDap(body, count),
  });
  return {
    kind,
    start: (port) => [python, [app('xpublish_app.py'), store, String(port), mode]],
    ready: '/versions',
    requests: {
      meta: {
        of: () => [{ method: 'GET', path: '/datasets/d/info' }],
        bytes: [300, 20_000],
        contains: '720',
      },
      slice: values(({ t }) => [get(range(t), range(0, rows - 1), range(0, columns - 1))], rows * columns),
      series: values(({ y, x }) => [get(range(0, times - 1), range(y), range(x))], times),
      points: values(({ points }) => points.map((point) => get(...point.map((i) => range(i)))), 1),
    },
  };
}

function bare() {
  const get = (path, count) => ({ of: () => [{ method: 'GET', path }], bytes: exactly(count) });
  return {
    kind: 'bare',
    start: (port) => [process.execPath, [app('bare-server.mjs'), String(port)]],
    ready: '/meta',
    requests: {
      meta: get('/meta', 250),
      slice: get('/slice', rows * columns),
      series: get('/series', times),
      points: {
        of: ({ points }) => [{ method: 'POST', path: '/points', body: JSON.stringify(points) }],
        bytes: exactly(20),
      },
    },
  };
}

function littleEndian(body) {
  const values = new Float32Array(body.length / 4);
  new Uint8Array(values.buffer).set(body.subarray(0, values.byteLength));
  return values;
}

/** DAP 2: after the marker, the length twice, then big-endian values. */
function fromDap(body, count) {
  const marker = 'Data:\r\n';
  const at = body.indexOf(marker);
  if (at < 0) throw new Error('the response has no data part');
  const first = at + marker.length + 8;
  return Float32Array.from({ length: count }, (_, i) => body.readFloatBE(first + 4 * i));
}
