/** Arguments and help of the commands that run jobs. Their implementation is loaded when they run. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { JobCommandOptions } from './jobs.js';
import { addSliceOptions, collect } from './node-commands.js';

const COMMON_HELP = `
SOURCE is the address of a node: data/coads.zarr/SST, s3://bucket/store.zarr, icechunk+file:repository/array.
Ctrl-C and SIGTERM store the progress. The same command continues the job, also after a crash, and fails if the source
has changed. The exit status is 0 if all is done, 1 if a part failed, 130 or 143 after an interruption.`;

const DESTINATION_HELP = `
DESTINATION is the address of a new node, in an existing store or in a new folder.`;

export function addCopy(command: Command): void {
  command
    .description('copy an array, a computed result or a group: with other chunks, shards, codecs or format')
    .argument('<SOURCE>', 'a node of a store')
    .argument('<DESTINATION>', 'the new node');
  addReduction(addSliceOptions(command));
  addCommon(addTarget(command)).addHelpText(
    'after',
    `${COMMON_HELP}${DESTINATION_HELP}

Examples:
  zarrql copy ocean_v2.zarr ocean.zarr --format 3
  zarrql copy ocean.zarr/sst sharded.zarr --chunks 1,256,256 --shards 64,1024,1024
  zarrql copy ocean.zarr s3://bucket/ocean.zarr --chunks time=365,lat=90
  zarrql copy ocean.zarr/sst cut.zarr --select 'time=2021, lat=-5..5'
  zarrql copy ocean.zarr speed.zarr --compute 'sqrt(uwnd**2 + vwnd**2)'

Stored values are copied as they are, unless --decode is set.`,
  );
  run(command, 'copy');
}

export function addReduce(command: Command): void {
  command
    .description('reduce an array along dimensions, in tasks; store the result as an array, or print it')
    .argument('<SOURCE>', 'an array, or the group of the variables of --compute')
    .argument('[DESTINATION]', 'the new array (default: print the values, at most 1 MiB)');
  addReduction(addSliceOptions(command));
  addCommon(addTarget(addJobFolder(command))).addHelpText(
    'after',
    `${COMMON_HELP}${DESTINATION_HELP}
Without one, it continues only with --job-folder.

Examples:
  zarrql reduce ocean.zarr/sst mean.zarr --reduce mean:time
  zarrql reduce ocean.zarr/sst climate.zarr --group month:time:mean
  zarrql reduce ocean.zarr/sst --reduce mean

Variables are decoded, unless --raw is set.`,
  );
  run(command, 'reduce');
}

export function addPyramid(command: Command): void {
  command
    .description(
      'create the levels of a pyramid of an array, each with half the resolution of the one before',
    )
    .argument('<SOURCE>', 'an array')
    .argument('<DESTINATION>', 'the new group of the levels')
    .addOption(
      new Option('--convention <NAME>', 'metadata of the levels')
        .choices(['geozarr', 'ome'])
        .default('geozarr'),
    )
    .option(
      '--levels <N>',
      'number of levels, with the first (default: until at most 256 elements)',
      parseCount,
    )
    .option('--dimension <NAME>', 'dimension that shrinks; repeat (default: the last two)', collect)
    .option(
      '--method <NAME>',
      'mean, min, max, mode, nearest, median or sum (default: mean; mode for booleans)',
    );
  addCommon(addTarget(command)).addHelpText(
    'after',
    `${COMMON_HELP}${DESTINATION_HELP}

Example:
  zarrql pyramid ocean.zarr/sst pyramid.zarr --dimension lat --dimension lon`,
  );
  run(command, 'pyramid');
}

export function addConsolidate(command: Command): void {
  command
    .description('write the consolidated metadata of a group, so that readers need not list the store')
    .argument('<ADDRESS>', 'a group');
  addCommon(command).addHelpText('after', '\nExample:\n  zarrql consolidate data/coads.zarr');
  run(command, 'consolidate');
}

export function addVerify(command: Command): void {
  command
    .description('decode every chunk of an array or group; check checksums and the indexes of shards')
    .argument('<ADDRESS>', 'a node of a store');
  addCommon(command).addHelpText(
    'after',
    `
Example:
  zarrql verify data/coads.zarr

Prints each unreadable chunk, and exits with status 1 if there are any.`,
  );
  run(command, 'verify');
}

export function addStatistics(command: Command): void {
  command
    .description(
      'compute count, range, mean and standard deviation of an array as a job, with progress and retries',
    )
    .argument('<ADDRESS>', 'an array, or the group of the variables of --compute');
  addCommon(addJobFolder(addReduction(addSliceOptions(command)))).addHelpText(
    'after',
    `
Example:
  zarrql statistics s3://bucket/ocean.zarr/sst --json

The numbers are those of zarrql stats, which also prints quantiles. Variables are decoded, unless --raw is set.`,
  );
  run(command, 'statistics');
}

function run(command: Command, kind: JobCommandOptions['kind']): void {
  command.allowExcessArguments(false).action(async (...args: unknown[]) => {
    const { restartForJobs } = await import('./restart-within.js');
    restartForJobs(process.env);
    const { runJobCommand } = await import('./jobs.js');
    const addresses = args.filter((argument): argument is string => typeof argument === 'string');
    await runJobCommand(addresses, { ...command.opts(), kind });
  });
}

function addReduction(command: Command): Command {
  return command
    .option(
      '--group <GROUPS:DIMENSION:NAME>',
      'reduce each month, season, day_of_year, hour or period along a time dimension: "month:time:mean"',
    )
    .option('-r, --reduce <NAME:DIMENSIONS>', 'reduce along dimensions: "mean:time", "max"; repeat', collect);
}

function addJobFolder(command: Command): Command {
  return command.option(
    '--job-folder <FOLDER>',
    'without a destination: keep partial results in this folder, from which the same command continues',
  );
}

function addTarget(command: Command): Command {
  return command
    .addOption(
      new Option('--format <N>', 'Zarr format (default: that of the source or destination)').choices([
        '2',
        '3',
      ]),
    )
    .option(
      '--chunks <LENGTHS>',
      'chunk shape: "1,256,256", or by dimension: "time=1,lat=256" (default: that of the source)',
    )
    .option(
      '--shards <LENGTHS>',
      'shard shape, like --chunks; "none" for no shards (default: that of the source)',
    )
    .option(
      '--codecs <JSON>',
      'format 3: a list of codecs, [{"name": "bytes"}, {"name": "zstd"}]; format 2: {"compressor": ...}',
    )
    .option('--fill-value <JSON>', 'value of elements that are not stored')
    .option('--consolidate', 'write consolidated metadata at the end (default: if the source has some)')
    .option('--no-consolidate', 'write no consolidated metadata')
    .option('--overwrite', 'replace an existing node');
}

function addCommon(command: Command): Command {
  return command
    .option('--memory <BYTES>', 'memory for tasks, such as "512MiB" (default: 192MiB)')
    .option('--dry-run', 'print what would be created and the number of tasks')
    .option('--json', 'print one JSON line per second, and the outcome');
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number, such as 4.');
  return Number(text);
}
