/** Repositories of Python's icechunk: every snapshot has the values that Python reads. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/index.js';
import { createGateway, fullAccess } from '../../server/index.js';
import {
  type KeyStore,
  openHierarchy,
  openStoreFromUrl,
  type OpenStoreOptions,
} from '../../server/zarr/index.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);
const python = await findPython('icechunk');

interface Contents {
  readonly attributes: unknown;
  readonly arrays: Readonly<Record<string, { readonly shape: number[]; readonly data: string }>>;
}

interface Repository {
  readonly snapshots: Readonly<Record<string, Contents>>;
  readonly ids: { readonly first: string; readonly second: string; readonly third: string };
  readonly history: readonly {
    readonly id: string;
    readonly message: string;
    readonly parent: string | null;
  }[];
}

async function write(): Promise<Repository> {
  const command = 'command' in python ? python.command : '';
  const { stdout } = await runScript(command, 'write_icechunk.py', [join(folder, 'repository')]);
  // The library writes warnings to stdout, too.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const opened: KeyStore[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
});

function open(query = ''): KeyStore {
  const store = openStoreFromUrl('ice', `icechunk+file:${join(folder, 'repository')}${query}`);
  opened.push(store);
  return store;
}

async function contentsOf(store: KeyStore): Promise<Contents> {
  const hierarchy = openHierarchy(store);
  const arrays: Record<string, { shape: number[]; data: string }> = {};
  for await (const { path, kind } of hierarchy.walk('/', { recursive: true })) {
    if (kind !== 'array') continue;
    const array = await hierarchy.array(path);
    const block = await array.select('...').read();
    if (!('bytes' in block)) throw new Error(`${path} has values of variable length`);
    arrays[path] = { shape: [...block.shape], data: Buffer.from(block.bytes).toString('base64') };
  }
  return { attributes: (await hierarchy.group('/')).meta.attributes, arrays };
}

describe.skipIf('missing' in python)('icechunk', async () => {
  const repository = 'missing' in python ? undefined : await write();
  const names = Object.keys(repository?.snapshots ?? {});

  test.each(names)('every array of %s', async (name) => {
    const query =
      name === 'main' ? '' : name === 'dev' ? '?branch=dev' : name === 'v1' ? '?tag=v1' : `?snapshot=${name}`;
    const expected = repository?.snapshots[name];
    const { attributes, arrays } = await contentsOf(open(query));
    expect(attributes).toEqual(expected?.attributes);
    expect(Object.keys(arrays).toSorted()).toEqual(Object.keys(expected?.arrays ?? {}).toSorted());
    for (const [path, { shape, data }] of Object.entries(expected?.arrays ?? {}))
      expect(arrays[path], path).toEqual({ shape, data });
  });

  test('branches, tags, history and differences', async () => {
    const { versions } = open();
    const { first, second, third } = repository?.ids ?? { first: '', second: '', third: '' };
    expect((await versions?.branches())?.toSorted()).toEqual(['dev', 'main']);
    expect(await versions?.tags()).toEqual(['v1']);
    expect(await versions?.resolve({ branch: 'dev' })).toBe(third);
    const history = await versions?.history({ snapshot: second, first: 10 });
    expect(history?.map(({ id, message, parent }) => ({ id, message, parent: parent ?? null }))).toEqual(
      repository?.history,
    );
    const diff = await versions?.diff(first, second);
    expect(diff?.newArrays).toEqual(['/later/new']);
    expect(diff?.deletedArrays).toEqual(['/doomed']);
    expect(diff?.updatedArrays).toContain('/int16');
    expect(diff?.updatedChunks).toContainEqual({ path: '/float64', count: 1, first: [1, 0], last: [1, 0] });
    expect(diff?.updatedChunks).toContainEqual({
      path: '/deep/down/sharded',
      count: 1,
      first: [0, 0],
      last: [0, 0],
    });
  });
});

test.skipIf('missing' in python)('subscribers learn of a commit by Python, with its regions', async () => {
  const at = join(folder, 'watched');
  const command = 'command' in python ? python.command : '';
  await runScript(command, 'write_icechunk.py', [at]);
  const store = openStoreFromUrl('ice', `icechunk+file:${at}`);
  const gateway = createGateway({ stores: [{ name: 'ice', store, watchMs: 100 }] });
  onTestFinished(() => gateway.close());
  const client = createClient({
    url: 'http://localhost/graphql',
    fetch: (url, init) => gateway.fetch(new Request(url, init), fullAccess),
  });
  const changes = client.store('ice').changes()[Symbol.asyncIterator]();
  const first = changes.next();
  // The watch begins with the state that this request sees, or an earlier one.
  await client.query('{ store(name: "ice") { snapshot { id } } }');
  await expect.poll(() => store.versions?.resolve(undefined)).toBeTypeOf('string');
  await runScript(command, 'edit_icechunk.py', [at]);
  const events = [(await first).value, (await changes.next()).value, (await changes.next()).value];
  expect(events).toMatchObject([
    { kind: 'CREATED', path: '/added', region: null },
    { kind: 'RESIZED', path: '/int8', region: null },
    {
      kind: 'DATA',
      path: '/float64',
      region: [
        { start: 3, stop: 6 },
        { start: 4, stop: 8 },
      ],
    },
  ]);
});

interface Virtual {
  readonly prefix: string;
  readonly values: readonly number[];
  readonly data: string;
}

const server = 'missing' in python ? { missing: 'no Python' } : await startS3Server();
afterAll(async () => 'endpoint' in server && server.stop());

/** @param s3 of the store and of the prefix */
async function expectVirtual(
  address: string,
  { prefix, values }: Virtual,
  s3?: OpenStoreOptions['s3'],
): Promise<void> {
  const virtualChunks = [{ prefix, ...(s3 === undefined ? {} : { s3 }) }];
  const store = openStoreFromUrl('ice', address, { virtualChunks, ...(s3 === undefined ? {} : { s3 }) });
  opened.push(store);
  const array = await openHierarchy(store).array('/v');
  const block = await array.select('...').read();
  if (!('bytes' in block)) throw new Error('expected numbers');
  expect([...new Float64Array(block.bytes.slice().buffer)]).toEqual(values);
  const refusing = openStoreFromUrl('ice', address, s3 === undefined ? {} : { s3 });
  opened.push(refusing);
  const refused = (await openHierarchy(refusing).array('/v')).select('...').read();
  await expect(refused).rejects.toMatchObject({
    code: 'STORE_DENIED',
    message: expect.stringContaining(prefix),
  });
}

describe.skipIf('missing' in python)('virtual chunks', () => {
  const command = 'command' in python ? python.command : '';
  const write = async (args: readonly string[]): Promise<Virtual> => {
    const { stdout } = await runScript(command, 'write_virtual.py', args);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };

  test('of a repository in a folder', async () => {
    const at = join(folder, 'virtual');
    await mkdir(at);
    await expectVirtual(`icechunk+file:${at}/repository`, await write([at]));
  });

  test.skipIf('missing' in server)('of a repository in a bucket', async () => {
    if ('missing' in server) return;
    const { endpoint, credentials } = server;
    const bucket = await createBucket(server);
    const { accessKeyId, secretAccessKey } = credentials;
    const written = await write([bucket, endpoint, accessKeyId, secretAccessKey]);
    await storeOn(server, bucket).set('source/data.bin', Buffer.from(written.data, 'hex'));
    const s3 = { endpoint, credentials, region: 'us-east-1' };
    await expectVirtual(`icechunk+s3://${bucket}/repository`, written, s3);
  });
});
