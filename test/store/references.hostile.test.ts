/** References that somebody writes to read other files, to fill the memory, or to stop the gateway. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  isZarrError,
  type KeyStore,
  openStoreFromUrl,
  type OpenStoreOptions,
} from '../../server/zarr/index.js';
import { createMemoryStore } from '../../server/store/memory.js';
import { get } from '../../server/store/define-reading.js';
import { createReferencesStore } from '../../server/store/references.js';
import { text } from '../contracts/store.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { startFileServer } from './file-server.js';

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

/** References to a bucket in memory, below `s3://bucket/archive/`. */
async function storeOf(document: unknown, base = 's3://bucket/refs/'): Promise<KeyStore> {
  const archive = createMemoryStore({ label: 'archive' });
  for (const key of ['file', 'a%2fb', 'x y', 'q?r#s']) await archive.set(key, text('0123456789'));
  const files = createMemoryStore({ label: 'files' });
  await files.set(
    'refs.json',
    typeof document === 'string' ? text(document) : text(JSON.stringify(document)),
  );
  const virtual = [{ prefix: 's3://bucket/archive/', store: archive }];
  const store = createReferencesStore({ label: 'refs', files, key: 'refs.json', base, virtual, maxAgeMs: 0 });
  opened.push(store);
  return store;
}

const denied = { code: 'STORE_DENIED' };
const invalid = { code: 'INVALID_METADATA' };

describe('addresses', () => {
  test.each([
    ['a prefix that is the beginning of a name', 's3://bucket/archive-prod/file', denied],
    ['the same without a slash', 's3://bucket/archive', denied],
    ['another bucket', 's3://bucket-prod/archive/file', denied],
    ['a bucket as user', 's3://bucket@evil/archive/file', denied],
    ['another scheme', 'https://bucket/archive/file', denied],
    ['a file of this machine', 'file:///etc/passwd', denied],
    ['a path of this machine', '/etc/passwd', denied],
    ['a file on another machine', 'file://host/bucket/archive/file', denied],
    ['a local name', 'local:///etc/passwd', denied],
    ['the metadata service', 'http://169.254.169.254/latest/meta-data', denied],
    ['this machine', 'http://127.0.0.1:6379/', denied],
    ['an unknown scheme', 'memory://archive/file', denied],
    ['a scheme without slashes', 's3:bucket/archive/file', denied],
    ['a path above the prefix', 's3://bucket/archive/../secret', invalid],
    ['an encoded path above it', 's3://bucket/archive/%2e%2e/secret', 'absent'],
    ['an empty part', 's3://bucket/archive//file', invalid],
    ['a backslash', 's3://bucket/archive/..\\secret', invalid],
    ['a null character', 's3://bucket/archive/\0', invalid],
    ['no text', 5, invalid],
    ['null', null, invalid],
    ['a very long address', `s3://bucket/archive/${'a'.repeat(9000)}`, invalid],
    ['a lone surrogate', 's3://bucket/archive/\ud800', invalid],
    ['a relative path above the bucket', '../../../../etc/passwd', denied],
    ['a relative path beside the prefix', '../secret/file', denied],
    ['an address of the vcc scheme', 'vcc://archive/file', denied],
  ])('%s', async (_, url, outcome) => {
    const store = await storeOf({ version: 1, refs: { k: [url, 0, 1], whole: [url] } });
    for (const key of ['k', 'whole'])
      if (typeof outcome === 'string') await expect(get(store, key)).rejects.toThrow(/does not exist/);
      else await expect(get(store, key), key).rejects.toMatchObject(outcome);
  });

  test.each(['a%2fb', 'x y', 'q?r#s'])('%j is a name and no encoding', async (name) => {
    const store = await storeOf({ version: 1, refs: { k: [`s3://bucket/archive/${name}`, 2, 3], r: [`../archive/${name}`, 3, 1] } }); // prettier-ignore
    expect((await get(store, 'k'))?.bytes).toEqual(text('234'));
    expect((await get(store, 'r'))?.bytes).toEqual(text('3'));
  });

  test('messages contain neither names nor queries', async () => {
    const url = 'https://user:word@data.example/folder/secret.nc?token=secret';
    const store = await storeOf({ version: 1, refs: { k: [url, 0, 1] } });
    const message: unknown = await get(store, 'k').catch((error: unknown) => error);
    expect(String(message)).toMatch(/below https:\/\/data\.example\/folder\/,/);
    expect(String(message)).not.toMatch(/secret|word/);
  });

  test('a link in an allowed folder does not lead out of it', async () => {
    const root = folderOfTest('links');
    mkdirSync(join(root, 'data'));
    writeFileSync(join(root, 'secret'), 'secret');
    symlinkSync('../secret', join(root, 'data/link'));
    writeFileSync(join(root, 'refs.json'), JSON.stringify({ version: 1, refs: { k: ['data/link', 0, 1] } }));
    const store = openStoreFromUrl('refs', `references+file:${join(root, 'refs.json')}?prefix=./data/`);
    opened.push(store);
    await expect(get(store, 'k')).rejects.toMatchObject(denied);
  });

  test('without a prefix, nothing outside of the references is read, even beside them', async () => {
    const root = folderOfTest('beside');
    writeFileSync(join(root, 'file'), 'beside');
    writeFileSync(
      join(root, 'refs.json'),
      JSON.stringify({ version: 1, refs: { k: ['file', 0, 1], i: 'x' } }),
    );
    const store = openStoreFromUrl('refs', `references+file:${join(root, 'refs.json')}`);
    opened.push(store);
    expect((await get(store, 'i'))?.bytes).toEqual(text('x'));
    await expect(get(store, 'k')).rejects.toMatchObject(denied);
  });

  test('redirects to other servers of this network are refused', async () => {
    const other = await startFileServer({ file: text('secret') });
    const server = await startFileServer({ file: text('') });
    onTestFinished(async () => void (await Promise.all([other.close(), server.close()])));
    server.faults.push((_request, response) => {
      response.writeHead(302, { location: `${other.url}/file` }).end();
      return true;
    });
    const root = folderOfTest('redirect');
    writeFileSync(
      join(root, 'refs.json'),
      JSON.stringify({ version: 1, refs: { k: [`${server.url}/file`, 0, 1] } }),
    );
    const store = openStoreFromUrl(
      'refs',
      `references+file:${join(root, 'refs.json')}?prefix=${server.url}/`,
    );
    opened.push(store);
    await expect(get(store, 'k')).rejects.toMatchObject(denied);
    expect(other.log).toEqual([]);
  });
});

