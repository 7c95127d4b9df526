/** Python's icechunk reads what zarrql commits, with the same history, and goes on writing it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { type KeyStore, openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
import { defined } from '../../wire/guards.js';
import { createBucket } from '../s3/bucket.js';
import { startS3Server } from '../s3/server.js';
import { findPython, runScript, temporaryFolder } from './python.js';

const { path: folder, remove } = await temporaryFolder();
afterAll(remove);
const python = await findPython('icechunk');

/** Number of commits of each writer that writes at the same time as another one. */
const commits = 12;

interface Contents {
  readonly attributes: unknown;
  readonly arrays: Record<string, { readonly shape: number[]; readonly data: string }>;
}

interface Entry {
  readonly id: string;
  readonly message: string;
  readonly parent: string | null;
}

const opened: KeyStore[] = [];
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()));
});

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

describe.skipIf('missing' in python)('changes', () => {
  const command = 'command' in python ? python.command : '';
  const data = (block: string | undefined) => Buffer.from(block ?? '', 'base64');
  let count = 0;

  interface Found {
    readonly main: Contents;
    readonly v1: Contents;
    readonly dev: Contents;
    readonly history: readonly Entry[];
    readonly branches: readonly string[];
    readonly tags: readonly string[];
    readonly commit: string;
  }

  async function change(where: string): Promise<Found> {
    const { stdout } = await runScript(command, 'change_icechunk.py', [where]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  /** Commits to main and dev by a gateway. */
  async function commit(where: string, isNew: boolean): Promise<void> {
    const store = openStoreFromUrl('ice', `icechunk+file:${where}`, { readonly: false });
    const dev = openStoreFromUrl('dev', `icechunk+file:${where}?branch=dev`, { readonly: false });
    const gateway = createGateway({
      stores: [
        { name: 'ice', store, writable: true },
        { name: 'dev', store: dev, writable: true },
      ],
    });
    const run = async (fields: string): Promise<void> => {
      const { errors } = await gateway.execute({ document: `mutation { ${fields} }` }, fullAccess);
      expect(errors).toBeUndefined();
    };
    const node = (path: string) => `store: "ice", path: "${path}"`;
    if (isNew) await run('createRepository(input: { store: "ice", specVersion: 1 }) { store { name } }');
    const random = Array.from({ length: 5000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 1).join();
    await run(`
      a: createArray(input: { ${node('a')}, shape: [4], chunkShape: [2], dtype: "int32", message: "first" }) { array { path } }
      b: writeSlice(input: { ${node('a')}, values: [1, 2, 3, 4] }) { chunksWritten }
      big: createArray(input: { ${node('deep/big')}, shape: [5000], chunkShape: [2000], dtype: "int32" }) { array { path } }
      values: writeSlice(input: { ${node('deep/big')}, values: [${random}] }) { chunksWritten }
      s: createArray(input: { ${node('sharded')}, shape: [8, 8], chunkShape: [2, 2], shardShape: [4, 4], dtype: "float32" }) { array { path } }
      f: writeSlice(input: { ${node('sharded')}, select: { text: "1:7, 2:5" }, values: 1.5 }) { chunksWritten }
      gone: createGroup(input: { ${node('gone/below')} }) { group { path } }`);
    await run('t: createTag(input: { store: "ice", name: "v1" }) { tag }');
    if (isNew) await run('b: createBranch(input: { store: "ice", name: "dev" }) { branch }');
    await run(`writeSlice(input: { store: "dev", path: "${isNew ? 'a' : 'int8'}", values: 9, message: "on dev" }) { chunksWritten }`); // prettier-ignore
    await run(`
      append: appendToArray(input: { ${node('a')}, values: [5, 6, 7], message: "second" }) { array { path } }
      shrink: resizeArray(input: { ${node('deep/big')}, shape: [2500] }) { array { path } }
      attribute: setAttributes(input: { ${node('/')}, set: { title: "by zarrql" } }) { node { path } }
      delete: deleteNode(input: { ${node('gone')}, recursive: true }) { path }`);
    await gateway.close();
  }

  const ours = async (where: string, query = ''): Promise<Contents> => {
    const store = openStoreFromUrl('ice', `icechunk+file:${where}${query}`);
    opened.push(store);
    return contentsOf(store);
  };

  test.each([
    ['a repository that zarrql created', true],
    ['a repository that Python created', false],
  ])('Python reads %s with the same history, and goes on writing it', async (_, isNew) => {
    const where = join(folder, `changed-${count++}`);
    if (!isNew) {
      await runScript(command, 'write_icechunk.py', [where]);
      const store = openStoreFromUrl('ice', `icechunk+file:${where}`, { readonly: false });
      expect(await store.versions?.tags()).toEqual(['v1']);
      await store.close();
      await rm(join(where, 'refs/tag.v1'), { recursive: true });
    }
    await commit(where, isNew);
    const found = await change(where);
    for (const [query, contents] of [
      ['', found.main],
      ['?tag=v1', found.v1],
      ['?branch=dev', found.dev],
    ] as const) {
      const mine = await ours(where, query);
      if (query === '') {
        expect(data(contents.arrays['/a']?.data)).toEqual(
          Buffer.from(Int32Array.of(1, 2, 3, 4, 5, 6, 7).buffer),
        );
        expect(data(mine.arrays['/a']?.data).readInt32LE()).toBe(100);
        delete mine.arrays['/a'];
        delete contents.arrays['/a'];
        expect(contents.arrays['/deep/big']?.shape).toEqual([2500]);
      }
      expect(mine.attributes).toEqual(contents.attributes);
      expect(Object.keys(mine.arrays).toSorted()).toEqual(Object.keys(contents.arrays).toSorted());
      for (const [path, { shape, data: bytes }] of Object.entries(contents.arrays))
        expect(mine.arrays[path], path).toEqual({ shape, data: bytes });
    }
    expect(found.branches).toEqual(['dev', 'main']);
    expect(found.tags).toEqual(['v1']);
    expect(found.history.map(({ message }) => message).slice(0, 2)).toEqual(['second', 'first']);
    const { versions } = await openedStore(where);
    const head = (await versions?.resolve()) ?? '';
    expect(head).toBe(found.commit);
    const history = await versions?.history({ snapshot: head, first: 100 });
    expect(history?.slice(1).map(({ id, message, parent }) => ({ id, message, parent: parent ?? null }))).toEqual(found.history); // prettier-ignore
  });

  async function openedStore(where: string): Promise<KeyStore> {
    const store = openStoreFromUrl('ice', `icechunk+file:${where}`);
    opened.push(store);
    return store;
  }
});

const server = 'missing' in python ? { missing: 'no Python' } : await startS3Server();
afterAll(async () => 'endpoint' in server && server.stop());

test.skipIf('missing' in server)(
  'Python and zarrql commit to one repository in a bucket at the same time',
  async () => {
    if ('missing' in server) return;
    const { endpoint, credentials } = server;
    const bucket = await createBucket(server);
    const s3 = { endpoint, credentials, region: 'us-east-1' };
    const store = openStoreFromUrl('ice', `icechunk+s3://${bucket}/repository`, { s3, readonly: false });
    opened.push(store);
    const writing = defined(store.versions?.writing);
    await writing.createRepository(1);
    const setup = await writing.begin();
    for (const path of ['/ours', '/theirs'])
      await openHierarchy(setup.store).createArray(path, {
        shape: [commits],
        chunkShape: [1],
        dtype: 'int32',
      });
    await setup.commit('set up');
    const { accessKeyId, secretAccessKey } = credentials;
    const theirs = runScript('command' in python ? python.command : '', 'commit_icechunk.py', [
      ...[bucket, endpoint, accessKeyId, secretAccessKey, String(commits)],
    ]);
    let isOver = false;
    const ended = theirs.finally(() => (isOver = true));
    let count = 0;
    // Until Python has ended, too, so that both write at the same time.
    for (; count < commits || !isOver; count++) {
      const session = await writing.begin();
      const array = await openHierarchy(session.store).array('/ours');
      await array.select(String(count % commits)).write(count + 1);
      await session.commit(`ours ${count}`);
    }
    await ended;
    const { arrays } = await contentsOf(store);
    const numbers = (path: string): readonly number[] => {
      const bytes = Buffer.from(arrays[path]?.data ?? '', 'base64');
      return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i));
    };
    expect(numbers('/theirs')).toEqual(Array.from({ length: commits }, (_, i) => i + 1));
    expect(numbers('/ours').every((value) => value > 0)).toBe(true);
    const { versions } = store;
    const snapshot = defined(await versions?.resolve(undefined, { fresh: true }));
    const history = defined(await versions?.history({ snapshot, first: 1000 }));
    const of = (author: string) => history.filter(({ message }) => message.startsWith(author)).length;
    expect([of('ours'), of('theirs')]).toEqual([count, commits]);
  },
);
