// Reference that is generated from the built code: the schema, options, commands, and the declarations of the packages.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');

/** @returns {Promise<Record<string, string>>} Markdown by the name of the page */
export async function referencePages() {
  const schema = buildSchema(readFileSync(join(dist, 'schema.graphql'), 'utf8'));
  return {
    schema: schemaPage(schema),
    options: await optionsPage(),
    commands: commandsPage(),
    errors: await errorsPage(schema),
    metrics: await metricsPage(),
    'sdk-api': apiPage('SDK API', 'The declarations of `zarrql-client`.', [
      ['zarrql-client', 'client/index.d.ts'],
      ['zarrql-client/analysis', 'client/analysis/index.d.ts'],
      ['zarrql-client/react', 'client/adapters/react.d.ts'],
    ]),
    'gateway-api': apiPage(
      'Gateway API',
      'The declarations of `zarrql`, for programs that embed a gateway.',
      [['zarrql', 'server/index.d.ts']],
    ),
    'engine-api': apiPage('Engine API', 'The declarations of `zarrql/zarr`.', [
      ['zarrql/zarr', 'server/zarr/index.d.ts'],
    ]),
  };
}

/** Text in a table or a paragraph: no HTML, no templates. @param {string | null | undefined} text */
function plain(text) {
  return (text ?? '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(/(`[^`]*`)|</g, (all, code) => code ?? '&lt;');
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** @param {import('graphql').GraphQLSchema} schema */
function schemaPage(schema) {
  const parts = [
    '# Schema',
    'The schema at `/graphql`, generated from its definition. Arguments with a default may be null.',
  ];
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const roots = ['Query', 'Mutation', 'Subscription'];
  types.sort(
    (a, b) =>
      (roots.indexOf(b.name) + 1 > 0 ? 1 : 0) - (roots.indexOf(a.name) + 1 > 0 ? 1 : 0) ||
      a.name.localeCompare(b.name),
  );
  for (const type of types) {
    parts.push(`## ${type.name}`, plain(type.description));
    if (isObjectType(type) || isInterfaceType(type)) {
      const over = type.getInterfaces().map(({ name }) => name);
      if (over.length > 0)
        parts.push(`Implements ${over.map((name) => `[${name}](#${name.toLowerCase()})`).join(', ')}.`);
      for (const field of Object.values(type.getFields())) {
        parts.push(
          `### ${type.name}.${field.name} {#${type.name.toLowerCase()}-${field.name.toLowerCase()}}`,
        );
        parts.push(`\`${field.type}\` ${plain(field.description)}`);
        if (field.args.length > 0)
          parts.push(
            table(
              ['argument', 'type', 'meaning'],
              field.args.map((argument) => [
                `\`${argument.name}\``,
                `\`${argument.type}\`${defaultOf(argument)}`,
                plain(argument.description),
              ]),
            ),
          );
      }
    } else if (isInputObjectType(type))
      parts.push(
        table(
          ['field', 'type', 'meaning'],
          Object.values(type.getFields()).map((field) => [
            `\`${field.name}\``,
            `\`${field.type}\`${defaultOf(field)}`,
            plain(field.description),
          ]),
        ),
      );
    else if (isEnumType(type))
      parts.push(
        table(
          ['value', 'meaning'],
          type.getValues().map(({ name, description }) => [`\`${name}\``, plain(description)]),
        ),
      );
    else if (isUnionType(type))
      parts.push(
        `One of ${type
          .getTypes()
          .map(({ name }) => `[${name}](#${name.toLowerCase()})`)
          .join(', ')}.`,
      );
    else if (isScalarType(type)) parts.push('A scalar.');
  }
  return `${parts.join('\n\n')}\n`;
}

/** @param {import('graphql').GraphQLArgument | import('graphql').GraphQLInputField} argument */
function defaultOf({ astNode }) {
  const value = astNode?.defaultValue;
  return value === undefined
    ? ''
    : `, default \`${readFileSync(join(dist, 'schema.graphql'), 'utf8').slice(value.loc?.start, value.loc?.end)}\``;
}

async function optionsPage() {
  const { optionDescriptions, storeOptionDescriptions, defaultText } = await import('../server/config.ts');
  const parts = [
    '# Options',
    'All options of the gateway, from its configuration. [Operate](../operations.md) describes how to set them, and [Access](../operations.md#access) the section `auth` of the configuration file.',
  ];
  let group = '';
  /** @type {string[][]} */
  let rows = [];
  const flush = () => {
    if (rows.length > 0) parts.push(table(['option', 'flag', 'variable', 'default', 'meaning'], rows));
    rows = [];
  };
  for (const option of optionDescriptions) {
    if (option.group !== group) {
      flush();
      ({ group } = option);
      parts.push(`## ${group}`);
    }
    const value = option.kind === 'switch' ? '' : ` ${option.placeholder}`;
    rows.push([
      `\`${option.path.join('.')}\``,
      `\`--${option.flag}${value}\``,
      `\`${option.env}\``,
      plain(defaultText(option)),
      plain(option.description),
    ]);
  }
  flush();
  parts.push('## Options of a store', 'In the list `stores` of the configuration file.');
  parts.push(
    table(
      ['option', 'default', 'meaning'],
      storeOptionDescriptions.map((option) => [
        `\`${option.name}\``,
        plain(option.default),
        plain(option.description),
      ]),
    ),
  );
  return `${parts.join('\n\n')}\n`;
}

function commandsPage() {
  const cli = join(dist, 'server/cli.js');
  const help = (/** @type {string[]} */ ...args) => execFileSync(process.execPath, [cli, ...args, '--help'], { encoding: 'utf8', env: { ...process.env, COLUMNS: '100' } }); // prettier-ignore
  const overview = help();
  const [, list = ''] = overview.split(/^Commands:$/m);
  const commands = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  const parts = ['# Commands', 'The help of each command.', `\`\`\`text\n${overview.trim()}\n\`\`\``];
  for (const name of commands) parts.push(`## ${name}`, `\`\`\`text\n${help(name).trim()}\n\`\`\``);
  return `${parts.join('\n\n')}\n`;
}

async function metricsPage() {
  const { createMetrics } = await import('../server/http/metrics.ts');
  const metrics = createMetrics();
  metrics.watchMemory(() => ({ maxBytes: 0, heldBytes: 0, waiting: 0, refused: 0 }));
  const text = await metrics.text();
  const rows = [...text.matchAll(/^# HELP (zarrql_\w+) (.*)\n# TYPE \w+ (\w+)$/gm)].map(([, name, help, type]) => [`\`${name}\``, type ?? '', plain(help)]); // prettier-ignore
  return `# Metrics\n\nAt \`/metrics\`, in the text format of Prometheus, besides Node's default metrics.\n\n${table(['name', 'type', 'meaning'], rows)}\n`;
}

/** @param {import('graphql').GraphQLSchema} schema */
async function errorsPage(schema) {
  const { errorTable } = await import('../server/resolvers/errors.ts');
  const codes = schema.getType('ErrorCode');
  if (!isEnumType(codes)) throw new Error('the schema has no enum ErrorCode');
  const cures = curesOf(readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8'));
  const rows = codes.getValues().map(({ name, description }) => [`\`${name}\``, String(errorTable[name]?.status ?? ''), plain(description), cures.get(name) ?? '']); // prettier-ignore
  return `# Errors\n\nThe codes in \`extensions.code\`. The status is that of a request that fails as a whole. [Troubleshooting](../troubleshooting.md) goes by the message.\n\n${table(['code', 'status', 'cause', 'cure'], rows)}\n`;
}

/** The cures of the table of codes. @param {string} text */
function curesOf(text) {
  return new Map(
    [...text.matchAll(/^\| `([A-Z_]+)` +\| (.*?) *\|$/gm)].map(([, code = '', cure = '']) => [code, cure]),
  );
}

// Declarations: the exports of a module, each with its documentation and type, from the .d.ts files of dist/.

/** @param {string} title @param {string} about @param {readonly (readonly [string, string])[]} modules */
function apiPage(title, about, modules) {
  const parts = [`# ${title}`, about];
  for (const [name, file] of modules) {
    parts.push(`## ${name}`);
    const found = exportsOf(join(dist, file)).toSorted((a, b) => a.name.localeCompare(b.name));
    const seen = new Set();
    for (const { name: exported, file: from, local } of found) {
      if (seen.has(exported)) continue;
      seen.add(exported);
      const code = declarationOf(from, local);
      if (code !== undefined) parts.push(`### ${exported}`, `\`\`\`ts\n${code}\n\`\`\``);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

const reexport = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?;/gm;

/** The local and the exported name of each. @param {string} list @returns {(readonly [string, string])[]} */
function namesIn(list) {
  return list.split(',').flatMap((part) => {
    const [local = '', name = local] = part
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return local === '' ? [] : [[local, name]];
  });
}

/** @param {string} file @returns {{ name: string, local: string, file: string }[]} */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  for (const [, list = '', from] of text.matchAll(reexport))
    for (const [local, name] of namesIn(list)) {
      const source = from === undefined ? file : sourceOf(file, from);
      if (source !== undefined) found.push(definition(source, local, name));
    }
  for (const [, from = ''] of text.matchAll(/^export \* from '([^']+)';/gm)) {
    const source = sourceOf(file, from);
    if (source !== undefined) found.push(...exportsOf(source));
  }
  for (const [, name = ''] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:function|const|class|interface|type|enum) (\w+)/gm,
  ))
    found.push({ name, local: name, file });
  return found;
}

/** Follows re-exports to the file that declares a name. @param {string} file @param {string} local @param {string} name */
function definition(file, local, name, depth = 0) {
  const end = { name, local, file };
  if (depth > 5 || declarationOf(file, local) !== undefined) return end;
  const text = readFileSync(file, 'utf8');
  for (const [, list = '', from] of text.matchAll(reexport))
    for (const [inner, outer] of namesIn(list)) {
      const source = from === undefined ? undefined : sourceOf(file, from);
      if (outer === local && source !== undefined) return definition(source, inner, name, depth + 1);
    }
  for (const [, from = ''] of text.matchAll(/^export \* from '([^']+)';/gm)) {
    const source = sourceOf(file, from);
    const found = source === undefined ? end : definition(source, local, name, depth + 1);
    if (declarationOf(found.file, found.local) !== undefined) return found;
  }
  return end;
}

/** @param {string} file @param {string} from */
function sourceOf(file, from) {
  const path = resolve(dirname(file), from.replace(/\.js$/, '.d.ts'));
  return from.startsWith('.') && existsSync(path) ? path : undefined;
}

/** A declaration with its comment. @param {string} file @param {string} name */
function declarationOf(file, name) {
  const text = readFileSync(file, 'utf8');
  const start = new RegExp(`^(?:/\\*\\*(?:[^*]|\\*(?!/))*\\*/\\n)?(?:export )?(?:declare )?(?:abstract )?(?:function|const|class|interface|type|enum) ${name.replaceAll('$', '\\$')}\\b`, 'm').exec(text); // prettier-ignore
  if (start === null) return undefined;
  const end = endOf(text, start.index + start[0].length);
  return text
    .slice(start.index, end)
    .replace(/^(\/\*\*[^]*?\*\/\n)?export /, '$1')
    .replace(/\n {4}#private;/, '')
    .trim();
}

/** The end of a declaration: the first semicolon or closing brace outside brackets. @param {string} text @param {number} from */
function endOf(text, from) {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const character = text[i] ?? '';
    if (text.startsWith('/*', i)) i = text.indexOf('*/', i) + 1;
    else if ('{(['.includes(character)) depth++;
    else if (')]'.includes(character)) depth--;
    else if (character === '}') {
      depth--;
      if (
        depth === 0 &&
        /^\n(?:export|declare|\/\*\*|import|interface|type|$)/.test(text.slice(i + 1, i + 12))
      )
        return i + 1;
    } else if (character === ';' && depth === 0) return i + 1;
  }
  return text.length;
}
