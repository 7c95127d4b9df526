import { type Command, Option } from 'commander';
import { fileForms } from '../transport/forms/forms.js';
import { formatNames } from './get.js';

/** Adds `--format` to `zarrql get`, with one choice per output form. */
export function addFormatOption(command: Command): void {
  const rows = fileForms.map(
    ({ name, description, types }) =>
      `${name.toLowerCase().padEnd(5)} ${description.replaceAll('`', '')}; for ${types}`,
  );
  command
    .addOption(
      new Option(
        '--format <FORMAT>',
        'output form (default: from the extension of --output, otherwise json)',
      ).choices(formatNames),
    )
    .addHelpText('after', `\nFormats:\n  ${rows.join('\n  ')}`);
}
