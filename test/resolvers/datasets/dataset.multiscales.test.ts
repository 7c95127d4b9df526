/** Pyramids of groups and of arrays through the gateway. */
import { expect, test } from 'vitest';
import type { CallerRights } from '../../../server/index.js';
import { arrayDocument, ask, memoryGateway } from '../gateway-client.js';

const group = (attributes: object = {}) => ({ zarr_format: 3, node_type: 'group', attributes });
const variable = (size: number) => arrayDocument('int8', [size], { dimension_names: ['x'] });

const levelFields = 'path scale array { path shape } group { path } dataset { dimensions { name size } }';
const query = (fields: string) => `{ store(name: "m") { group { multiscales { ${fields} } } } }`;

test('group levels have group and dataset, array levels have array', async () => {
  const layout = [
    { asset: '0' },
    { asset: '1', derived_from: '0', transform: { scale: [2] } },
    { asset: '2/t', derived_from: '1', transform: { scale: [2] } },
  ];
  const gateway = await memoryGateway({
    'zarr.json': group({ multiscales: { layout }, 'spatial:dimensions': ['x'] }),
    ...{ '0/zarr.json': group(), '0/t/zarr.json': variable(8), '1/zarr.json': group() },
    ...{ '1/t/zarr.json': variable(4), '2/zarr.json': group(), '2/t/zarr.json': variable(2) },
  });
  const { data, errors } = await ask(gateway, query(`convention axes { name } levels { ${levelFields} }`));
  expect(errors).toEqual([]);
  const level = (path: string, scale: number, size: number) => ({
    ...{ path, scale: [scale], array: null, group: { path } },
    dataset: { dimensions: [{ name: 'x', size }] },
  });
  expect(data.store.group.multiscales).toEqual([
    {
      ...{ convention: 'ZARR_LAYOUT', axes: [{ name: 'x' }] },
      levels: [
        level('/0', 1, 8),
        level('/1', 2, 4),
        { path: '/2/t', scale: [4], array: { path: '/2/t', shape: [2] }, group: null, dataset: null },
      ],
    },
  ]);
});

test('a missing level is an error of that level', async () => {
  const datasets = [{ path: '0' }, { path: '1' }];
  const gateway = await memoryGateway({
    ...{ 'zarr.json': group({ multiscales: [{ datasets }] }), '1/zarr.json': group() },
    '1/t/zarr.json': variable(4),
  });
  const { data, errors } = await ask(gateway, query('levels { array { path } group { path } }'));
  expect(data.store.group.multiscales[0].levels).toEqual([
    { array: null, group: null },
    { array: null, group: { path: '/1' } },
  ]);
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
});

test('levels that a caller may not read do not exist', async () => {
  const rights: CallerRights = {
    mayRead: (_, path) => path === '/' || path.startsWith('/open'),
    mayEnter: (_, path) => path === '/' || path.startsWith('/open'),
    mayWrite: () => false,
  };
  const datasets = [{ path: 'open' }, { path: 'closed' }];
  const gateway = await memoryGateway({
    'zarr.json': group({ multiscales: [{ version: '0.2', datasets }] }),
    ...{ 'open/zarr.json': variable(4), 'closed/zarr.json': variable(4) },
  });
  const { data, errors } = await gateway.execute(
    { document: query('levels { array { path } group { path } }') },
    rights,
  );
  expect(JSON.parse(JSON.stringify(data)).store.group.multiscales[0].levels).toEqual([
    { array: { path: '/open' }, group: null },
    { array: null, group: null },
  ]);
  expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
});

test('nested pyramids are limited', async () => {
  const layout = Array.from({ length: 100 }, (_, i) => ({ asset: i === 0 ? '.' : `x${i}` }));
  const many = Array.from({ length: 100 }, (_, i) => [`x${i}/zarr.json`, group({ multiscales: { layout } })]);
  const gateway = await memoryGateway(
    {
      'zarr.json': group({ multiscales: { layout } }),
      ...Object.fromEntries(many),
    },
    { limits: { maxComplexity: 5000 } },
  );
  const deep = query('levels { group { multiscales { levels { path } } } }');
  const { errors } = await ask(gateway, deep);
  expect(errors.some(({ extensions }) => extensions['code'] === 'LIMIT_EXCEEDED')).toBe(true);
});
