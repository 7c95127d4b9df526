/** A chain of operations has the same result as nested fields, in a batch, and through a link. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute } from '../gateway-client.js';

const store = createMemoryStore({ label: 'm' });
const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
await put('zarr.json', { zarr_format: 3, node_type: 'group' });
const chunk_grid = { name: 'regular', configuration: { chunk_shape: [2, 3] } };
const attributes = { scale_factor: 0.5, add_offset: 3 };
await put(
  'v/zarr.json',
  arrayDocument('int16', [5, 7], { chunk_grid, attributes, dimension_names: ['y', 'x'] }),
);
for (const y of [0, 1, 2])
  for (const x of [0, 2])
    await store.set(
      `v/c/${y}/${x}`,
      Buffer.from(Int16Array.from({ length: 6 }, (_, i) => 100 * y + 10 * x + i).buffer),
    );
await put('x/zarr.json', arrayDocument('int32', [7], { dimension_names: ['x'] }));
await store.set('x/c/0', Buffer.from(Int32Array.of(10, 20, 30, 40, 50, 60, 70).buffer)); // prettier-ignore
await put('s/.zarray', {
  zarr_format: 2,
  shape: [5],
  chunks: [2],
  dtype: [['p', '<i2'], ['q', [['r', '<f4', [3]], ['t', '<i2']]]],
  compressor: null,
  fill_value: null,
  order: 'C',
  filters: null,
}); // prettier-ignore
await store.set('s/0', new Uint8Array(Array.from({ length: 32 }, (_, i) => i)));

const gateway = createGateway({ stores: [{ name: 'm', store }] });
const parts = `values base64 { data } shape href(format: JSON)
  dimensions { name size start step } estimate { chunks requests decodedBytes outputBytes allowed }`;

type Step =
  | { readonly select: object }
  | { readonly field: string }
  | { readonly reduce: object }
  | { readonly coarsen: object };

const types = { select: 'Selection!', field: 'String!' };

/** The call of a step's field, and its variables with their types. */
function fieldOf(
  step: Step,
  i: number,
): { readonly declared: string; readonly call: string; readonly given: object } {
  if ('select' in step)
    return {
      declared: `$v${i}: ${types.select}`,
      call: `slice(select: $v${i})`,
      given: { [`v${i}`]: step.select },
    };
  if ('field' in step)
    return {
      declared: `$v${i}: ${types.field}`,
      call: `field(name: $v${i})`,
      given: { [`v${i}`]: step.field },
    };
  const argumentTypes: Readonly<Record<string, string>> = {
    by: 'Reduction!',
    over: '[String!]',
    skipMissing: 'Boolean! = true',
    to: '[DimSize!]!',
    method: 'CoarsenMethod',
    boundary: 'Boundary! = PARTIAL',
  };
  const [name, members] = 'reduce' in step ? ['reduce', step.reduce] : ['coarsen', step.coarsen];
  const given = Object.entries(members);
  return {
    declared: given.map(([key]) => `$${key}${i}: ${argumentTypes[key] ?? ''}`).join(' '),
    call: `${name}(${given.map(([key]) => `${key}: $${key}${i}`).join(', ')})`,
    given: Object.fromEntries(given.map(([key, value]) => [`${key}${i}`, value])),
  };
}

