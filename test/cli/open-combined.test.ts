/** Combined stores of the configuration: members by name and by paths, reloads, rights, and mistakes. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStores, type OpenStoresOptions } from '../../server/cli/open-stores.js';
import { ConfigError, parseConfig } from '../../server/config.js';
import { createMetrics } from '../../server/http/metrics.js';
import { createGateway, fullAccess } from '../../server/index.js';
import { createFilesystemStore, defaultLimits, openHierarchy } from '../../server/zarr/index.js';
import { addArray, along } from '../combined/small-members.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { zarrql } from './running.js';

async function folderStore(path: string, labels: readonly number[]): Promise<void> {
  mkdirSync(path, { recursive: true });
  const hierarchy = openHierarchy(createFilesystemStore({ label: 'x', root: path, readonly: false }));
  await hierarchy.createGroup('/');
  for (const [name, array] of Object.entries(along(labels))) await addArray(hierarchy, name, array);
}

async function serve(stores: readonly Record<string, unknown>[], options: OpenStoresOptions = {}) {
  const log: string[] = [];
  const write = (fields: object, message?: string): void => {
    log.push(`${message} ${JSON.stringify(fields)}`);
  };
  const logger = { info: write, warn: write, error: write };
  const opened = await openStores(parseConfig({ stores }), createMetrics(), logger, {}, options);
  const gateway = createGateway({ stores: opened.stores });
  onTestFinished(() => gateway.close());
  const values = async (store: string, caller = fullAccess): Promise<unknown> => {
    const document = `{ store(name: "${store}") { array(path: "v") { slice { values } } } }`;
    const { data, errors } = await gateway.execute({ document }, caller);
    const { store: found } = JSON.parse(JSON.stringify(data));
    return errors?.[0]?.message ?? found?.array.slice.values;
  };
  return { gateway, values, log, opened };
}

test('paths with wildcards find members in folders and archives, and follow changes', async () => {
  const folder = folderOfTest('paths');
  await folderStore(join(folder, 'y2001', 'a.zarr'), [1, 2]);
  await folderStore(join(folder, 'y2002', 'b.zarr'), [5]);
  await folderStore(join(folder, 'y2002', 'other'), [100]);
  mkdirSync(join(folder, 'y2002', 'no.zarr'));
  writeFileSync(join(folder, 'y2002', 'readme.txt'), '');
  const concat = { along: 'time', paths: `${folder}/y*/*.zarr` };
  const { values, log } = await serve([{ name: 'all', kind: 'combined', maxAgeMs: 0, concat }]);
  expect(await values('all')).toEqual([10, 20, 50]);
  await folderStore(join(folder, 'y2003', 'c.zarr'), [9]);
  expect(await values('all')).toEqual([10, 20, 50, 90]);
  rmSync(join(folder, 'y2002'), { recursive: true });
  expect(await values('all')).toEqual([10, 20, 90]);
  await folderStore(join(folder, 'y2004', 'd.zarr'), [2, 3]);
  const problem = await values('all');
  expect(problem).toContain('the labels of "y2001/a.zarr" (1 to 2) and "y2004/d.zarr" (2 to 3) overlap');
  expect(problem).not.toContain(folder);
  expect(log).toEqual([]);
});

test('values of members are read by the engine of the gateway', async () => {
  const folder = folderOfTest('engine');
  await folderStore(join(folder, 'a'), [1, 2, 3]);
  await folderStore(join(folder, 'b'), [4, 5]);
  // The chunks do not align, so that they are computed from values.
  const concat = { along: 'time', paths: `${folder}/*` };
  const engine = { limits: { ...defaultLimits, maxDecodedBytes: 20 } };
  const { values } = await serve([{ name: 'all', kind: 'combined', concat }], { engine });
  expect(await values('all')).toContain('maxDecodedBytes');
});

test('members are stores of the configuration, and combined stores too', async () => {
  const folder = folderOfTest('names');
  for (const [name, labels] of [['a', [1]], ['b', [2]], ['c', [3]]] as const) await folderStore(join(folder, name), labels); // prettier-ignore
  const { values, gateway } = await serve([
    { name: 'all', kind: 'combined', maxAgeMs: 0, concat: { along: 'time', stores: ['c', 'two'] } },
    { name: 'two', kind: 'combined', maxAgeMs: 0, concat: { along: 'time', stores: ['b', 'a'] } },
    { name: 'a', url: join(folder, 'a'), writable: true },
    { name: 'b', url: join(folder, 'b') },
    { name: 'c', url: join(folder, 'c') },
  ]);
  expect(await values('all')).toEqual([10, 20, 30]);
  const append = (store: string) =>
    gateway.execute(
      { document: `mutation { time: appendToArray(input: {store: "${store}", path: "time", values: [1.5]}) { array { shape } } v: appendToArray(input: {store: "${store}", path: "v", values: [15]}) { array { shape } } }` }, // prettier-ignore
      fullAccess,
    );
  expect((await append('a')).errors).toBeUndefined();
  expect(await values('all')).toEqual([10, 15, 20, 30]);
  const refused = await append('two');
  expect(refused.errors?.map(({ message }) => message)).toEqual(
    ['time', 'v'].map(() => expect.stringContaining('combines other stores; write to one of them')),
  );
});

test('rights on the combined store are required, and suffice', async () => {
  const folder = folderOfTest('rights');
  for (const [name, labels] of [['a', [1]], ['b', [2]]] as const) await folderStore(join(folder, name), labels); // prettier-ignore
  const { values } = await serve([
    { name: 'a', url: join(folder, 'a') },
    { name: 'b', url: join(folder, 'b') },
    { name: 'all', kind: 'combined', concat: { along: 'time', stores: ['a', 'b'] } },
  ]);
  const only = (name: string) => {
    const may = (store: string): boolean => store === name;
    return { ...fullAccess, mayRead: may, mayEnter: may };
  };
  expect(await values('all', only('all'))).toEqual([10, 20]);
  expect(await values('all', only('a'))).not.toEqual([10, 20]);
  expect(await values('a', only('all'))).not.toEqual([10]);
});

test('a member that is not available fails the combined store, until it is', async () => {
  const folder = folderOfTest('missing');
  await folderStore(join(folder, 'a'), [1]);
  await folderStore(join(folder, 'kept'), [2]);
  const { values, log, opened } = await serve([
    { name: 'a', url: join(folder, 'a') },
    { name: 'b', url: join(folder, 'b') },
    { name: 'all', kind: 'combined', maxAgeMs: 0, concat: { along: 'time', stores: ['a', 'b'] } },
  ]);
  expect(log.join()).toContain('"store":"all"');
  expect(opened.health.unusable()).toEqual(['b', 'all']);
  expect(await values('a')).toEqual([10]);
  expect(await values('all')).toContain('(store "b"');
  cpSync(join(folder, 'kept'), join(folder, 'b'), { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await values('all')).toEqual([10, 20]);
});

test('the command line reads several stores as one', async () => {
  const folder = folderOfTest('addresses');
  for (const [name, labels] of [['b.zarr', [3]], ['a.zarr', [1, 2]]] as const) await folderStore(join(folder, name), labels); // prettier-ignore
  const run = async (...parts: string[]) => {
    const { code, stdout, stderr } = await zarrql(parts);
    return code === 0 ? stdout.trim() : stderr.trim();
  };
  expect(JSON.parse(await run('get', `concat+${folder}/*.zarr/v?along=time`))).toEqual([10, 20, 30]);
  expect(await run('inspect', `concat+${folder}/*.zarr?along=time`)).toContain('[time 3]');
  expect(await run('get', `concat+${folder}/*.zarr/v`)).toContain(
    'requires the dimension, such as ?along=time',
  );
  expect(await run('get', `merge+${folder}/a.zarr`)).toContain('requires a wildcard');
  expect(await run('get', `concat+${folder}/x*.zarr/v?along=time`)).toContain('no store matches the paths');
});

test.each<[Record<string, unknown>[], string]>([
  [[{ name: 'a', kind: 'combined', concat: { along: 'time', stores: ['a'] } }], '"a" contains itself: "a", "a"'],
  [[{ name: 'a', kind: 'combined', merge: { stores: ['b'] } }, { name: 'b', kind: 'combined', merge: { stores: ['a'] } }], '"a" contains itself: "a", "b", "a"'],
  [[{ name: 'a', url: '/x' }, { name: 'c', kind: 'combined', merge: { stores: ['aa'] } }], '"c" has the unknown member "aa"; did you mean "a"?'],
  [[{ name: 'a', url: '/x' }, { name: 'c', kind: 'combined', merge: { stores: ['a', 'a'] } }], '"c" has the member "a" twice'],
  [[{ name: 'a', url: '/x', discover: {} }, { name: 'c', kind: 'combined', merge: { stores: ['a'] } }], 'which is a folder of stores'],
  [[{ name: 'c', kind: 'combined', concat: { along: 'time' } }], 'stores.0.concat: requires either `stores` or `paths`'],
  [[{ name: 'c', kind: 'combined' }], 'stores.0.kind: a combined store requires either `concat` or `merge`'],
  [[{ name: 'c', kind: 'combined', url: '/x', merge: { paths: '/x/*' } }], 'stores.0.url: a combined store has `concat` or `merge` in place of an address'],
  [[{ name: 'c', kind: 'combined', writable: true, merge: { paths: '/x/*' } }], 'a combined store is read-only'],
  [[{ name: 'c', url: '/x', merge: { paths: '/x/*' } }], 'stores.0.merge: requires `kind: combined`'],
  [[{ name: 'c', kind: 'union', merge: { paths: '/x/*' } }], 'stores.0.kind: expected "combined"'],
  [[{ name: 'c', kind: 'combined', concat: { paths: '/x/*' } }], 'stores.0.concat.along: is missing'],
  [[{ name: 'c' }], 'stores.0.url: expected a path or a URL'],
])('mistake %#', (stores, message) => {
  const parse = () => parseConfig({ stores });
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(message);
}); // prettier-ignore
