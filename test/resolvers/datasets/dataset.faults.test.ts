/** An error of one variable or label does not affect the others. */
import { afterAll, describe, expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway } from '../gateway-client.js';

const bytesOf = (values: Int32Array | Float64Array) => new Uint8Array(values.buffer);
const variable = (shape: number[], names: (string | null)[] | undefined, attributes = {}, type = 'int32') =>
  arrayDocument(type, shape, { attributes, ...(names === undefined ? {} : { dimension_names: names }) });

describe('errors are reported on the variable', async () => {
  const gateway = await memoryGateway({
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes: { coordinates: 'label', title: 't' } },
    'x/zarr.json': variable([3], ['x']),
    'x/c/0': bytesOf(Int32Array.of(30, 10, 20)),
    'good/zarr.json': variable([3], ['x'], { coordinates: 'aux none', bounds: 'good_bnds' }),
    'good/c/0': bytesOf(Int32Array.of(1, 2, 3)),
    'good_bnds/zarr.json': variable([3, 2], ['x', 'nv']),
    'aux/zarr.json': variable([3], ['x'], { long_name: 'beside' }),
    'aux/c/0': bytesOf(Int32Array.of(7, 8, 9)),
    'label/zarr.json': variable([], []),
    'nameless/zarr.json': variable([3], undefined),
    'half_named/zarr.json': variable([3, 2], ['x', null]),
    'longer/zarr.json': variable([4], ['x']),
    'scaled/zarr.json': variable([3], ['x'], { scale_factor: 'two' }),
    'scaled/c/0': bytesOf(Int32Array.of(4, 5, 6)),
    'when/zarr.json': variable([3], ['x'], { units: 'days since 2000-01-01', calendar: 'martian' }),
    'when/c/0': bytesOf(Int32Array.of(4, 5, 6)),
    'broken/zarr.json': { zarr_format: 3, node_type: 'array', shape: 'none' },
  });
  afterAll(() => gateway.close());
  const dataset = async (fields: string) => {
    const { data, errors } = await execute(gateway, `{ store(name: "m") { dataset { ${fields} } } }`);
    const shown = errors.map(({ path, extensions, message }) => ({
      at: path?.slice(2).join('.'),
      code: extensions['code'],
      path: extensions['path'],
      message,
    }));
    return { dataset: data.store.dataset, errors: shown };
  };

  test('invalid variables are null', async () => {
    const { dataset: found, errors } = await dataset('variables { name kind }');
    const names = [
      'aux',
      'broken',
      'good',
      'good_bnds',
      'half_named',
      'label',
      'longer',
      'nameless',
      'scaled',
      'when',
      'x',
    ];
    const none = ['broken', 'half_named', 'longer', 'nameless'];
    const coordinates = ['aux', 'label', 'x'];
    expect(found.variables).toEqual(
      names.map((name) =>
        none.includes(name) ? null : { name, kind: coordinates.includes(name) ? 'COORDINATE' : 'DATA' },
      ),
    );
    expect(errors.map(({ at, code, path }) => [at, code, path])).toEqual(
      none.map((name) => [`variables.${names.indexOf(name)}`, 'INVALID_METADATA', `/${name}`]),
    );
    expect(errors[1]?.message).toContain('dimension_names');
    expect(errors[2]?.message).toContain('4 elements along "x", but the dataset has 3');
  });

  test('the other variables are returned', async () => {
    const { dataset: found, errors } = await dataset(
      `dimensions { name size coordinate { name } }
      good: variable(name: "good") { coordinates { name } bounds { name boundsOf } slice(select: {named: [{dim: "x", by: {at: {value: 10}}}]}) {
        values coordinates { name values attributes } } }`,
    );
    expect(errors).toEqual([]);
    expect(found.dimensions).toEqual([
      { name: 'x', size: 3, coordinate: { name: 'x' } },
      { name: 'nv', size: 2, coordinate: null },
    ]);
    expect(found.good.bounds).toEqual({ name: 'good_bnds', boundsOf: 'good' });
    expect(found.good.coordinates).toEqual([{ name: 'aux' }, { name: 'label' }, { name: 'x' }]);
    expect(found.good.slice).toEqual({
      values: 2,
      coordinates: [
        { name: 'x', values: 10, attributes: {} },
        { name: 'aux', values: 8, attributes: { long_name: 'beside' } },
        { name: 'label', values: 0, attributes: {} },
      ],
    });
  });

  test.each([
    ['scaled', 'INVALID_METADATA', 'scale_factor'],
    ['when', 'INVALID_METADATA', 'martian'],
  ])('%s cannot be decoded, but its stored values are returned', async (name, code, mentions) => {
    const { dataset: found, errors } = await dataset(
      `variable(name: "${name}") { name shape attributes slice { values } stored: slice(decode: false) { values } }
      good: variable(name: "good") { slice { values } }`,
    );
    expect(found.variable).toMatchObject({ name, shape: [3], slice: null, stored: { values: [4, 5, 6] } });
    expect(found.good.slice.values).toEqual([1, 2, 3]);
    expect(errors).toMatchObject([{ at: 'variable.slice', code, path: `/${name}` }]);
    expect(errors[0]?.message).toContain(mentions);
  });

  test.each<[string, string, string]>([
    ['{dim: "x", by: {at: {value: 10, method: NEAREST}}}', 'BAD_SELECTION', 'not sorted'],
    ['{dim: "x", by: {between: {from: 10, to: 20}}}', 'BAD_SELECTION', 'not sorted'],
    [
      '{dim: "x", by: {at: {value: 11}}}',
      'BAD_SELECTION',
      '3 labels from 10 to 30, unsorted; the nearest are 10 and 20',
    ],
    ['{dim: "nv", by: {at: {value: 1}}}', 'BAD_SELECTION', 'no coordinate'],
    ['{dim: "X", by: {index: 1}}', 'BAD_SELECTION', 'the nearest names are "x"'],
    ['{dim: "x", by: {index: 3}}', 'BAD_SELECTION', 'out of range'],
    ['{dim: "x", by: {chunk: 0}}', 'BAD_SELECTION', 'chunks cannot be selected'],
    ['{dim: "x", by: {index: 1}}, {dim: "x", by: {index: 2}}', 'BAD_SELECTION', 'selected twice'],
  ])('select(named: [%s]) is rejected', async (named, code, mentions) => {
    const { dataset: found, errors } = await dataset(`select(named: [${named}]) { path } attributes`);
    expect(found).toEqual({ select: null, attributes: { title: 't' } });
    expect(errors).toMatchObject([{ at: 'select', code, path: '/' }]);
    expect(errors[0]?.message).toContain(mentions);
  });

  test('positions of a nested part are relative to it', async () => {
    const { dataset: found, errors } = await dataset(
      `select(named: [{dim: "x", by: {values: [20, 30]}}]) { dimensions { size } select(named: [{dim: "x", by: {index: 0}}]) {
        dimensions { name } variable(name: "good") { slice { values } } gone: select(named: [{dim: "x", by: {index: 0}}]) { path } }
        variable(name: "good") { slice(select: {dims: [{at: {value: 30}}]}) { values } } }`,
    );
    expect(found.select.dimensions).toEqual([{ size: 2 }, { size: 2 }]);
    expect(found.select.select).toEqual({
      dimensions: [{ name: 'nv' }],
      variable: { slice: { values: 3 } },
      gone: null,
    });
    expect(found.select.variable.slice.values).toBe(1);
    expect(errors[0]?.message).toContain('the dimension "x" no longer exists');
  });

  test('unknown names are errors that suggest names', async () => {
    const { dataset: found, errors } = await dataset(
      'variable(name: "goof") { name } variables(names: ["x", "goot"]) { name }',
    );
    expect(found).toEqual({ variable: null, variables: [{ name: 'x' }, null] });
    expect(errors).toMatchObject([
      { at: 'variable', code: 'NOT_FOUND' },
      { at: 'variables.1', code: 'NOT_FOUND' },
    ]);
    for (const { message } of errors) expect(message).toContain('"good"');
  });
});

