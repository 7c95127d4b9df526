/**
 * The engine in a page that Vite has built: it reads stores of another origin over HTTP, with every codec.
 */
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../server/gateway.js';
import * as engine from '../../server/zarr/index.js';
import type { Block, Codec, CodecChain } from '../../server/zarr/index.js';
import { openCase, readCases } from '../conformance/cases.js';
import { sameValues, toLayout, widthOf, type Case } from '../conformance/expected-layout.js';
import { fixtures } from '../setup/fixtures.js';
import { startFileServer, type FileServer } from '../store/file-server.js';
import { startBrowser } from './chromium.js';
import { buildPage, sentBytes, type BuiltPage } from './engine-page.js';
import { servePage } from './page-server.js';

const script = `
  import * as engine from 'zarrql/zarr';
  const { createHttpStore, openHierarchy, openStoreFromUrl } = engine;
  const text = (bytes) => { let all = ''; for (const byte of bytes) all += String.fromCharCode(byte); return btoa(all); };
  const plain = ({ dtype, shape, bytes, items }) => ({
    dtype, shape,
    ...(bytes === undefined ? {} : { bytes: text(bytes) }),
    ...(items === undefined ? {} : { items: { starts: [...items.starts], lengths: [...items.lengths], bytes: text(items.bytes) } }),
  });
  const read = async (url, node) => {
    const store = openStoreFromUrl('page', url, { maxAgeMs: 0, cacheBytes: 0 });
    const array = await openHierarchy(store).array(node);
    return plain(await array.select({ kind: 'all' }).read());
  };
  globalThis.readAll = async (cases) => {
    const results = [];
    let next = 0;
    const work = async () => {
      for (let at = next++; at < cases.length; at = next++)
        results[at] = await read(cases[at].url, cases[at].node).then((block) => ({ block }), (error) => ({ error: String(error) }));
    };
    await Promise.all(Array.from({ length: 8 }, work));
    return results;
  };
  globalThis.names = Object.keys(engine);
  globalThis.refused = () => ['data.zarr', 'file:///data.zarr', 's3://bucket/data.zarr'].map((url) => {
    try { openStoreFromUrl('page', url); return 'opened'; } catch (error) { return error.code; }
  });
`;

interface PageCase extends Case {
  readonly folder: string;
  /** The codecs of an array, including those of inner chunks and shard indexes. */
  readonly codecs: ReadonlySet<Codec>;
}

const found = await startBrowser();
const browser = 'browser' in found ? found.browser : undefined;
const root = join(import.meta.dirname, '../..');
const registry = engine.createDefaultRegistry();
const cases = await chooseCases();

/** Arrays of the fixtures that cover every codec and every feature of each format. */
async function chooseCases(): Promise<PageCase[]> {
  const chosen: PageCase[] = [];
  const seen = new Set<unknown>();
  for (const folder of ['writers', 'matrix'])
    for (const one of readCases<Case & { readonly type?: 'group' }>(folder)) {
      if (one.type === 'group' || typeof one.expected !== 'string') continue;
      if ((one.undefined_chunks ?? []).length > 0) continue;
      const { meta } = await openCase(join(fixtures, folder), one);
      const codecs = 'unsupported' in meta.chain ? new Set<Codec>() : codecsOf(meta.chain);
      const shows = [...codecs, ...one.features.map((feature) => `${one.format} ${feature}`)];
      if (shows.every((each) => seen.has(each))) continue;
      for (const each of shows) seen.add(each);
      chosen.push({ ...one, folder, codecs });
    }
  return chosen;
}

function codecsOf({ specs, arrayToBytes: { shard } }: CodecChain): Set<Codec> {
  const inner = shard === undefined ? [] : [shard.chain, shard.indexChain];
  return new Set([
    ...specs.flatMap(({ name }) => registry.codecs.get(name) ?? []),
    ...inner.flatMap((chain) => [...codecsOf(chain)]),
  ]);
}

let built: BuiltPage;
let files: FileServer;
/** A server that exposes only the headers that pages can always read. */
let closedFiles: FileServer;
/** Names of the WebAssembly modules that the page has requested. */
const loadedModules = new Set<string>();
let page: Page | undefined;
let server: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  built = await buildPage(script);
  server = await servePage(built.folder, createGateway({ stores: [] }));
  const contents = await readFolders(['matrix', 'writers']);
  files = await startFileServer(contents);
  files.exposes = 'etag, content-range';
  closedFiles = await startFileServer(contents);
  closedFiles.exposes = '';
  page = await browser?.newPage();
  page?.on('request', (request) => {
    const name = /(\w+)-[^/]*\.wasm$/.exec(request.url())?.[1];
    if (name !== undefined) loadedModules.add(name);
  });
  await page?.goto(server.url);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  server.close();
  await files.close();
  await closedFiles.close();
  await built.remove();
});

