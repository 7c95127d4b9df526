/** Arguments and help of `zarrql icechunk`. The implementation is loaded when a command runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LogOptions } from './icechunk.js';
import { rejectRepetitions } from './node-commands.js';

const HELP = `
ADDRESS is a path or an s3:, gs:, az: or https: URL, with or without icechunk+ before it: data/repository,
s3://bucket/repository?endpoint=http://127.0.0.1:9000. VERSION is branch=NAME, tag=NAME or the id of a snapshot; also
NAME alone, if there is no branch and tag of the same name.`;

export function addIcechunk(command: Command): void {
  command
    .description('create Icechunk repositories, show their history, and name snapshots')
    .helpCommand(false)
    .addHelpText(
      'after',
      `${HELP}

Examples:
  zarrql icechunk create data/repository
  zarrql icechunk log data/repository
  zarrql icechunk tag data/repository v1
  zarrql icechunk branch data/repository dev --from tag=v1
  zarrql icechunk diff data/repository v1 main`,
    );
  command
    .command('create')
    .description('create an empty repository where there are no files')
    .argument('<ADDRESS>', 'a new folder, or a prefix on S3')
    .addOption(
      new Option('--spec-version <N>', "version of the specification; Python's icechunk 1 reads 1 only")
        .choices(['1', '2'])
        .default('2'),
    )
    .action(async (address: string, { specVersion }: { readonly specVersion: string }) => {
      const { createRepositoryAt } = await import('./icechunk.js');
      await createRepositoryAt(address, Number(specVersion));
    });
  command
    .command('log')
    .description('print the snapshots of a version, newest first')
    .argument('<ADDRESS>', 'a repository')
    .argument('[VERSION]', 'the newest snapshot (default: branch=main)')
    .option('-n, --first <N>', 'maximum number of snapshots (default: 20)', parseCount)
    .option('--json', 'print JSON')
    .action(async (address: string, version: string | undefined, options: LogOptions) => {
      const { printLog } = await import('./icechunk.js');
      await printLog(address, version, options);
    });
  for (const kind of ['branch', 'tag'] as const)
    command
      .command(kind)
      .description(
        kind === 'branch' ? 'list the branches, or create one' : 'list the tags, or name a snapshot for ever',
      )
      .argument('<ADDRESS>', 'a repository')
      .argument('[NAME]', `name of the new ${kind}`)
      .option(
        kind === 'branch' ? '--from <VERSION>' : '--at <VERSION>',
        `snapshot of the new ${kind} (default: branch=main)`,
      )
      .action(
        async (address: string, name: string | undefined, options: Readonly<Record<string, string>>) => {
          const { listOrCreate } = await import('./icechunk.js');
          await listOrCreate(kind, address, name, options['from'] ?? options['at']);
        },
      );
  command
    .command('diff')
    .description('print the nodes that differ between two versions: + new, - deleted, ~ changed, > moved')
    .argument('<ADDRESS>', 'a repository')
    .argument('<FROM>', 'the older version')
    .argument('[TO]', 'the newer version (default: branch=main)')
    .option('--json', 'print JSON')
    .action(
      async (address: string, from: string, to: string | undefined, options: { readonly json?: boolean }) => {
        const { printDiff } = await import('./icechunk.js');
        await printDiff(address, from, to, options.json === true);
      },
    );
  for (const each of command.commands) rejectRepetitions(each.allowExcessArguments(false));
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('Expected a number of snapshots, such as 20.');
  return Number(text);
}