describe('labels on arrays', async () => {
  const gateway = await memoryGateway({
    'zarr.json': arrayDocument('int32', [2], { dimension_names: ['x'] }),
    'g/zarr.json': { zarr_format: 3, node_type: 'group' },
    'g/x/zarr.json': variable([2], ['x']),
    'g/x/c/0': bytesOf(Int32Array.of(5, 6)),
    'g/other/zarr.json': variable([2], undefined),
    'g/longer/zarr.json': variable([3], ['x']),
    'g/deep/zarr.json': { zarr_format: 3, node_type: 'group' },
    'g/deep/v/zarr.json': variable([2], ['x']),
    'g/deep/v/c/0': bytesOf(Int32Array.of(50, 60)),
    'loose/v/zarr.json': variable([2], ['x']),
  });
  afterAll(() => gateway.close());

  test.each([
    ['/', 'no coordinate'],
    ['/loose/v', 'no coordinate'],
    ['/g/other', 'an unnamed dimension has no coordinate'],
    ['/g/longer', 'has 2 labels, but this slice has 3 elements'],
  ])('a label on the array %s is rejected', async (path, mentions) => {
    const { data, errors } = await execute(
      gateway,
      `query ($path: String!) { store(name: "m") { array(path: $path) { slice(select: {dims: [{at: {value: 5}}]}) { shape }
        whole: slice { coordinates { name } } } } }`,
      { path },
    );
    expect(data.store.array).toEqual({ slice: null, whole: { coordinates: [] } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_SELECTION', path } }]);
    expect(errors[0]?.message).toContain(mentions);
  });

  test('a label is looked up in the coordinate of a parent group', async () => {
    const { data, errors } = await execute(
      gateway,
      '{ store(name: "m") { array(path: "g/deep/v") { slice(select: {dims: [{at: {value: 6}}]}) { values coordinates { name values } } } } }',
    );
    expect(errors).toEqual([]);
    expect(data.store.array.slice).toEqual({ values: 60, coordinates: [{ name: 'x', values: 6 }] });
  });
});

describe('an invalid array with the name of a dimension', async () => {
  const gateway = await memoryGateway({
    'zarr.json': { zarr_format: 3, node_type: 'group' },
    'v/zarr.json': variable([2, 3], ['t', 'x']),
    'x/zarr.json': { zarr_format: 3, node_type: 'array', shape: 'none' },
    't/zarr.json': variable([2], ['t'], { units: 'days since 2000-01-01', calendar: 'martian' }),
  });
  afterAll(() => gateway.close());

  test.each(['x', 't'])('%s: selecting a label fails with the error of the array', async (dim) => {
    const { data, errors } = await execute(
      gateway,
      `{ store(name: "m") { dataset {
        select(named: [{dim: "${dim}", by: {at: {value: 1}}}]) { path }
        variable(name: "v") { slice(select: {named: [{dim: "${dim}", by: {at: {value: 1}}}]}) { shape } } } } }`,
    );
    expect(data.store.dataset).toEqual({ select: null, variable: { slice: null } });
    const wrong = { extensions: { code: 'INVALID_METADATA', path: `/${dim}` } };
    expect(errors).toMatchObject([wrong, wrong]);
  });

  test('a coordinate that cannot be decoded has its stored data type and no values; the slice is returned', async () => {
    const { data, errors } = await execute(
      gateway,
      '{ store(name: "m") { array(path: "v") { slice { shape coordinates { name dtype { name } values } } } } }',
    );
    expect(data.store.array.slice).toEqual({
      shape: [2, 3],
      coordinates: [{ name: 't', dtype: { name: 'int32' }, values: null }],
    });
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_METADATA', path: '/t' } }]);
  });
});
