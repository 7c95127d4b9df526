/** A slice computed from two arrays: versions, budgets, permissions, links and errors cover both. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sliceByStep, wholeArray } from '../server/resolvers/slices/slice-model.js';
import type { GivenStep } from '../server/analysis/operations/table.js';
import { createFileServer } from '../server/gateway/links.js';
import { needOfRead } from '../server/memory/needs.js';
import { MemoryBudget } from '../server/memory/budget.js';
import { RequestBudget } from '../server/resolvers/budget.js';
import { type CallerRights, fullAccess } from '../server/resolvers/access/caller-rights.js';
import { createContext, type GatewayParts } from '../server/resolvers/context.js';
import { createErrorFormatter } from '../server/resolvers/errors.js';
import { hrefOf } from '../server/resolvers/links/href.js';
import type { SliceModel } from '../server/resolvers/models.js';
import { readInParts } from '../server/transport/href/read-in-parts.js';
import { signToken } from '../server/transport/href/token.js';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  toTypedArray,
  versionsOfInputs,
} from '../server/zarr/index.js';
import { addedSlice, useAddOperation } from './analysis/added-slice.js';
import { arrayDocument } from './resolvers/gateway-client.js';
import { changed } from './setup/changed.js';
import { gatewayParts } from './resolvers/gateway-parts.js';

beforeAll(useAddOperation);

/** A step of the operation `add`, which only tests register. */
function adding(name: string): GivenStep {
  const step: object = { add: name };
  return step as GivenStep;
}

const memory = new MemoryBudget({ maxBytes: 2 ** 30, maxRequestBytes: 2 ** 28, waitMs: 1000 });
const int16 = (...values: number[]) => new Uint8Array(Int16Array.from(values).buffer);

interface Sample {
  readonly store: KeyStore;
  put(key: string, json: unknown): Promise<unknown>;
  readonly parts: GatewayParts;
  /** The slice `base` + b, by default a + b, for a caller with these permissions. */
  sum(rights?: CallerRights, base?: string): Promise<SliceModel>;
  link(model: SliceModel, rights?: CallerRights): string;
  follow(href: string, headers?: Record<string, string>): Promise<Response>;
}

/** /d/a, /d/b and /d/secret are int16 of [4], in two chunks each. */
async function sample(): Promise<Sample> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [2] } };
  await put('d/zarr.json', { zarr_format: 3, node_type: 'group' });
  for (const [i, name] of ['a', 'b', 'secret'].entries()) {
    await put(`d/${name}/zarr.json`, arrayDocument('int16', [4], { chunk_grid, dimension_names: ['x'] }));
    await store.set(`d/${name}/c/0`, int16(1 * 10 ** i, 2 * 10 ** i));
    await store.set(`d/${name}/c/1`, int16(3 * 10 ** i, 4 * 10 ** i));
  }
  const parts = gatewayParts(store, memory);
  const serve = createFileServer(
    { ...parts, policyOf: () => undefined },
    createErrorFormatter({ logHidden: () => undefined, hints: false }),
  );
  return {
    store,
    put,
    parts,
    async sum(rights = fullAccess, base = '/d/a') {
      const context = createContext(parts, { rights, memory: memory.open('test') });
      const array = await context.nodes.array(context.store('m'), base);
      return sliceByStep(wholeArray(array), adding('b'), context);
    },
    link: (made, rights = fullAccess) =>
      hrefOf(made, 'RAW', createContext(parts, { rights, memory: memory.open('test') })),
    follow: async (href, headers = {}) => {
      const {
        status,
        headers: received,
        body,
      } = await serve({
        token: href.slice('/files/'.length).split('/')[0] ?? '',
        method: 'GET',
        headers: new Headers(headers),
        signal: new AbortController().signal,
        memory: memory.open('test'),
      });
      const init = { status, headers: received };
      return new Response(body === null || body instanceof ReadableStream ? body : Buffer.concat(body), init);
    },
  };
}

