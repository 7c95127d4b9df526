/**
 * The tables of the site for docs/formats.md, and of docs/graphql.md, match the code, and the programs of docs/codecs.md and
 * docs/stores.md run. ZARRQL_WRITE_DOCS=1 writes the tables.
 */
import { isEnumType, type GraphQLEnumType } from 'graphql';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { expect, test, onTestFinished, describe } from 'vitest';
import { gatewaySchema } from '../../server/resolvers/schema.js';
import { fileForms as sliceForms, resultMediaTypes } from '../../server/transport/forms/forms.js';
import { setForms } from '../../server/transport/sets/set-forms.js';
import { codecNames, createDefaultRegistry, dataTypeNames, defineStore } from '../../server/zarr/index.js';
import * as engine from '../../server/zarr/index.js';
import { zarrql } from '../cli/running.js';
import { codecSamples, typeSamples, codeBlocks, readText, root } from './format-samples.js';
import { formatTables, plain } from './format-tables.js';

const golden = 'test/golden/formats.json';

test('all data types and codecs are listed, and no others', () => {
  const types = typeSamples.map(({ name }) => (name === 'raw_bits' ? 'r*' : name));
  expect(types.toSorted()).toEqual([...dataTypeNames()].toSorted());
  const codecs = new Set(codecNames(createDefaultRegistry()).map(plain));
  expect(codecSamples.map(({ name }) => name).toSorted()).toEqual([...codecs].toSorted());
});

test('the document lists the codecs of the registry', () => {
  const names = codecSamples.flatMap(({ shown }) => [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
  const hidden = codecSamples.filter(({ shown }) => shown === '-').map(({ name }) => name);
  const known = codecNames(createDefaultRegistry()).filter((name) => !hidden.includes(plain(name)));
  expect(names.toSorted()).toEqual([...known].toSorted());
}); // prettier-ignore

test('the tables of the site match the code', async () => {
  const before: unknown = JSON.parse(readFileSync(golden, 'utf8'));
  const tables = await formatTables();
  if (process.env['ZARRQL_WRITE_DOCS'] !== undefined)
    writeFileSync(golden, `${JSON.stringify(tables, undefined, 1)}\n`);
  else expect(before).toEqual(tables);
  for (const name of Object.keys(tables))
    expect(readText('docs/formats.md')).toContain(`<!-- table: ${name} -->`);
});

// docs/codecs.md: its codec and its program run unchanged with the built package.

const text = readText('docs/codecs.md');

test('the program prints the output in its comment', async () => {
  // Inside the package folder, so that "zarrql" resolves to it.
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache/codecs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const { info, code } of codeBlocks(text)) {
    const [, file] = info.split(' ');
    if (file !== undefined) await writeFile(join(folder, file), code);
  }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ data: { store: { array: { slice: { values: [7, 7, 7] } } } } });
  expect(stderr).toBe('');
});

test('the helpers are exported', () => {
  const rows = [...text.matchAll(/^\| (`[^|]*`) +\|[^|]*\|$/gm)].map(([, cell = '']) => cell);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  expect(names.length).toBeGreaterThan(12);
  for (const name of names) expect(Object.keys(engine)).toContain(name);
});

// Output forms: schema, docs/graphql.md and the help of `zarrql get` match the registry.
// ZARRQL_WRITE_DOCS=1 writes the table.
describe('output forms', () => {
  const fileForms = [...sliceForms, ...setForms];
  const file = 'docs/graphql.md';

  function fileFormats(): GraphQLEnumType {
    const type = gatewaySchema().getType('FileFormat');
    if (!isEnumType(type)) throw new Error('the schema has no enum FileFormat');
    return type;
  }

  test('the schema has every file format', () => {
  const names = fileFormats().getValues().map(({ name }) => name);
  expect(names.toSorted()).toEqual(fileForms.map(({ name }) => name).toSorted());
}); // prettier-ignore

  test('names and extensions are unique', () => {
    for (const key of ['name', 'extension'] as const) {
      const values = fileForms.map((form) => form[key]);
      expect(new Set(values).size).toBe(values.length);
    }
    expect(new Set(resultMediaTypes).size).toBe(resultMediaTypes.length);
  });

  test('the table of file formats lists the registry', async () => {
    const before = readFileSync(file, 'utf8');
    const rows = fileForms.map(
      ({ name, description, types }) => `| \`${name}\` | ${description} | ${types} |`,
    );
    const table = ['| format | content | for |', '| --- | --- | --- |', ...rows].join('\n');
    const pattern = /(<!-- file formats:[^]*?-->\n)[^]*?(\n<!-- end -->)/;
    expect(before).toMatch(pattern);
    const text = before.replace(pattern, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
    const formatted = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
    if (process.env['ZARRQL_WRITE_DOCS'] !== undefined) writeFileSync(file, formatted);
    else expect(before).toBe(formatted);
  });

  test('zarrql get --help lists every file format', async () => {
    const { stdout } = await zarrql(['get', '--help']);
    for (const { name } of fileForms) expect(stdout).toMatch(new RegExp(`^ +${name.toLowerCase()} `, 'm'));
  });
});

// docs/stores.md: its stores and its program run unchanged with the built package.
describe('stores', () => {
  const text = readText('docs/stores.md');

  test('the program prints the output in its comment', async () => {
    // Within the package, so that "zarrql" resolves to it.
    await mkdir(join(root, '.cache'), { recursive: true });
    const folder = await mkdtemp(join(root, '.cache/stores-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const { info, code } of codeBlocks(text)) {
      const [, file] = info.split(' ');
      if (file !== undefined) await writeFile(join(folder, file), code);
    }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      data: {
        stores: {
          nodes: [
            { name: 'scratch', kind: 'CUSTOM', writable: true },
            { name: 'archive', kind: 'CUSTOM', writable: false },
          ],
        },
        store: { array: { slice: { values: [7, 7, 7] } } },
      },
    });
    expect(stderr).toBe('');
  });

  test('the table of properties is complete, with the defaults of defineStore', () => {
    const [, section = ''] = text.split('### Properties');
    const rows = [...section.matchAll(/^\| `(\w+)` +\|[^|]*\| +`?([^|`]*?)`? +\|$/gm)];
    const store = defineStore({ label: 'x', get: () => undefined });
    const shown = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
    const { isDurable, isLocal, maxVersionChecks, readOnlyReason, kind } = store;
    const facts = { isDurable, isLocal, maxVersionChecks, readOnlyReason, kind: `'${kind}'` };
    expect(shown).toEqual({
      can: 'derived',
      ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
    });
  });
});