async function readFolders(names: readonly string[]): Promise<Record<string, Uint8Array>> {
  const contents: Record<string, Uint8Array> = {};
  for (const name of names)
    for (const entry of await readdir(join(fixtures, name), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      contents[path.slice(fixtures.length)] = readFileSync(path);
    }
  return contents;
}

type PageResult = { readonly block: PlainBlock } | { readonly error: string };
interface PlainBlock {
  readonly dtype: Block['dtype'];
  readonly shape: readonly number[];
  readonly bytes?: string;
  readonly items?: { readonly starts: number[]; readonly lengths: number[]; readonly bytes: string };
}

/** Reads arrays in the page, eight at a time. */
async function readInPage(some: readonly PageCase[], from: FileServer): Promise<PageResult[]> {
  const requests = some.map(({ folder, path, node }) => ({ url: `${from.url}/${folder}/${path}`, node }));
  const results = await page?.evaluate<PageResult[]>(`globalThis.readAll(${JSON.stringify(requests)})`);
  return results ?? [];
}

function blockOf({ dtype, shape, bytes, items }: PlainBlock): Block {
  const decoded = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
  const block: unknown = {
    dtype,
    shape,
    ...(bytes === undefined ? {} : { bytes: decoded(bytes) }),
    ...(items === undefined
      ? {}
      : {
          items: {
            starts: Uint32Array.from(items.starts),
            lengths: Uint32Array.from(items.lengths),
            bytes: decoded(items.bytes),
          },
        }),
  };
  return block as Block;
}

/** The difference from the values of other implementations; undefined if equal. */
function complaint(one: PageCase, result: PageResult | undefined): string | undefined {
  if (result === undefined || 'error' in result) return `${one.id}: ${result?.error ?? 'no result'}`;
  const block = blockOf(result.block);
  const expected = Buffer.from(one.expected ?? '', 'base64');
  const isSame = sameValues(toLayout(block, one.layout), expected, one, widthOf(block));
  return isSame && String(block.shape) === String(one.shape) ? undefined : `${one.id}: other values`;
}

async function complaints(some: readonly PageCase[], from = files): Promise<string[]> {
  const results = await readInPage(some, from);
  expect(results).toHaveLength(some.length);
  return some.flatMap((one, i) => complaint(one, results[i]) ?? []);
}

test('the cases use every codec', () => {
  const used = new Set(cases.flatMap(({ codecs }) => [...codecs]));
  const unused = [...registry.codecs].flatMap(([name, codec]) => (used.has(codec) ? [] : [name]));
  // Pickle is rejected everywhere. Metadata do not name "internal.widened", which has no platform-specific code. "bitround"
  // is the name of "numcodecs.bitround" in Zarr v3. The last three only run other codecs; no store of another writer has them.
  expect(unused).toEqual([
    ...['pickle', 'numcodecs.pickle', 'internal.widened', 'bitround'],
    ...['conditional', 'n5_default', 'reshape'],
  ]);
});

describe('the build', () => {
  const documented = readFileSync(join(root, 'docs/engine.md'), 'utf8');
  const stated = (pattern: RegExp): number => Number(pattern.exec(documented)?.[1]) * 1000;

  test('has the documented compressed size', () => {
    const code = sentBytes(built, /\.js$/);
    expect(Math.abs(code / stated(/adds about (\d+) kB/) - 1)).toBeLessThan(0.1);
    expect(code).toBeLessThan(255_000);
    for (const name of ['codecs', 'archive']) {
      const size = stated(new RegExp(`\`${name}\\.wasm\` \\((\\d+) kB`));
      expect(Math.abs(sentBytes(built, new RegExp(`${name}-[^/]*\\.wasm$`)) / size - 1)).toBeLessThan(0.1);
    }
  });

  test('contains no Node code', () => {
    const code = [...built.assets]
      .filter(([name]) => name.endsWith('.js'))
      .map(([, bytes]) => Buffer.from(bytes).toString())
      .join('\n');
    // Node polyfills and Node globals.
    expect(
      code.match(/__vite-browser-external|["'`]node:|\bprocess\.\w+|@aws-sdk|worker_threads|undici/g),
    ).toBeNull();
    expect([...built.assets.keys()].filter((name) => name.endsWith('.wasm'))).toHaveLength(2);
  });
});

describe.skipIf(browser === undefined)('in Chromium', () => {
  test('modules are loaded on demand', async () => {
    const gzipped = cases.filter(({ codecs }) =>
      [...codecs].every(({ name }) => ['bytes', 'gzip'].includes(name)),
    );
    expect(gzipped.some(({ codecs }) => codecs.size === 2)).toBe(true);
    expect(await complaints(gzipped)).toEqual([]);
    expect([...loadedModules].sort()).toEqual([]);
    await complaints(
      cases.filter(({ codecs }) => [...codecs].some(({ name }) => name === 'zstd')).slice(0, 1),
    );
    expect([...loadedModules].sort()).toEqual(['codecs']);
  });

  test('arrays of every format and codec of the fixtures, and of zip archives, are read', async () => {
    expect(cases.some(({ path }) => path.endsWith('.zip'))).toBe(true);
    expect(await complaints(cases)).toEqual([]);
    expect([...loadedModules].sort()).toEqual(['archive', 'codecs']);
  });

  test('shards of a server that exposes no headers are read, zip archives are not', async () => {
    const some = cases.filter(({ features }) => features.includes('sharding'));
    expect(some.length).toBeGreaterThan(10);
    expect(await complaints(some, closedFiles)).toEqual([]);
    // The directory of an archive cannot be found without its size, which the browser hides.
    const zip = cases.filter(({ features }) => features.includes('zip')).slice(0, 1);
    expect(await complaints(zip, closedFiles)).toEqual([
      expect.stringContaining('the server must expose Content-Range'),
    ]);
  });

  test('stores that need Node are rejected', async () => {
    expect(await page?.evaluate('globalThis.refused()')).toEqual([
      'UNSUPPORTED',
      'UNSUPPORTED',
      'UNSUPPORTED',
    ]);
  });

  test('exports the same names as on Node', async () => {
    expect(await page?.evaluate('globalThis.names.sort()')).toEqual(Object.keys(engine).sort());
  });
});
