/** The CBOR hooks of docs/graphql.md for common libraries decode the gateway's responses. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decode as decodeCbor2, Tag } from 'cbor2';
import { decode as decodeCborg } from 'cborg';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { findPython, runScript, temporaryFolder } from '../interop/python.js';
import { expectedCbor } from '../resolvers/expected-cbor.js';
import { arrayDocument, folderStore, memoryGateway } from '../resolvers/gateway-client.js';
import { codeBlocks, readText } from './samples.js';
import { fixtures } from '../setup/fixtures.js';
import { matrixCases } from '../resolvers/matrix-cases.js';

const blocks = codeBlocks(readText('docs/graphql.md'));

function block(info: string): string {
  const found = blocks.find((one) => one.info === info);
  if (found === undefined) throw new Error(`docs/graphql.md has no block "${info}"`);
  return found.code;
}

/** Wraps the code in a function that takes its imports as arguments. */
function body(info: string): string {
  return block(info).replace(/^import .*$/gm, '');
}

type Fetch = ReturnType<typeof createGateway>['fetch'];

async function answer(gateway: { fetch: Fetch }, store: string, path: string): Promise<Uint8Array> {
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

// The code comes from our documentation and runs unchanged.
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
      decode(await answer(gateway, 'm', path)) as {
        data: { store: { array: { slice: { values: unknown } } } };
      }
    ).data.store.array.slice.values;
  expect(await values('half')).toEqual({ shape: [2, 2], values: Float32Array.of(-1.5, -1.5, -1.5, -1.5) });
  expect(await values('long')).toEqual({ shape: [3], values: BigInt64Array.of(-9n, -9n, -9n) });
  expect(await values('text')).toEqual({ shape: [1], values: ['é'] });
});

const python = await findPython('wire');

test.skipIf('missing' in python)('cbor2 of Python reads every array of the matrix', async () => {
  const cases = matrixCases
    .filter((one) => (one.undefined_chunks ?? []).length === 0)
    // The gateway preserves NaN payloads; the program that recorded the expected bytes did not.
    .filter((one) => !/float|complex|struct/.test(one.layout.kind) || one.features.includes('nan-payload'));
  expect(cases.length).toBeGreaterThan(500);
  const gateway = createGateway({
    stores: cases.map(({ id, path }) => ({ name: id, store: folderStore(id, `${fixtures}matrix/${path}`) })),
  });
  const folder = await temporaryFolder();
  onTestFinished(folder.remove);
  const [hook, bodies] = [join(folder.path, 'hook.py'), join(folder.path, 'bodies')];
  const lines: string[] = [];
  for (const { id, node } of cases)
    lines.push(Buffer.from(await answer(gateway, id, `/${node}`)).toString('hex'));
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
