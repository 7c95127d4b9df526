/**
 * Every GraphQL block of the documentation is valid, runs against the sample stores, and returns the next JSON block
 * (after a block of variables, if any). Pages of the reference have results only in the site, from test/golden/docs.json,
 * which ZARRQL_WRITE_GOLDEN=1 writes.
 */
import { decode as decodeCbor2, Tag } from 'cbor2';
import { decode as decodeCborg } from 'cborg';
import { parse, validate } from 'graphql';
import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test, onTestFinished } from 'vitest';
import { createGateway, errorTable, fullAccess } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { findPython, runScript, temporaryFolder } from '../interop/python.js';
import { expectedCbor } from '../resolvers/expected-cbor.js';
import { execute, arrayDocument, folderStore, memoryGateway } from '../resolvers/gateway-client.js';
import { matrixFolder, storedArrays } from '../conformance/matrix.js';
import { type CodeBlock, codeBlocks, readText, sampleStores } from './format-samples.js';

const gateway = sampleStores();
/** The examples of the reference. */
const odd = sampleStores(['coads', 'navy_winds', 'etopo20']);
/** Writable store for mutation examples. */
const scratch = createGateway({
  stores: [{ name: 'scratch', store: createMemoryStore({ label: 'scratch' }), writable: true }],
});
afterAll(() => Promise.all([gateway.close(), odd.close(), scratch.close()]));

type Golden = Record<string, Record<string, unknown>>;
const goldenFile = join(import.meta.dirname, '../golden/docs.json');
const golden: Golden = JSON.parse(readFileSync(goldenFile, 'utf8'));
const written: Golden = {};
const isWriting = process.env['ZARRQL_WRITE_GOLDEN'] !== undefined;
afterAll(() => {
  if (isWriting) writeFileSync(goldenFile, `${JSON.stringify(written, undefined, 1)}\n`);
});

interface Example {
  readonly query: CodeBlock;
  readonly variables: CodeBlock | undefined;
  readonly expected: CodeBlock | undefined;
}

/** The store of an example for a generated schema: "graphql ocean". */
function storeOf({ info }: CodeBlock): string | undefined {
  return /^graphql (coads|ocean|winds)$/.exec(info)?.[1];
}

function examplesOf(file: string): [string, Example][] {
  const blocks = codeBlocks(readText(file));
  return blocks.flatMap((query, i): [string, Example][] => {
    if (query.info !== 'graphql' && storeOf(query) === undefined) return [];
    const next = blocks[i + 1];
    const variables = next?.info === 'json variables' ? next : undefined;
    const expected = variables === undefined ? next : blocks[i + 2];
    return [
      [
        `line ${query.line}`,
        { query, variables, expected: expected?.info === 'json' ? expected : undefined },
      ],
    ];
  });
}

interface Shown {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly unknown[] }[];
}

/** Ignores the order of errors and their locations in the document. */
function comparable({ data, errors = [] }: Shown): unknown {
  const plain = errors.map((error) => ({ ...error, locations: undefined }));
  return { data, errors: plain.toSorted((a, b) => (String(a.path) < String(b.path) ? -1 : 1)) };
}

describe.each([
  ['README.md', 1],
  ['docs/graphql.md', 11],
  ['docs/store-schemas.md', 2],
  ['docs/tutorial.md', 3],
  ['docs/analysis.md', 9],
  ['docs/pictures.md', 2],
])('%s', (file, atLeast) => {
  const examples = examplesOf(file);

  test('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(atLeast);
  });

  test.each(examples)('the example of %s', async (_, { query, variables, expected }) => {
    const store = storeOf(query);
    const shown = async (): Promise<Shown> => {
      if (store !== undefined) {
        const result = await gateway.as(fullAccess).forStore(store).execute({ document: query.code });
        return JSON.parse(JSON.stringify(result));
      }
      expect(validate(gateway.schema, parse(query.code))).toEqual([]);
      const given: unknown = variables === undefined ? undefined : JSON.parse(variables.code);
      const { text } = await execute(query.code.includes('"scratch"') ? scratch : odd, query.code, given);
      return JSON.parse(text);
    };
    const result = await shown();
    const key = query.code + (variables?.code ?? '');
    if (expected === undefined) written[file] = { ...written[file], [key]: result };
    const known: unknown = expected === undefined ? golden[file]?.[key] : JSON.parse(expected.code);
    if (expected === undefined && isWriting) return;
    expect(known, 'a result in the page or in test/golden/docs.json').toBeDefined();
    expect(comparable(result)).toEqual(comparable(known as Shown));
  });
});

test('the mistake of docs/tutorial.md has the message shown there', async () => {
  const text = readText('docs/tutorial.md');
  const mistake = codeBlocks(text).find(({ info }) => info === 'graphql ocean mistake');
  const { errors = [] } = await gateway
    .as(fullAccess)
    .forStore('ocean')
    .execute({ document: mistake?.code ?? '' });
  expect(text).toContain(`\`${errors[0]?.message}\``);
});

