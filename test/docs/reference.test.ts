/** The reference that the documentation site generates from the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  defaultText,
  optionDescriptions,
  parseConfig,
  storeOptionDescriptions,
} from '../../server/config.js';
import { errorTable } from '../../server/index.js';
import { gatewaySchema } from '../../server/resolvers/schema.js';
// @ts-expect-error a script without types
import { referencePages } from '../../scripts/docs-reference.mjs';
import { codeBlocks, readText, root } from './format-samples.js';

const pages: Readonly<Record<string, string>> = await referencePages();
const page = (name: string): string => pages[name] ?? '';

test('has every option of the gateway and of stores, with its default', () => {
  for (const option of optionDescriptions)
    expect(page('options')).toMatch(new RegExp(`\\| \`${option.path.join('\\.')}\` \\| \`--${option.flag}[^|]*\\| \`${option.env}\` \\| ${defaultText(option).replaceAll(/[.*]/g, '.')} \\|`)); // prettier-ignore
  for (const { name } of storeOptionDescriptions) expect(page('options')).toContain(`| \`${name}\` |`);
});

test('has every type and field of the schema', () => {
  for (const type of Object.values(gatewaySchema().getTypeMap())) {
    if (type.name.startsWith('__') || ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name))
      continue;
    expect(page('schema')).toContain(`\n## ${type.name}\n`);
    if ('getFields' in type && !('isOneOf' in type))
      for (const field of Object.keys(type.getFields()))
        expect(page('schema')).toContain(`### ${type.name}.${field} `);
  }
});

test('has the declarations of the packages', () => {
  for (const name of ['createClient', 'lazySlice', 'useLine', 'NDArray', 'ZarrqlError', 'Client'])
    expect(page('sdk-api')).toContain(`### ${name}\n`);
  for (const name of ['createGateway', 'GatewayConfig', 'fullAccess'])
    expect(page('gateway-api')).toContain(`### ${name}\n`);
  for (const name of ['openHierarchy', 'defineStore', 'Hierarchy', 'NotFoundError'])
    expect(page('engine-api')).toContain(`### ${name}\n`);
  expect(page('gateway-api')).toContain('Stores with unique names. The gateway owns the stores');
});

test('has every command, metric and error, each error with a cure', () => {
  for (const name of ['serve', 'open', 'get', 'codegen', 'zip'])
    expect(page('commands')).toContain(`\n## ${name}\n`);
  expect(page('metrics').split('\n').length).toBeGreaterThan(20);
  for (const code of Object.keys(errorTable))
    expect(page('errors')).toMatch(
      new RegExp(`^\\| \`${code}\` \\| \\d+ \\| [^|]{10,} \\| [^|]{10,} \\|$`, 'm'),
    );
});

test('the configurations of the pages are valid', () => {
  for (const file of ['docs/deploy.md', 'docs/operations.md', 'docs/stores.md'])
    for (const { info, code, line } of codeBlocks(readText(file))) {
      if (info !== 'yaml') continue;
      const config: Record<string, unknown> = parse(code);
      const roles = JSON.stringify(config['auth'] ?? {});
      const stores = [...roles.matchAll(/"([a-z]+)(?:\/[^"]*)?"/g)].map(([, name]) => ({
        name,
        url: 'memory:',
      }));
      const named = new Map(stores.map((store) => [store.name, store]));
      const text = JSON.stringify(config).replace('64-hex-digits-printed-by-zarrql-token', 'a'.repeat(64));
      const values = { stores: [...named.values()], ...JSON.parse(text) };
      expect(() => parseConfig(values), `${file} line ${line}`).not.toThrow();
    }
});

test('the environment variables in the documentation are those of options', () => {
  const entries = ['docs', 'deploy'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  const files = entries
    .filter((entry) => entry.isFile() && !/\.(?:png|webp)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  const names = files.flatMap((name) => readFileSync(name, 'utf8').match(/\bZARRQL_[A-Z_]+\b/g) ?? []);
  expect(names).toContain('ZARRQL_HREF_KEYS');
  const known = new Set(optionDescriptions.map(({ env }) => env));
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
