/**
 * Output forms: schema, docs/graphql.md and the help of `zarrql get` match the registry.
 * ZARRQL_WRITE_DOCS=1 writes the table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isEnumType, type GraphQLEnumType } from 'graphql';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { gatewaySchema } from '../../server/resolvers/schema.js';
import { fileForms, resultMediaTypes } from '../../server/transport/forms/forms.js';
import { zarrql } from '../cli/running.js';

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

test('the table of file formats is the registry', async () => {
  const before = readFileSync(file, 'utf8');
  const rows = fileForms.map(({ name, description, types }) => `| \`${name}\` | ${description} | ${types} |`);
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
