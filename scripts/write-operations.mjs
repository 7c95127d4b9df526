// Writes what is derived from the declarations of operations (server/analysis/operations/table.ts): their part of the schema
// and the options of their methods in the SDK. Part of `npm run codegen`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { declaredOperations } from '../server/analysis/operations/table.js';

const root = dirname(import.meta.dirname);
const operations = Object.entries(declaredOperations);
const capital = (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const scalars = {
  dimension: 'String',
  integer: 'Int',
  number: 'Float',
  numbers: '[Float!]',
  boolean: 'Boolean',
  text: 'String',
};

function described(indent, ...sentences) {
  const lines = [];
  for (const word of sentences
    .filter((text) => text !== '')
    .join(' ')
    .split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || `${indent}${last} ${word}`.length > 118) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return [`${indent}"""`, ...lines.map((line) => `${indent}${line}`), `${indent}"""`].join('\n');
}

function argumentText(indent, { name, about, type, isRequired, preset, enum: choices }) {
  const own = type === 'enum' ? choices.name : scalars[type];
  const value = preset === undefined ? '' : ` = ${preset}`;
  return `${described(indent, about)}\n${indent}${name}: ${own}${isRequired ? '!' : ''}${value}`;
}

function schema() {
  const enums = new Map();
  for (const [, { parameters }] of operations)
    for (const { enum: choices } of parameters)
      if (choices !== undefined) enums.set(choices.name, choices.values);
  const fields = operations.map(
    ([name, { about, details, parameters }]) =>
      `${described('  ', about, details)}\n  ${name}(\n${parameters.map((one) => argumentText('    ', one)).join('\n')}\n  ): Slice @semanticNonNull`,
  );
  const inputs = operations.map(
    ([name, { parameters }]) =>
      `${described('', `Arguments of \`Slice.${name}\`.`)}\ninput ${capital(name)}Step {\n${parameters.map((one) => argumentText('  ', one)).join('\n')}\n}`,
  );
  const steps = operations.map(
    ([name, { about }]) => `${described('  ', about)}\n  ${name}: ${capital(name)}Step`,
  );
  const values = [...enums].map(
    ([name, known]) =>
      `${described(
        '',
        `A value of ${operations
          .filter(([, { parameters }]) => parameters.some((one) => one.enum?.name === name))
          .map(([own]) => `\`${own}\``)
          .join(', ')}.`,
      )}\nenum ${name} {\n${Object.entries(known)
        .map(([value, about]) => `${described('  ', about)}\n  ${value}`)
        .join('\n')}\n}`,
  );
  return [
    '# Written by `npm run codegen` from server/analysis/operations/.',
    `extend type Slice {\n${fields.join('\n')}\n}`,
    ...inputs,
    `extend input SliceStep {\n${steps.join('\n')}\n}`,
    ...values,
    '',
  ].join('\n\n');
}

const types = {
  integer: 'number',
  number: 'number',
  numbers: 'readonly number[]',
  boolean: 'boolean',
  text: 'string',
  dimension: 'N',
};

function clientTypes() {
  const members = operations.map(([name, { about, parameters }]) => {
    const args = parameters.map(({ name: own, about: text, type, isRequired, preset, enum: choices }) => {
      const shown =
        preset === undefined ? '' : ` @default ${typeof preset === 'string' ? `'${preset}'` : preset}`;
      const kind =
        type === 'enum'
          ? Object.keys(choices.values)
              .map((value) => `'${value}'`)
              .join(' | ')
          : types[type];
      return `/** ${text.replaceAll('*/', '')}${shown} */\nreadonly ${own}${isRequired ? '' : '?'}: ${kind};`;
    });
    return `/** ${about} */\nreadonly ${name}: {\n${args.join('\n')}\n};`;
  });
  const rules = Object.fromEntries(operations.map(([name, { result }]) => [name, result]));
  return `/** Operations of slices, written by \`npm run codegen\`. */
/** The options of each operation. */
export interface DeclaredOptions<N extends string = string> {
${members.join('\n')}
}

/** The data types of the results: a rule, or one for each value of an option. */
export const declaredResults = ${JSON.stringify(rules)} as const;

type Steps = { readonly [K in keyof DeclaredOptions]: { readonly [M in K]: DeclaredOptions[K] } };

/** The methods of the operations. @param add adds a step */
export function declaredMethods<T>(add: (step: Steps[keyof Steps]) => T) {
  return {
    ${operations.map(([name]) => `${name}: (${name}: DeclaredOptions['${name}']) => add({ ${name} }),`).join('\n')}
  };
}
`;
}

async function write(path, text, parser) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  const formatted =
    parser === 'typescript' ? await format(text, { ...(await resolveConfig(file)), parser }) : text;
  writeFileSync(file, formatted);
}

await write(
  'schema/operations.graphql',
  await format(schema(), { ...(await resolveConfig(join(root, 'schema/slice.graphql'))), parser: 'graphql' }),
  'graphql',
);
await write('client/generated/steps.ts', clientTypes(), 'typescript');
