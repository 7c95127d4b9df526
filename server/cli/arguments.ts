/** Options of the commands `serve`, `open`, `codegen` and `get`, as text for the help and as values. */
import { type Command, Option } from 'commander';
import { defaultText, type OptionDescription, optionDescriptions } from '../config.js';
import type { CodegenArguments } from './codegen.js';
import { formatNames, outputForms } from './get.js';
import { collect } from './node-commands.js';

type Flags = Record<string, string | string[] | boolean | undefined>;

/** Adds `--config` and one flag per configuration option to `serve`. */
export function addConfigOptions(command: Command): void {
  addConfig(command);
  let group = '';
  for (const option of optionDescriptions) {
    if (option.group !== group) command.optionsGroup(`${option.group}:`);
    ({ group } = option);
    command.addOption(flagOf(option));
  }
}

/** Adds the flags of `serve` to `open`, except `--store`. Its help shows only `--config` and `--port`. */
export function addOpenOptions(command: Command): void {
  addConfig(command);
  for (const option of optionDescriptions) {
    if (option.flag === 'port') command.option('--port <PORT>', 'port to listen on (default: any free port)');
    else if (option.flag !== 'store') command.addOption(flagOf(option).hideHelp());
  }
}

function addConfig(command: Command): void {
  command.option(
    '--config <FILE>',
    'YAML or JSON configuration file; flags and environment variables override it',
  );
}

function flagOf(option: OptionDescription): Option {
  const { flag, kind, placeholder, env } = option;
  const description = startingInLowerCase(option.description);
  const notes = [kind === 'list' ? 'repeatable' : `default: ${defaultText(option)}`, `env: ${env}`].join(
    ', ',
  );
  if (kind === 'switch')
    return option.default === true
      ? new Option(`--${flag}`, `do not ${description} (env: ${env}=off)`)
      : new Option(`--${flag}`, `${description} (env: ${env}=on)`);
  const valued = new Option(`--${flag} <${placeholder}>`, `${description} (${notes})`);
  return kind === 'list' ? valued.argParser(collect) : valued;
}

/** Keeps acronyms: "URL under which". */
function startingInLowerCase(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** The flags set on the command line, keyed by configuration option name. */
export function givenFlags(command: Command): { readonly file: string | undefined; readonly flags: Flags } {
  const values: Record<string, unknown> = command.opts();
  const flags: Flags = {};
  for (const option of optionDescriptions) {
    const attribute = flagOf(option).attributeName();
    const value = command.getOptionValueSource(attribute) === 'cli' ? values[attribute] : undefined;
    if (typeof value === 'string' || typeof value === 'boolean') flags[option.path.at(-1) ?? ''] = value;
    else if (Array.isArray(value)) flags[option.path.at(-1) ?? ''] = value.map(String);
  }
  const file = values['config'];
  return { file: typeof file === 'string' ? file : undefined, flags };
}

/** Arguments and help of `zarrql codegen`. */
export function addCodegen(command: Command): void {
  command
    .description(
      'generate TypeScript types for the stores of a gateway, or for documents of the schema of one store',
    )
    .requiredOption('--url <URL>', 'endpoint URL of the gateway, http://HOST:PORT/graphql')
    .requiredOption('--out <FILE>', 'TypeScript file to write, or - for stdout')
    .option('--store <NAME>', 'include only this store; repeatable (default: all stores)', collect)
    .option('--header <TEXT>', 'request header "Name: value"; repeatable', collect)
    .option(
      '--documents <GLOB>',
      'write typed documents for client.store(NAME).request instead: the operations in these files, .graphql or TypeScript with gql tags; repeatable; requires one --store',
      collect,
    )
    .option('--name <NAME>', 'name of the generated interface (default: Stores)')
    .option(
      '--runtime <MODULE>',
      'module that the generated file imports types from (default: zarrql-client)',
    )
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  zarrql codegen --url http://127.0.0.1:4000/graphql --out src/stores.gen.ts
  zarrql codegen --url https://data.example.org/graphql --header "authorization: Bearer $TOKEN" --out stores.gen.ts
  zarrql codegen --url http://127.0.0.1:4000/graphql --store coads --documents 'src/**/*.graphql' --out src/coads.gen.ts

--documents runs GraphQL Code Generator, which you install: see docs/clients/codegen.md.
createClient<Stores>({ url }) then checks store names, paths, dimensions, data types and attributes.`,
    )
    .action(async (options: CodegenArguments) => {
      const { codegen } = await import('./codegen.js');
      await codegen(options);
    });
}

/** Adds `--format` to `zarrql get`, with one choice per output form. */
export function addFormatOption(command: Command): void {
  const rows = outputForms.map(
    ({ name, description, types }) =>
      `${name.toLowerCase().padEnd(7)} ${description.replaceAll('`', '')}; for ${types}`,
  );
  command
    .addOption(
      new Option(
        '--format <FORMAT>',
        'output form (default: from the extension of --output, otherwise json)',
      ).choices(formatNames),
    )
    .option(
      '--rows <DIMS>',
      'for arrow: first dimensions, whose positions are rows, such as time; each value is a tensor over the others (default: a row per element)',
      (text: string) => text.split(',').map((name) => name.trim()),
    )
    .addHelpText('after', `\nFormats:\n  ${rows.join('\n  ')}`);
}