const sumBytes = Buffer.from(int16(11, 22, 33, 44));
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('links', () => {
  test('return the values, including ranges and parts', async () => {
    const { sum, link, follow } = await sample();
    const href = link(await sum());
    const response = await follow(href);
    expect([response.status, await bytesOf(response)]).toEqual([200, sumBytes]);
    const range = await follow(href, { range: 'bytes=2-5' });
    expect([range.status, await bytesOf(range)]).toEqual([206, sumBytes.subarray(2, 6)]);
  });

  test.each(['d/a/c/0', 'd/b/c/0'])('have another ETag when %s changes', async (key) => {
    const { sum, link, follow, store } = await sample();
    const href = link(await sum());
    const etag = (await follow(href)).headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    expect((await follow(href, { 'if-none-match': etag })).status).toBe(304);
    await store.set(key, int16(7, 8));
    const changed = await follow(href, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(await bytesOf(changed)).not.toEqual(sumBytes);
  });

  test.each(['a', 'b'])('have another ETag when the metadata of %s change', async (name) => {
    const { sum, link, follow, put } = await sample();
    const href = link(await sum());
    const etag = (await follow(href)).headers.get('etag') ?? '';
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [2] } };
    const attributes = { title: 'other' };
    await put(`d/${name}/zarr.json`, arrayDocument('int16', [4], { chunk_grid, attributes, dimension_names: ['x'] })); // prettier-ignore
    expect((await follow(href, { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('permissions', () => {
  const reading = (...paths: string[]): CallerRights => ({
    mayRead: (_, path) => paths.includes(path),
    mayEnter: (_, path) => ['/', '/d', ...paths].includes(path),
    mayWrite: () => false,
  });

  test('a caller without permission for one input gets neither a slice nor a link', async () => {
    const { sum, link } = await sample();
    await expect(sum(reading('/d', '/d/a'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const made = await sum();
    expect(() => link(made, reading('/d', '/d/a'))).toThrow('no permission to read');
    expect(() => link(made, reading('/d', '/d/b'))).toThrow('no permission to read');
    expect(link(made, reading('/d', '/d/a', '/d/b'))).toContain('/files/');
  });

  test('a link reads only the arrays that it was created for', async () => {
    const { sum, follow } = await sample();
    const { recipe } = await sum();
    const claims = { expires: Date.now() / 1000 + 60, format: 'RAW' };
    const token = (more: object) => `/files/${signToken({ ...claims, recipe, ...more }, 'k')}/a.bin`;
    const status = async (more: object) => (await follow(token(more))).status;
    expect(await status({ inputs: ['/d/a', '/d/b'] })).toBe(200);
    expect(await status({})).toBe(404);
    expect(await status({ inputs: ['/d/a'] })).toBe(404);
    expect(await status({ inputs: 'all' })).toBe(400);
    // With decoded values the whole group can be seen, but not read.
    const decode = { maskOutOfRange: false };
    expect(await status({ recipe: { ...recipe, decode }, inputs: ['/d/a', '/d/b'] })).toBe(200);
    expect(await status({ recipe: { ...recipe, decode } })).toBe(403);
    expect(await status({ recipe: { ...recipe, decode }, inputs: ['/d/a', '/d/secret'] })).toBe(403);
  });

  test('an array of another store with a readable path is rejected', async () => {
    const one = await sample();
    const other = await sample();
    const [{ slice: a, ...made }, { slice: b }] = [await one.sum(), await other.sum()];
    expect(() => one.link({ ...made, slice: addedSlice(a, b) })).toThrow('no permission to read');
  });
});

describe('cost', () => {
  test('includes both inputs and intermediate data', async () => {
    const { slice } = await (await sample()).sum();
    expect(slice.cost()).toMatchObject({
      chunks: 4,
      requests: 4,
      decodedBytes: 16,
      chunkBytes: 4,
      outputBytes: 8,
      intermediateBytes: 16,
    });
    expect(
      slice.exceeded({
        maxChunks: 3,
        maxDecodedBytes: 15,
        maxOutputBytes: 8,
        maxReducedBytes: 2 ** 40,
        maxWork: 1e15,
      }),
    ).toMatchObject([
      { limit: 'maxDecodedBytes', needed: 16 },
      { limit: 'maxChunks', needed: 4 },
    ]);
    // Two inputs, each with two chunks of four bytes, and one more chunk in decoding. Both are read
    // completely.
    expect(needOfRead(slice)).toEqual({ resultBytes: 8, inFlightBytes: 2 * (8 + 4) + 16 });
    const part = slice.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 2 }] });
    expect(part.cost()).toMatchObject({ chunks: 2, decodedBytes: 8, outputBytes: 4 });
  });

  test('is charged before anything is read', async () => {
    const { sum, parts } = await sample();
    const { slice } = await sum();
    const budget = new RequestBudget({ ...parts.limits, maxChunks: 7 }, { memory: memory.open('test') });
    expect(toTypedArray(await budget.read(slice, undefined))).toEqual(Int16Array.of(11, 22, 33, 44));
    expect(budget.spent()).toMatchObject({ chunks: 4, decodedBytes: 16, outputBytes: 8 });
    await expect(budget.read(slice, undefined)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test('values to send are read with readOnly: false', async () => {
    const { sum, parts } = await sample();
    const { slice } = await sum();
    const seen: unknown[] = [];
    const watched = changed(slice, {
      read: (options = {}) => (seen.push(options), slice.read(options)),
    });
    const budget = new RequestBudget(parts.limits, { valuesAreSent: true, memory: memory.open('test') });
    await budget.read(watched, undefined);
    expect(seen).toMatchObject([{ readOnly: false }]);
  });
});

describe('versions', () => {
  test('cover the objects of both inputs, separately for two stores', async () => {
    const { sum } = await sample();
    const { slice } = await sum();
    const names = [...((await versionsOfInputs(slice)) ?? [])].map(([name]) => name);
    expect(names).toEqual(['d/a/c/0', 'd/a/c/1', 'd/b/c/0', 'd/b/c/1'].map((key) => `m\0${key}`));
    const store = createMemoryStore({ label: 'n' });
    const array = await openHierarchy(store).createArray('/d/a', { shape: [4], dtype: 'int16', chunkShape: [2] }); // prettier-ignore
    const both = addedSlice(slice, array.select({ kind: 'all' }));
    const versions = await versionsOfInputs(both);
    expect(versions?.size).toBe(6);
    expect(versions?.get('m\0d/a/c/0')).toBeDefined();
    expect(versions?.get('n\0d/a/c/0')).toBeUndefined();
  });

  test.each([true, false])('a change of either between parts is a conflict; with versions: %s', async (known) => {
    for (const name of ['a', 'b']) {
      const { sum, store } = await sample();
      const { slice } = await sum();
      const versions = known ? await versionsOfInputs(slice) : undefined;
      const limits = { maxChunks: 4, maxDecodedBytes: 100, maxOutputBytes: 2, maxReducedBytes: 2 ** 40, maxWork: 1e15 };
      const read = readInParts({ limits, signal: undefined, maxBytes: 100, versions });
      const parts = read(slice, { from: 0, to: 4 })[Symbol.asyncIterator]();
      expect((await parts.next()).value).toMatchObject({ from: 0, to: 1 });
      await store.set(`d/${name}/c/0`, int16(5, 6));
      await expect(parts.next()).rejects.toMatchObject({
        code: 'CONFLICT',
        where: { store: 'm', path: `/d/${name}`, key: `d/${name}/c/0` },
      });
    }
  }); // prettier-ignore
});

describe('errors', () => {
  test.each(['a', 'b'])('a corrupt chunk of %s is named', async (name) => {
    const { sum, store } = await sample();
    await store.set(`d/${name}/c/1`, new Uint8Array(3));
    const { slice } = await sum();
    await expect(slice.read()).rejects.toMatchObject({
      code: 'CODEC_ERROR',
      where: { store: 'm', path: `/d/${name}`, key: `d/${name}/c/1` },
    });
  });

  test('an unreadable input is reported before a link is created', async () => {
    const { sum, link, put } = await sample();
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [2] } };
    const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'nobody-knows' }];
    await put('d/b/zarr.json', { ...(arrayDocument('int16', [4], { chunk_grid, dimension_names: ['x'] }) as object), codecs }); // prettier-ignore
    const made = await sum();
    expect(() => link(made)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED', where: { store: 'm', path: '/d/b' } })); // prettier-ignore
  });

  test('labels and coordinates belong to the shared dimensions', async () => {
    const { sum } = await sample();
    const { slice } = await sum();
    const part = slice.select({
      kind: 'named',
      named: [{ dim: 'x', by: { kind: 'slice', start: 1, stop: 3 } }],
    });
    expect(toTypedArray(await part.read())).toEqual(Int16Array.of(22, 33));
    expect(part.origin.selection).toEqual({ kind: 'box', dims: [{ kind: 'range', start: 1, step: 1, count: 2, dropped: false }] }); // prettier-ignore
  });
});