// Runs after the examples above, which create the nodes.
test('the subscription of docs/graphql.md has the events shown there', async () => {
  const blocks = codeBlocks(readText('docs/graphql.md'));
  const start = blocks.findIndex(({ info }) => info === 'graphql subscription');
  const [subscription, change, events] = blocks.slice(start, start + 3).map(({ code }) => code);
  const response = await scratch.fetch(
    new Request(`http://localhost/graphql?query=${encodeURIComponent(subscription ?? '')}`, {
      headers: { accept: 'text/event-stream' },
    }),
    fullAccess,
  );
  const { errors } = await execute(scratch, change ?? '');
  expect(errors).toEqual([]);
  scratch.endStreams();
  expect(await response.text()).toBe(`:\n\n${events}\nevent: complete\ndata: \n\n`);
});

test('docs/troubleshooting.md explains every code', () => {
  const text = readText('docs/troubleshooting.md');
  expect(Object.keys(errorTable).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
});

// The CBOR hooks of docs/cbor.md for common libraries decode the gateway's responses.

const blocks = codeBlocks(readText('docs/cbor.md'));

function block(info: string): string {
  const found = blocks.find((one) => one.info === info);
  if (found === undefined) throw new Error(`docs/cbor.md has no block "${info}"`);
  return found.code;
}

/** The code of a block without its imports, which the caller passes as arguments of a function. */
function body(info: string): string {
  return block(info).replace(/^import .*$/gm, '');
}

type Fetch = ReturnType<typeof createGateway>['fetch'];

async function respond(gateway: { fetch: Fetch }, store: string, path: string): Promise<Uint8Array> {
  const query = `{ store(name: "${store}") { array(path: "${path}") { slice { values } } } }`;
  const response = await gateway.fetch(
    new Request(`http://localhost/graphql?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'application/cbor' },
    }),
    fullAccess,
  );
  return new Uint8Array(await response.arrayBuffer());
}

type Decode = (body: Uint8Array) => unknown;

// The code comes from the documentation of this project.
/* eslint-disable typescript/no-implied-eval */
const hooks: [string, Decode][] = [
  [
    'cbor2',
    new Function('decode', 'Tag', `${body('js cbor2')}; return (body) => decode(body)`)(
      decodeCbor2,
      Tag,
    ) as Decode,
  ],
  [
    'cborg',
    new Function(
      'decode',
      `${body('js cbor2').replace(/^Tag.*$/gm, '')}; ${body('js cborg')}; return (body) => decode(body, { tags })`,
    )(decodeCborg) as Decode,
  ],
];
/* eslint-enable typescript/no-implied-eval */

test.each(hooks)('%s reads typed arrays, half floats too', async (_, decode) => {
  const gateway = await memoryGateway({
    'half/zarr.json': arrayDocument('float16', [2, 2], { fill_value: -1.5 }),
    'long/zarr.json': arrayDocument('int64', [3], { fill_value: -9 }),
    'text/zarr.json': arrayDocument('string', [1], { fill_value: 'é', codecs: [{ name: 'vlen-utf8' }] }),
  });
  const values = async (path: string): Promise<unknown> =>
    (
      decode(await respond(gateway, 'm', path)) as {
        data: { store: { array: { slice: { values: unknown } } } };
      }
    ).data.store.array.slice.values;
  expect(await values('half')).toEqual({ shape: [2, 2], values: Float32Array.of(-1.5, -1.5, -1.5, -1.5) });
  expect(await values('long')).toEqual({ shape: [3], values: BigInt64Array.of(-9n, -9n, -9n) });
  expect(await values('text')).toEqual({ shape: [1], values: ['é'] });
});

const python = await findPython('wire');

test.skipIf('missing' in python)('cbor2 of Python reads every array of the matrix', async () => {
  const cases = storedArrays
    .filter((one) => (one.undefined_chunks ?? []).length === 0)
    // The gateway preserves NaN payloads; the program that recorded the expected bytes did not.
    .filter((one) => !/float|complex|struct/.test(one.layout.kind) || one.features.includes('nan-payload'));
  expect(cases.length).toBeGreaterThan(500);
  const gateway = createGateway({
    stores: cases.map(({ id, path }) => ({ name: id, store: folderStore(id, `${matrixFolder}/${path}`) })),
  });
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const [hook, bodies] = [join(folder.path, 'hook.py'), join(folder.path, 'bodies')];
  const lines: string[] = [];
  for (const { id, node } of cases)
    lines.push(Buffer.from(await respond(gateway, id, `/${node}`)).toString('hex'));
  await writeFile(hook, block('python'));
  await writeFile(bodies, lines.join('\n'));
  const { stdout } = await runScript('command' in python ? python.command : '', 'read_cbor.py', [
    hook,
    bodies,
  ]);
  const read = stdout.trim().split('\n');
  for (const [i, one] of cases.entries())
    expect(JSON.parse(read[i] ?? 'null'), one.id).toEqual(
      expectedCbor(Buffer.from(one.expected ?? '', 'base64'), one.shape, one.layout),
    );
});
