/** Repositories of Python's icechunk: every snapshot has the values that Python reads. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type KeyStore, openHierarchy, openStoreFromUrl } from '../../server/zarr/index.js';
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
