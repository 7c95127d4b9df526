/**
 * The public types: a wrong name or index is a compiler error with a helpful message (all cases share one compiler
 * run), many arrays compile quickly, and the list of exports is reviewed.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile, readFile } from 'node:fs/promises';
import { join, dirname, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, describe } from 'vitest';
import { writeStores, type CatalogArray } from '../../client/codegen/index.js';

const root = join(import.meta.dirname, '../..');

const mistakes: readonly (readonly [what: string, code: string, message: RegExp])[] = [
  ['store', "client.store('coasd')", /'"coasd"' is not assignable to .*'"coads" \| "etopo20" \| "navy_winds" \| "ocean" \| "relief" \| "winds"'/],
  ['path', "coads.array('SSS')", /'"SSS"' is not assignable to .*"SST"/],
  ['path of a variable', "coads.dataset().variable('SSS')", /'"SSS"' is not assignable to .*"SST"/],
  ['path of a dataset', "coads.dataset('ocean')", /'"ocean"' is not assignable to/],
  ['dimension', 'sst.slice({ TEIM: 0 })', /'TEIM' does not exist in type .*readonly TIME\?: DimSelect/],
  ['dimension of a dataset', 'coads.dataset().select({ TEIM: 0 })', /'TEIM' does not exist in type .*readonly TIME\?: DimSelect/],
  ['dimension of another array', "coads.array('COADSX').slice({ TIME: 0 })", /'TIME' does not exist in type .*readonly COADSX\?: DimSelect/],
  ['index', 'sst.slice({ TIME: true })', /'boolean' is not assignable to type 'DimSelect/],
  ['index as text', "sst.slice({ TIME: 'January' })", /'string' is not assignable to type 'DimSelect/],
  ['label', 'sst.slice({ TIME: { at: {} } })', /'\{\}' is not assignable to type 'string \| Date/],
  ['label of a time', 'sst.slice({ TIME: { at: true } })', /'boolean' is not assignable to type 'string \| Date/],
  ['label of a number', "sst.slice({ COADSY: { at: 'x' } })", /'string' is not assignable to type 'number \| bigint/],
  ['label of a dataset', "coads.dataset().select({ COADSX: { between: ['a', null] } })", /'string' is not assignable to type 'number \| bigint/],
  ['coordinate', "(await coads.dataset().variable('SST').slice()).coordinates?.depth", /'depth' does not exist on type/],
  ['method of a label', "sst.slice({ COADSY: { at: 5, method: 'next' } })", /'"next"' is not assignable to type 'LabelMethod/],
  ['end of a range', 'sst.slice({ COADSY: { between: [1] } })', /\[number\].* not assignable/],
  ['data type of an array', "coads.array('SST', { dtype: 'int8' })", /'"int8"' is not assignable to type '.*"float32"/],
  ['typed array', 'const d: Float64Array = (await sst.slice()).data', /'Float32Array.*' is not assignable to type 'Float64Array/],
  ['attribute', '(await sst.info()).attributes.colour', /'colour' does not exist on type/],
  ['values to write', "sst.write('0', BigInt64Array.of(1n))", /'BigInt64Array.*' is not assignable/],
  ['store of many', "client.slices([{ store: 'coasd', path: 'SST' }])", /'"coasd"' is not assignable to type '"coads"/],
  ['path of many', "client.slices([{ store: 'coads', path: 'relief' }])", /'"relief"' is not assignable to type .*"SST"/],
]; // prettier-ignore

let folder: string;
let errors: readonly string[];
beforeAll(async () => {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'types-'));
  const head = [
    "import { createClient } from '../../client/index.js';",
    "import type { Stores } from '../../test/types/generated/stores.js';",
    "const client = createClient<Stores>({ url: '/graphql' });",
    "const coads = client.store('coads'), sst = coads.array('SST');",
  ];
  // Writes each mistake as a separate block on a separate line, so that errors can be assigned.
  const lines = mistakes.map(([, code]) => `{ ${code}; }`);
  await writeFile(join(folder, 'program.ts'), [...head, ...lines].join('\n'));
  const found = await compile('program.ts');
  errors = lines.map((_, i) =>
    found.flatMap(({ line, text }) => (line === head.length + i + 1 ? [text] : [])).join('\n'),
  );
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function compile(file: string, ...flags: string[]): Promise<{ line: number; text: string }[]> {
  const config = join(folder, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ extends: '../../tsconfig.json', include: [file], exclude: [] }));
  const output = await run(config, ...flags);
  const found: { line: number; text: string }[] = [];
  for (const line of output.split('\n')) {
    const [, at, text = ''] = /\((\d+),\d+\): error (.*)/.exec(line) ?? [];
    if (at !== undefined) found.push({ line: Number(at), text });
    else if (line.startsWith(' ') && found.length > 0) found[found.length - 1]!.text += `\n${line}`;
  }
  return found;
}

async function run(config: string, ...flags: string[]): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const compiling = promisify(execFile)(process.execPath, [tsc, '-p', config, '--pretty', 'false', ...flags]);
  return compiling.then(({ stdout }) => stdout, (error: { stdout: string }) => error.stdout); // prettier-ignore
}

test.each(mistakes.map(([what, , message], i) => [what, message, i] as const))(
  'a wrong %s is a compiler error',
  (_what, message, i) => {
    expect(errors[i]).toMatch(message);
    // Messages must not expand internal types.
    expect(errors[i]?.length).toBeLessThan(1500);
  },
);

test('a thousand arrays take fewer than 300,000 type instantiations', async () => {
  const dtypes = ['float32', 'int16', 'float64', 'int64'] as const;
  const typed = {
    float32: 'Float32Array',
    int16: 'Int16Array',
    float64: 'Float64Array',
    int64: 'BigInt64Array',
  };
  const arrays = Array.from({ length: 1000 }, (_, i): CatalogArray => ({
    path: `group${i % 20}/array${i}`,
    dtype: dtypes[i % 4],
    dimensions: ['time', 'lat', 'lon'],
    shape: [10, 20, 30],
    attributes: { units: 'm', long_name: `array ${i}`, valid_range: [0, 1] },
  }));
  const store = { name: 'big', description: null, arrays, groups: [], datasets: [] };
  await writeFile(
    join(folder, 'big.gen.ts'),
    writeStores({ stores: [store] }, { runtime: '../../client/index.js' }),
  );
  const lines = arrays.map(
    ({ path, dtype = 'int16' }, i) =>
      `export const a${i}: ${typed[dtype as keyof typeof typed]} = (await store.array('${path}').slice({ time: 0 })).data;`,
  );
  const head = [
    "import { createClient } from '../../client/index.js';",
    "import type { Stores } from './big.gen.js';",
    "const store = createClient<Stores>({ url: '/graphql' }).store('big');",
  ];
  await writeFile(join(folder, 'big.ts'), [...head, ...lines].join('\n'));
  expect(await compile('big.ts')).toEqual([]);
  const [, instantiations] = /Instantiations:\s+(\d+)/.exec(await run(join(folder, 'tsconfig.json'), '--extendedDiagnostics')) ?? []; // prettier-ignore
  // About 150 instantiations per array, with all checks. Unlike the compile time (about 1.5 s), their number does not
  // depend on the load of the machine.
  expect(Number(instantiations)).toBeGreaterThan(1000);
  expect(Number(instantiations)).toBeLessThan(300_000);
}, 120_000);

// The public API of zarrql-client according to its declarations. Every change shows in `client-api.txt` for review
// (`npx vitest run test/types/api.test.ts -u`). Excludes code generated from the schema.
describe('api', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  let folder: string;
  let entries: readonly (readonly [subpath: string, file: string])[];
  beforeAll(async () => {
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/api-'));
    const flags = ['--emitDeclarationOnly', '--outDir', folder, '--removeComments'];
    await promisify(execFile)(process.execPath, [
      tsc,
      '-p',
      join(root, 'client/tsconfig.build.json'),
      ...flags,
    ]);
    const { exports } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8')) as {
      exports: Record<string, { types: string } | string>;
    };
    entries = Object.entries(exports).flatMap(([subpath, to]) =>
      typeof to === 'string' ? [] : [[subpath, join(folder, to.types.replace('./dist/', ''))] as const],
    );
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the declarations that the exports reach equal client-api.txt', async () => {
    const texts = new Map<string, string>();
    for (const [, file] of entries) await collect(file, texts);
    const files = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const report = [
      ...entries.map(([subpath, file]) => `zarrql-client${subpath.slice(1)} is ${relative(folder, file)}`),
      ...files.map(([file, text]) => `\n--- ${file}\n${text.trim()}`),
    ];
    await expect(`${report.join('\n')}\n`).toMatchFileSnapshot('client-api.txt');
  });

  /**
   * Collects the text of a file and of the files that it imports or exports from. The order of declarations is
   * that of the sources.
   */
  async function collect(file: string, texts: Map<string, string>): Promise<void> {
    const name = relative(folder, file);
    if (texts.has(name) || name.startsWith('client/generated')) return;
    const text = await readFile(file, 'utf8');
    texts.set(name, text);
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      await collect(join(dirname(file), specifier.replace(/\.js$/, '.d.ts')), texts);
  }
});
