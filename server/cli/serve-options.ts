import { type Command, Option } from 'commander';
import { defaultText, type OptionDescription, optionDescriptions } from '../config.js';

type Flags = Record<string, string | string[] | boolean | undefined>;

/** Adds `--config` and one flag per configuration option. */
export function addConfigOptions(command: Command): Command {
  command.option(
    '--config <FILE>',
    'YAML or JSON configuration file; flags and environment variables override it',
  );
  for (const option of optionDescriptions) {
    if (option.path[0] === 'limits') command.optionsGroup('Limits for a single request:');
    command.addOption(flagOf(option));
  }
  return command;
}

function flagOf(option: OptionDescription): Option {
  const { flag, kind, placeholder, description, env } = option;
  const notes = [kind === 'list' ? 'repeatable' : `default: ${defaultText(option)}`, `env: ${env}`].join(
    ', ',
  );
  if (kind === 'switch')
    return option.default === true
      ? new Option(
          `--${flag}`,
          `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)} (env: ${env}=off)`,
        )
      : new Option(`--${flag}`, `${description} (env: ${env}=on)`);
  const made = new Option(`--${flag} <${placeholder}>`, `${description} (${notes})`);
  return kind === 'list' ? made.argParser(collect) : made;
}

/** Appends `value` to the values of a repeatable flag. */
export function collect(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? before.map(String) : []), value];
}

/** The flags set on the command line, keyed by configuration option name. */
export function givenFlags(command: Command): { readonly file: string | undefined; readonly flags: Flags } {
  const given: Record<string, unknown> = command.opts();
  const flags: Flags = {};
  for (const option of optionDescriptions) {
    const attribute = flagOf(option).attributeName();
    const value = command.getOptionValueSource(attribute) === 'cli' ? given[attribute] : undefined;
    if (typeof value === 'string' || typeof value === 'boolean') flags[option.path.at(-1) ?? ''] = value;
    else if (Array.isArray(value)) flags[option.path.at(-1) ?? ''] = value.map(String);
  }
  const file = given['config'];
  return { file: typeof file === 'string' ? file : undefined, flags };
}