describe('numbers', () => {
  test.each([
    ['a negative offset', '[-1,1]'],
    ['a negative length', '[0,-1]'],
    ['an offset beyond 2^53', '[9007199254740992,1]'],
    ['a length beyond 2^53', '[0,9007199254740992]'],
    ['a sum beyond 2^53', '[9007199254740991,1]'],
    ['an offset of 64 bits', '[18446744073709551615,1]'],
    ['a fraction', '[0.5,1]'],
    ['text', '["0","1"]'],
    ['null', '[null,null]'],
    ['infinity', '[Infinity,1]'],
    ['not a number', '[NaN,1]'],
    ['one number', '[0]'],
    ['four entries', '[0,1,2]'],
  ])('%s', async (_, numbers) => {
    const store = await storeOf(`{"refs":{"k":["s3://bucket/archive/file",${numbers.slice(1)}}}`);
    await expect(get(store, 'k')).rejects.toMatchObject(invalid);
  });

  test('a part far outside of the file, and one of petabytes', async () => {
    const store = await storeOf({ refs: { far: ['s3://bucket/archive/file', 2 ** 52, 1], large: ['s3://bucket/archive/file', 0, 2 ** 52] } }); // prettier-ignore
    await expect(get(store, 'far')).rejects.toThrow(/shorter/);
    await expect(get(store, 'large')).rejects.toThrow(/shorter/);
    await expect(get(store, 'large', { maxBytes: 1000 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('documents', () => {
  test.each([
    ['no JSON', 'nothing', invalid],
    ['a list', '[]', invalid],
    ['an empty file', '', invalid],
    ['the end within the references', '{"version":1,"refs":{"k":["a",1', invalid],
    ['something after them', '{"refs":{"k":"x"}} x', invalid],
    ['version 2', '{"version":2,"refs":{"k":"x"}}', { code: 'UNSUPPORTED' }],
    ['a version without references', '{"version":1}', invalid],
    [
      'generated references',
      '{"version":1,"gen":[{"key":"a{{i}}","url":"b"}],"refs":{}}',
      { code: 'UNSUPPORTED' },
    ],
    ['templates that are no object', '{"version":1,"templates":[],"refs":{}}', invalid],
    ['templates that are no text', '{"version":1,"templates":{"a":{}},"refs":{}}', invalid],
    ['too many templates', JSON.stringify({ templates: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [i, ''])), refs: {} }), invalid], // prettier-ignore
    ['a repeated key', '{"refs":{"k":"x","k":"y"}}', invalid],
    ['references twice', '{"refs":{"k":"x"},"refs":{"k":"y"}}', { code: 'INVALID_METADATA' }],
    ['deep nesting', `{"refs":{"k":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`, invalid],
    ['invalid base64', '{"refs":{"k":"base64:a*b"}}', invalid],
    ['a number', '{"refs":{"k":5}}', invalid],
    ['null', '{"refs":{"k":null}}', invalid],
    ['a large value', `{"refs":{"k":"${'a'.repeat(40 * 2 ** 20)}"}}`, { code: 'LIMIT_EXCEEDED' }],
  ])('%s', async (_, document, error) => {
    await expect(get(await storeOf(document), 'k')).rejects.toMatchObject(error);
  });

  test('templates do not expand again, nor without end', async () => {
    const templates = { a: 'x'.repeat(1000), b: '{{b}}{{b}}', c: '{{d}}', d: '{{c}}' };
    const store = await storeOf({ version: 1, templates, refs: { long: ['{{a}}'.repeat(1000), 0, 1], b: ['{{b}}', 0, 1], c: ['{{c}}', 0, 1] } }); // prettier-ignore
    await expect(get(store, 'long')).rejects.toMatchObject(invalid);
    for (const key of ['b', 'c'])
      await expect(get(store, key)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  test('an invalid document of one node is an error of this node', async () => {
    const store = await storeOf({
      refs: { '.zgroup': '{"zarr_format":2}', 'a/.zarray': '{', 'b/.zgroup': '{"zarr_format":2}' },
    });
    const consolidated = await get(store, '.zmetadata');
    expect(JSON.parse(Buffer.from(consolidated?.bytes ?? []).toString())).toEqual({
      zarr_consolidated_format: 1,
      metadata: { '.zgroup': { zarr_format: 2 }, 'a/.zarray': null, 'b/.zgroup': { zarr_format: 2 } },
    });
  });

  test('members named like properties of objects are ordinary', async () => {
    const store = await storeOf('{"refs":{"__proto__":"x","constructor":"y"}}');
    expect((await get(store, '__proto__'))?.bytes).toEqual(text('x'));
    expect(await get(store, 'toString')).toBeUndefined();
  });
});

describe('damaged documents', () => {
  const codes = new Set(['INVALID_METADATA', 'UNSUPPORTED', 'LIMIT_EXCEEDED', 'STORE_DENIED', 'BAD_INPUT']);
  test.each(['kerchunk_h5py.json', 'templates.json', 'virtualizarr.json'])(
    '%s with changed bytes',
    async (name) => {
      const original = readFileSync(join(fixtures, 'references/sets', name));
      let seed = 1;
      const random = (below: number): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % below;
      };
      const seen = new Set<string>();
      for (let round = 0; round < 300; round++) {
        const changed = Buffer.from(original);
        for (let change = 0; change <= random(3); change++)
          changed[random(changed.length)] = Buffer.from('"{}[],:\\0a/.-\0\xff', 'latin1')[random(15)] ?? 0;
        const cut = random(4) === 0 ? changed.subarray(0, random(changed.length)) : changed;
        const files = createMemoryStore({ label: 'files' });
        await files.set('refs.json', cut);
        const store = createReferencesStore({ label: 'r', files, key: 'refs.json', base: 's3://x/', virtual: [], maxAgeMs: 0 }); // prettier-ignore
        try {
          const keys: string[] = [];
          for await (const { key } of store.walk('')) keys.push(key);
          await store.list('');
          for (const key of keys) await get(store, key);
          seen.add('intact');
        } catch (error) {
          if (!isZarrError(error) || !codes.has(error.code)) throw error;
          seen.add(error.code);
        }
        await store.close();
      }
      expect(seen).toContain('INVALID_METADATA');
    },
  );

  test('compressed documents that are damaged, or expand to gigabytes', async () => {
    for (const [bytes, code] of [
      [gzipSync(Buffer.alloc(300 * 2 ** 20, 0x20)), 'LIMIT_EXCEEDED'],
      [zstdCompressSync(Buffer.alloc(300 * 2 ** 20, 0x20)), 'LIMIT_EXCEEDED'],
      [gzipSync('{}').subarray(0, 12), 'INVALID_METADATA'],
      [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]), 'INVALID_METADATA'],
    ] as const) {
      const files = createMemoryStore({ label: 'files' });
      await files.set('refs.json', bytes);
      const store = createReferencesStore({ label: 'r', files, key: 'refs.json', base: 's3://x/', virtual: [], maxAgeMs: 0 }); // prettier-ignore
      opened.push(store);
      await expect(get(store, 'k')).rejects.toMatchObject({ code });
    }
  });
});

describe('options', () => {
  test.each([
    ['s3://bucket', /must end with a slash/],
    ['../', /must begin with/],
    ['/etc/', /must begin with/],
    ['./../', /must have the path/],
    ['ftp://host/', /must begin with/],
    ['https://user@host/', /name or password/],
  ])('the prefix %j is refused', (prefix, message) => {
    const open = (url: string, options?: OpenStoreOptions): KeyStore =>
      openStoreFromUrl('refs', url, options);
    expect(() => open(`references+file:/nowhere/refs.json?prefix=${encodeURIComponent(prefix)}`)).toThrow(
      message,
    );
    expect(() => open('references+file:/nowhere/refs.json', { virtualChunks: [{ prefix }] })).toThrow(
      message,
    );
  });

  test.each([
    ['references+ftp://host/a.json', /unsupported URL scheme/],
    ['references+file:a.json?other=1', /must be \?prefix=/],
    ['references+s3://bucket', /must name a JSON file/],
    ['references+https://', /must have the form/],
    ['references+file://host/a.json', /must be local/],
    ['references+https://host/%', /percent-encoding/],
  ])('the address %j is refused', (address, message) => {
    expect(() => openStoreFromUrl('refs', address)).toThrow(message);
  });

  test('files that are no references are named', async () => {
    const root = folderOfTest('none');
    writeFileSync(join(root, 'a.nc'), readFileSync('package.json'));
    const store = openStoreFromUrl('refs', `references+file:${join(root, 'none.json')}`);
    opened.push(store);
    await expect(get(store, 'k')).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('no references') }); // prettier-ignore
  });
});
