/**
 * Runs one attack with values of variable length in a separate process: few stored bytes that decode to a lot, or a
 * small request that writes a lot. Prints the gateway's response, its peak memory, and the longest delay of the event
 * loop.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createGzip } from 'node:zlib';
import type { Gateway } from '../../server/index.js';
import type * as Server from '../../server/index.js';
import type * as Engine from '../../server/zarr/index.js';

// Measurements use the built program, because only it has decoding threads.
const built = process.env['ATTACK_DIST'];
const server: typeof Server = await import(built ?? '../../server/index.ts');
const engine: typeof Engine = await import(
  built === undefined ? '../../server/zarr/index.ts' : built.replace('index.js', 'engine.js')
);

const MiB = 2 ** 20;

/** Gzip of a start, a repeated unit and an end, without keeping all of it in memory. */
async function gzipOf(
  start: Uint8Array,
  unit: Uint8Array,
  count: number,
  end: Uint8Array,
): Promise<Uint8Array> {
  const gzip = createGzip({ level: 1 });
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => gzip.on('end', resolve));
  const perBlock = Math.max(1, Math.floor(MiB / unit.length));
  const block = Buffer.concat(Array.from({ length: perBlock }, () => unit));
  gzip.write(start);
  for (let left = count; left > 0; left -= perBlock) {
    const part = block.subarray(0, Math.min(left, perBlock) * unit.length);
    if (!gzip.write(part)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end(end);
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}

const words = (...list: number[]): Uint8Array => new Uint8Array(Uint32Array.from(list).buffer);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const nothing = new Uint8Array(0);

const strings = (count: number) => ({
  zarr_format: 3, node_type: 'array', shape: [count], data_type: 'string', fill_value: '',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [count] } },
  chunk_key_encoding: { name: 'default' },
  codecs: [{ name: 'vlen-utf8' }, { name: 'gzip', configuration: { level: 1 } }],
}); // prettier-ignore
const objects = (filter: object, count = 1) => ({
  zarr_format: 2, shape: [count], chunks: [count], dtype: '|O', fill_value: null, order: 'C',
  filters: [filter], compressor: { id: 'gzip', level: 1 },
}); // prettier-ignore

type Objects = Readonly<Record<string, unknown>>;
const read = '{ store(name: "m") { array { slice(select: { text: "0" }) { values } } } }';

async function gatewayOf(stored: Objects): Promise<Gateway> {
  const store = engine.createMemoryStore({ label: 'm' });
  for (const [key, value] of Object.entries(stored))
    await store.set(key, value instanceof Uint8Array ? value : text(JSON.stringify(value)));
  // The configuration of `zarrql serve`. Sources have no thread program.
  const decoding = { pool: built === undefined ? null : engine.createCodecPool(), here: false };
  return server.createGateway({ stores: [{ name: 'm', store, writable: true }], engine: { decoding } });
}

async function execute(gateway: Gateway, query: string, variables?: unknown) {
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
    server.fullAccess,
  );
  const { errors = [] }: { errors?: { extensions: { code: string } }[] } = await response.json();
  return errors.map(({ extensions }) => extensions.code);
}

const framesOf = (count: number) => gzipOf(words(count), words(0), count, nothing);

interface Attack {
  readonly stored: () => Promise<Objects>;
  readonly query?: string;
  readonly variables?: unknown;
}

const write = `mutation ($values: NDArray!, $select: Selection) {
  writeSlice(input: { store: "m", path: "/", select: $select, values: $values }) { chunksWritten }
}`;
const many = 130_000_000;

const attacks: Readonly<Record<string, Attack>> = {
  nothing: { stored: async () => ({ 'zarr.json': strings(1), 'c/0': await framesOf(1) }) },
  strings: { stored: async () => ({ 'zarr.json': strings(many), 'c/0': await framesOf(many) }) },
  'strings within limits': {
    stored: async () => ({ 'zarr.json': strings(40_000_000), 'c/0': await framesOf(40_000_000) }),
  },
  ragged: {
    stored: async () => ({
      '.zarray': objects({ id: 'vlen-array', dtype: '<i4' }, 30_000_000),
      '0': await framesOf(30_000_000),
    }),
  },
  msgpack: {
    stored: async () => ({
      '.zarray': objects({ id: 'msgpack2' }),
      '0': await gzipOf(
        Uint8Array.of(0x93, 0xdd, 7, 0x27, 0x0e, 0),
        Uint8Array.of(0x90),
        120_000_000,
        Uint8Array.of(0xa2, 0x7c, 0x4f, 0x91, 1),
      ),
    }),
  },
  json: {
    stored: async () => ({
      '.zarray': objects({ id: 'json2' }),
      '0': await gzipOf(text('[[[]'), text(',[]'), 40_000_000, text('],"|O",[1]]')),
    }),
  },
  'one of many written': {
    stored: async () => ({ 'zarr.json': strings(many) }),
    query: write,
    variables: { values: 'x', select: { text: '5' } },
  },
  'a string broadcast': {
    stored: async () => ({ 'zarr.json': strings(5000) }),
    query: write,
    variables: { values: 'x'.repeat(900_000) },
  },
  'an object broadcast': {
    stored: async () => ({ '.zarray': objects({ id: 'json2' }, 700) }),
    query: write,
    variables: { values: { a: Array.from({ length: 250_000 }, () => []) } },
  },
};

const attack = attacks[process.argv[2] ?? ''];
if (attack === undefined) throw new Error('unknown attack');
const gateway = await gatewayOf(await attack.stored());
// Excludes one-time initialisation from the measurement.
await execute(gateway, '{ store(name: "m") { array { shape } } }');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
await new Promise((resolve) => setTimeout(resolve, 20));
const started = performance.now();
const codes = await execute(gateway, attack.query ?? read, attack.variables);
const ms = Math.round(performance.now() - started);
// Waits for one more timer, which records the delay of the event loop.
await new Promise((resolve) => setTimeout(resolve, 5));
delay.disable();
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(JSON.stringify({ codes, peakMiB, ms, delayMs: Math.round(delay.max / 1e6) }));
// Threads keep the process alive. `process.exit` at once can wait forever, see `end` in run-gateway.ts.
setTimeout(() => process.exit(0), 100).unref();
