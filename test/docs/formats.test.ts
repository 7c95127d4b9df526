/** The tables of docs/formats.md match the code. ZARRQL_WRITE_DOCS=1 writes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { codecNames, createDefaultRegistry, dataTypeNames } from '../../server/zarr/index.js';
import { codecSamples, typeSamples } from './format-samples.js';
import { formatTables, plain } from './format-tables.js';

const file = 'docs/formats.md';

test('all data types and codecs are listed, and no others', () => {
  const types = typeSamples.map(({ name }) => (name === 'raw_bits' ? 'r*' : name));
  expect(types.toSorted()).toEqual([...dataTypeNames()].toSorted());
  const codecs = new Set(codecNames(createDefaultRegistry()).map(plain));
  expect(codecSamples.map(({ name }) => name).toSorted()).toEqual([...codecs].toSorted());
});

test('the codec names in the document are those of the registry', () => {
  const names = codecSamples.flatMap(({ shown }) => [...shown.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
  const hidden = codecSamples.filter(({ shown }) => shown === '-').map(({ name }) => name);
  const known = codecNames(createDefaultRegistry()).filter((name) => !hidden.includes(plain(name)));
  expect(names.toSorted()).toEqual([...known].toSorted());
}); // prettier-ignore

test('the tables match the code', async () => {
  const before = readFileSync(file, 'utf8');
  const tables = await formatTables();
  let text = before;
  for (const [name, table] of Object.entries(tables)) {
    const pattern = new RegExp(`(<!-- ${name}:[^]*?-->\n)[^]*?(\n<!-- end -->)`);
    expect(text, name).toMatch(pattern);
    text = text.replace(pattern, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
  }
  const formatted = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
  if (process.env['ZARRQL_WRITE_DOCS'] !== undefined) writeFileSync(file, formatted);
  else expect(before).toBe(formatted);
});