interface QueryResult {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/**
 * The result, with the file and its validator in place of the link; for a failure, the code and the
 * message.
 */
async function outcomeOf({ data, errors }: QueryResult, slice: unknown): Promise<unknown> {
  if (errors[0] !== undefined) return { message: errors[0].message, code: errors[0].extensions?.code };
  expect(data).not.toBeNull();
  if (typeof slice !== 'object' || slice === null || !('href' in slice)) return expect.fail('no slice');
  const { href, ...shown } = slice;
  const file = await gateway.fetch(new Request(new URL(String(href), 'http://localhost/')), fullAccess);
  expect(file.status).toBe(200);
  const etag = file.headers.get('etag');
  expect(etag).not.toBeNull();
  return { ...shown, file: await file.text(), etag };
}

async function byFields(path: string, decode: boolean, steps: readonly Step[]): Promise<unknown> {
  const calls = steps.map(fieldOf);
  const declared = calls.map((call) => call.declared);
  const nested = calls.reduceRight((inner, { call }) => `next: ${call} { ${inner} }`, parts);
  const [start, ends] = decode
    ? ['dataset(path: "/") { next: variable(name: $path) { next: slice', '} }']
    : ['array(path: $path) { next: slice', '}'];
  const query = `query (${['$path: String!', ...declared].join(', ')}) {
    next: store(name: "m") { next: ${start} { ${nested} } ${ends} }
  }`;
  const variables = Object.assign({}, ...calls.map(({ given }) => given));
  const result = await execute(gateway, query, { path, ...variables });
  let slice: unknown = result.data;
  while (typeof slice === 'object' && slice !== null && 'next' in slice) slice = slice.next;
  return outcomeOf(result, slice);
}

async function byBatch(path: string, decode: boolean, steps: readonly Step[]): Promise<unknown> {
  const query = `query ($requests: [SliceRequest!]!) { slices(requests: $requests) { ${parts} } }`;
  const result = await execute(gateway, query, { requests: [{ store: 'm', path, decode, steps }] });
  return outcomeOf(result, result.data?.slices?.[0]);
}

const bound = fc.integer({ min: -8, max: 8 });
const dim = fc.oneof(
  fc.record({ slice: fc.record({ start: bound, stop: bound, step: fc.constantFrom(-2, -1, 1, 3) }) }),
  fc.record({ slice: fc.constant({}) }),
  fc.record({ index: fc.integer({ min: -2, max: 1 }) }),
  fc.record({ indices: fc.array(fc.integer({ min: -2, max: 1 }), { maxLength: 3 }) }),
);
const label = fc.record({ dim: fc.constant('x'), by: fc.oneof(
  fc.record({ between: fc.record({ from: fc.constantFrom(15, 20), to: fc.constantFrom(50, 60) }) }),
  fc.record({ at: fc.record({ value: fc.constantFrom(20, 40) }) }),
) }); // prettier-ignore
const select = fc.oneof(
  fc.record({ dims: fc.array(dim, { maxLength: 2 }) }),
  fc.record({ text: fc.constantFrom('', '...', '1:', ':, ::-1', '0', '..., 0') }),
  fc.record({ named: fc.array(label, { minLength: 1, maxLength: 1 }) }),
  fc.record({ points: fc.constant([[0, 1], [1, 0]]) }),
); // prettier-ignore
const selecting = fc.record({ select });
const reducing = fc.record({ reduce: fc.record(
  {
    by: fc.constantFrom('MEAN', 'SUM', 'MAX', 'COUNT', 'STD', 'LAST', 'ARGMIN', 'ANY'),
    over: fc.constantFrom(null, ['x'], ['y'], ['0'], ['1'], ['x', 'y'], ['z'], []),
    skipMissing: fc.boolean(),
  },
  { requiredKeys: ['by'] },
) }); // prettier-ignore
const coarsening = fc.record({ coarsen: fc.record(
  {
    to: fc.constantFrom([{ dim: 'x', size: 3 }], [{ dim: 'y', size: 2 }, { dim: 'x', size: 2 }], [{ dim: '0', size: 2 }]),
    method: fc.constantFrom(null, 'MEAN', 'MAX', 'NEAREST', 'MODE'),
    boundary: fc.constantFrom('PARTIAL', 'TRIM'),
  },
  { requiredKeys: ['to'] },
) }); // prettier-ignore
const taking = fc.record({ field: fc.constantFrom('q', 'r', 't', 'p', 'no') });

test.each([
  ['v', false, fc.array(fc.oneof(selecting, reducing, coarsening), { maxLength: 4 })],
  ['v', true, fc.array(fc.oneof(selecting, reducing, coarsening), { maxLength: 4 })],
  ['s', false, fc.array(fc.oneof(selecting, taking), { maxLength: 5 })],
] as const)(
  'random chains on %s (decoded: %s) have equal results as fields, in a batch and through a link',
  async (path, decode, chains) => {
    let successes = 0;
    await fc.assert(
      fc.asyncProperty(chains, async (steps) => {
        const fields = await byFields(path, decode, steps);
        expect(await byBatch(path, decode, steps)).toEqual(fields);
        if (typeof fields === 'object' && fields !== null && 'values' in fields && 'file' in fields) {
          successes += 1;
          expect(JSON.parse(String(fields.file))).toEqual(fields.values);
        }
      }),
      { numRuns: 60 },
    );
    // About a quarter of the random chains have a result: the probability of none among 60 is below 1e-7.
    expect(successes).toBeGreaterThan(0);
  },
);

test('the first selection of an entry counts as a step', async () => {
  const query = `query ($requests: [SliceRequest!]!) { slices(requests: $requests) { ${parts} } }`;
  const first = { store: 'm', path: '/v', select: { text: '1:' }, steps: [{ select: { text: '::2' } }] };
  const result = await execute(gateway, query, { requests: [first] });
  const one = await outcomeOf(result, result.data?.slices?.[0]);
  expect(one).toEqual(await byBatch('v', false, [{ select: { text: '1:' } }, { select: { text: '::2' } }]));
  // An equivalent selection has the same validator.
  expect(await byBatch('v', false, [{ select: { text: '1::2' } }])).toEqual(one);
});

test('steps of a batch are charged and limited', async () => {
  const query = `query ($requests: [SliceRequest!]!) { slices(requests: $requests) { shape } }`;
  const entry = (steps: readonly Step[]) => ({ requests: [{ store: 'm', path: '/v', steps }] });
  const indices = Array.from({ length: 60_000 }, () => 0);
  const wide = [{ select: { dims: [{ indices }] } }, { select: { dims: [{ indices }] } }];
  const limited = createGateway({ stores: [{ name: 'm', store }], limits: { maxPositions: 100_000 } });
  const { errors } = await execute(limited, query, entry(wide));
  expect(errors[0]?.extensions?.code).toBe('LIMIT_EXCEEDED');
  const many = await execute(
    gateway,
    query,
    entry(Array.from({ length: 65 }, () => ({ select: { text: '' } }))),
  );
  expect(many.errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
  const both = await execute(gateway, query, entry([{ select: { text: '' }, field: 'p' }]));
  expect(both.errors[0]?.message).toContain('SliceStep');
});
