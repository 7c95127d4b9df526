import { type Command, Option } from 'commander';
import { fileForms } from '../transport/forms/forms.js';
import { formatNames } from './get.js';

/** The option `--format` of `zarrql get`, with the forms of files that exist. */
export function addFormatOption(command: Command): void {
  const rows = fileForms.map(
    ({ name, description, types }) =>
      `${name.toLowerCase().padEnd(5)} ${description.replaceAll('`', '')}; for ${types}`,
  );
  command
    .addOption(
      new Option('--format <FORMAT>', 'default: by the extension of --output, else json').choices(
        formatNames,
      ),
    )
    .addHelpText('after', `\nFormats:\n  ${rows.join('\n  ')}`);
}
