/** Downloads in process: formats, validators, ranges and URLs. */
import { describe, expect, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, execute } from '../resolvers/gateway-client.js';
import { base, sample } from './sample-files.js';

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('file formats', () => {
  test('RAW contains the bytes and states their number', async () => {
    const { link, get } = await sample();
    const response = await get(await link('1:, ::-1', 'RAW'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-length')).toBe('18');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.bin"');
    const bytes = await bytesOf(response);
    expect(bytes).toEqual(Buffer.from(Int16Array.of(12, 11, 10, 22, 21, 20, 0, 0, 0).buffer));
  });

  test('NPY consists of header and bytes', async () => {
    const { link, get } = await sample();
    const response = await get(await link('2'));
    const bytes = await bytesOf(response);
    expect(bytes.toString('latin1')).toContain("{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }");
    expect(bytes.length).toBe(Number(response.headers.get('content-length')));
    expect(bytes.subarray(-6)).toEqual(Buffer.from(Int16Array.of(20, 21, 22).buffer));
  });

  test('CSV has one row per value', async () => {
    const { link, get } = await sample();
    const response = await get(await link('1:3, 1:', 'CSV'));
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(await response.text()).toBe('y,x,value\r\n1,1,11\r\n1,2,12\r\n2,1,21\r\n2,2,22\r\n');
  });

  test('JSON contains nested lists', async () => {
    const { link, get } = await sample();
    const response = await get(await link('1:', 'JSON'));
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual([[10, 11, 12], [20, 21, 22], [0, 0, 0]]); // prettier-ignore
  });

  test.each([
    ['...', 'texts', 'JSON', '["é,\\"x\\"","é,\\"x\\""]'],
    ['...', 'texts', 'CSV', 'dim_0,value\r\n0,"é,""x"""\r\n1,"é,""x"""\r\n'],
    ['...', 'pairs', 'JSON', '{"a":[0,0],"b":[0,0]}'],
    ['...', 'pairs', 'CSV', 'dim_0,a,b\r\n0,0,0\r\n1,0,0\r\n'],
    ['0, 0', 'a', 'JSON', '0'],
    [':0', 'a', 'JSON', '[]'],
    [':, :0', 'a', 'JSON', '[[],[],[],[]]'],
    [':0', 'a', 'CSV', 'y,x,value\r\n'],
    [':0', 'a', 'RAW', ''],
  ])('%s of %s as %s', async (select, path, format, expected) => {
    const { link, get } = await sample();
    expect(await (await get(await link(select, format, path))).text()).toBe(expected);
  });

  test('parts that are read one by one equal a single read', async () => {
    const whole = await sample();
    const numbers = await sample({ limits: { maxOutputBytes: 8, maxChunks: 1, maxDecodedBytes: 16 } });
    const others = await sample({ limits: { maxOutputBytes: 64, maxChunks: 1, maxDecodedBytes: 64 } });
    for (const format of ['NPY', 'RAW', 'CSV', 'JSON'])
      for (const select of ['...', '1:, 1', '::-1, ::2', '3', '2, 2']) {
        const expected = await bytesOf(await whole.get(await whole.link(select, format)));
        expect(await bytesOf(await numbers.get(await numbers.link(select, format)))).toEqual(expected);
      }
    const forms = { texts: ['CSV', 'JSON'], pairs: ['NPY', 'CSV', 'JSON'] };
    for (const [path, format] of Object.entries(forms).flatMap(([path, all]) =>
      all.map((one) => [path, one] as const),
    )) {
      const expected = await bytesOf(await whole.get(await whole.link('...', format, path)));
      expect(await bytesOf(await others.get(await others.link('...', format, path)))).toEqual(expected);
    }
  });

  test('a format that does not support the data type is rejected when the link is created', async () => {
    const { link } = await sample();
    await expect(link('...', 'NPY', 'texts')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(link('...', 'RAW', 'texts')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

describe('validators', () => {
  test('equal values have equal ETags and are not sent again', async () => {
    const { link, get } = await sample();
    const response = await get(await link('...'));
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(response.headers.get('cache-control')).toBe('private, max-age=60');
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await get(await link('...'), { 'if-none-match': given });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
    }
    expect((await get(await link('...'), { 'if-none-match': '"x"' })).status).toBe(200);
  });

  test.each([
    ['a chunk is written', (store: KeyStore) => store.set('a/c/1/0', Buffer.alloc(6, 7))],
    ['a chunk appears', (store: KeyStore) => store.set('a/c/3/0', Buffer.alloc(6))],
    ['a chunk has been deleted', (store: KeyStore) => store.delete(['a/c/0/0'])],
    [
      'the metadata changes',
      (store: KeyStore) =>
        store.set(
          'a/zarr.json',
          Buffer.from(
            JSON.stringify(
              arrayDocument('int16', [4, 3], {
                chunk_grid: { name: 'regular', configuration: { chunk_shape: [1, 3] } },
                fill_value: 5,
              }),
            ),
          ),
        ),
    ],
  ])('the ETag changes when %s', async (_, change) => {
    const { link, get, store } = await sample();
    const href = await link('...', 'RAW');
    const before = (await get(href)).headers.get('etag');
    await change(store);
    const after = await get(href, { 'if-none-match': before ?? '' });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('the ETag differs between selections and formats', async () => {
    const { link, get } = await sample();
    const links = [link('0'), link('1'), link('0, ::-1'), link('0', 'RAW'), link('0', 'CSV'), link('0:1')];
    const tags = await Promise.all(links.map(async (href) => (await get(await href)).headers.get('etag')));
    expect(new Set(tags).size).toBe(links.length);
  });

  test('the ETag does not depend on other data', async () => {
    const { link, get, store } = await sample();
    const href = await link('0', 'RAW');
    const before = (await get(href)).headers.get('etag');
    await store.set('a/c/1/0', Buffer.alloc(6, 7));
    expect((await get(href)).headers.get('etag')).toBe(before);
  });
});

describe('ranges', () => {
  test.each([
    ['bytes=0-3', 0, 4],
    ['bytes=3-10', 3, 11],
    ['bytes=23-', 23, 24],
    ['bytes=-5', 19, 24],
  ])('%s', async (range, from, to) => {
    const { link, get } = await sample();
    const href = await link('...', 'RAW');
    const whole = await bytesOf(await get(href));
    const part = await get(href, { range });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/24`);
    expect(part.headers.get('content-length')).toBe(String(to - from));
    expect(await bytesOf(part)).toEqual(whole.subarray(from, to));
  });

  test('the parts of an interrupted download form the whole file, even across the header', async () => {
    const { link, get } = await sample({ limits: { maxOutputBytes: 6 } });
    const href = await link('...');
    const whole = await get(href);
    const etag = whole.headers.get('etag') ?? '';
    const bytes = await bytesOf(whole);
    for (let at = 0; at <= bytes.length - 1; at += 7) {
      const rest = await get(href, { range: `bytes=${at}-`, 'if-range': etag });
      expect(rest.status).toBe(206);
      expect(Buffer.concat([bytes.subarray(0, at), await bytesOf(rest)])).toEqual(bytes);
    }
  });

  test('a range of a changed file returns the whole file', async () => {
    const { link, get, store } = await sample();
    const href = await link('...', 'RAW');
    const etag = (await get(href)).headers.get('etag') ?? '';
    await store.set('a/c/0/0', Buffer.alloc(6, 7));
    const rest = await get(href, { range: 'bytes=20-', 'if-range': etag });
    expect(rest.status).toBe(200);
    expect((await bytesOf(rest)).length).toBe(24);
  });

  test('a range beyond the end is unsatisfiable', async () => {
    const { link, get } = await sample();
    const response = await get(await link('...', 'RAW'), { range: 'bytes=24-' });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */24');
  });

  test('text formats do not support ranges', async () => {
    const { link, get } = await sample();
    const response = await get(await link('...', 'CSV'), { range: 'bytes=0-3' });
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('none');
  });
});

test('HEAD returns the headers of GET without reading chunks', async () => {
  const { link, get, store } = await sample();
  const href = await link('...');
  const whole = await get(href);
  const getMany = vi.spyOn(store, 'getMany');
  const head = await get(href, {}, 'HEAD');
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  for (const name of ['content-length', 'etag', 'content-type', 'accept-ranges'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name));
  const chunkReads = getMany.mock.calls.flatMap(([requests]) =>
    requests.filter(({ key, range }) => key.includes('/c/') && range === undefined),
  );
  expect(chunkReads).toEqual([]);
});

test('files of slices that decode contain decoded values, others stored values', async () => {
  const store = createMemoryStore({ label: 'm' });
  const set = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const attributes = { scale_factor: 0.5, add_offset: 10, _FillValue: -1 };
  const grid = { chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } } };
  await set('zarr.json', { zarr_format: 3, node_type: 'group', attributes: {} });
  await set('t/zarr.json', arrayDocument('int16', [4], { ...grid, attributes, dimension_names: ['x'] }));
  await store.set('t/c/0', Buffer.from(Int16Array.of(1, -1).buffer));
  const gateway = createGateway({ stores: [{ name: 'm', store }], limits: { maxOutputBytes: 16 } });
  const query = `{ store(name: "m") { dataset { variable(name: "t") {
    slice { dtype { itemSize } json: href(format: JSON) raw: href(format: RAW) } stored: slice(decode: false) { href(format: JSON) } } } } }`;
  const { data } = await execute(gateway, query);
  const { slice, stored } = data.store.dataset.variable;
  const follow = (href: string) => gateway.fetch(new Request(new URL(href, base)), fullAccess);
  expect(await (await follow(slice.json)).json()).toEqual([10.5, 'NaN', 10, 10]);
  expect((await bytesOf(await follow(slice.raw))).length).toBe(4 * slice.dtype.itemSize);
  expect(await (await follow(stored.href)).json()).toEqual([1, -1, 0, 0]);
});

describe('URLs of links', () => {
  test('are relative to the endpoint, or begin with the public URL', async () => {
    expect(await (await sample()).link('...')).toMatch(/^\/files\/[\w-]+\.[\w-]{43}\/a\.npy$/);
    const { link } = await sample({ hrefs: { publicUrl: 'https://example.org/zarr' } });
    expect(await link('...')).toMatch(/^https:\/\/example\.org\/zarr\/files\//);
  });

  test('are relative to an endpoint at another path', async () => {
    const { gateway } = await sample({ path: '/api/graphql' });
    const query = '{ store(name: "m") { array(path: "a") { slice { href(format: JSON) } } } }';
    const result = await gateway.execute({ document: query }, fullAccess);
    const href = String(JSON.parse(JSON.stringify(result)).data.store.array.slice.href);
    expect(href).toMatch(/^\/api\/files\//);
    expect((await gateway.fetch(new Request(new URL(href, base)), fullAccess)).status).toBe(200);
  });
});
