/** Datasets with many children and variables: limits of lists. */
import { expect, test } from 'vitest';
import { createGateway } from '../../../server/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { arrayDocument, ask } from '../gateway-client.js';

const group = { zarr_format: 3, node_type: 'group' };

test('more children than a list may contain are rejected, pages of them are not', async () => {
  const wide = createMemoryStore({ label: 'm' });
  const folders = ['', ...Array.from({ length: 101 }, (_, i) => `g${String(i).padStart(3, '0')}/`)];
  for (const folder of folders) await wide.set(`${folder}zarr.json`, Buffer.from(JSON.stringify(group)));
  const limited = createGateway({ stores: [{ name: 'm', store: wide }], limits: { maxFirst: 100 } });
  const children = (args: string) =>
    ask(limited, `{ store(name: "m") { dataset { children${args} { path } } } }`);
  expect((await children('')).errors).toMatchObject([
    { extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxFirst' } },
  ]);
  expect((await children('(first: 100)')).data.store.dataset.children).toHaveLength(100);
  expect((await children('(after: "/g098")')).data.store.dataset.children).toEqual([
    { path: '/g099' },
    { path: '/g100' },
  ]);
  await limited.close();
});

test('variables and coordinates count towards listed nodes each time', async () => {
  const wide = createMemoryStore({ label: 'm' });
  const names = Array.from({ length: 40 }, (_, i) => `v${i}`);
  await wide.set(
    'zarr.json',
    Buffer.from(JSON.stringify({ ...group, attributes: { coordinates: names.join(' ') } })),
  );
  for (const name of names)
    await wide.set(
      `${name}/zarr.json`,
      Buffer.from(JSON.stringify(arrayDocument('int32', [2], { dimension_names: ['x'] }))),
    );
  const limited = createGateway({ stores: [{ name: 'm', store: wide }], limits: { maxListedNodes: 1000 } });
  const variables = (fields: string) =>
    ask(limited, `{ store(name: "m") { dataset { variables { name ${fields} } } } }`);
  expect((await variables('')).errors).toEqual([]);
  for (const fields of ['coordinates { name }', 'slice { coordinates { name } }'])
    expect((await variables(fields)).errors).toContainEqual(
      expect.objectContaining({ extensions: expect.objectContaining({ limit: 'maxListedNodes' }) }),
    );
  await limited.close();
});
