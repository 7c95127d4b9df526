/** Arguments and help of the commands that read one store. Their implementations are loaded when they run. */
import { type Command, InvalidArgumentError } from 'commander';
import type { OperationOption, SliceOptions } from './array-slice.js';
import type { GetCommandOptions } from './get.js';
import type { ImageOptions } from './image.js';
import type { InspectOptions } from './inspect.js';

const ADDRESS_HELP = `
ADDRESS is the address of a store, as for zarrql serve (a path, a file:, s3:, gs:, az: or https: URL, or a .zip archive),
optionally followed by the path of a node: data/coads.zarr/SST, data/coads.zarr.zip/SST.
The root of the store is the highest ancestor of the node that is reached through groups only.`;

export function addInspect(command: Command): void {
  command
    .description('print the nodes at an address: data types, shapes, chunks, codecs and sizes')
    .argument('<ADDRESS>', 'a store, or a node in it')
    .option('--depth <N>', 'maximum depth below the node (default: unlimited)', parseDepth)
    .option('--json', 'print one JSON document, including attributes')
    .option('--sizes', 'add stored sizes; lists the objects of every array')
    .option(
      '--refresh',
      'read the metadata of each node instead of consolidated metadata, which may be stale',
    )
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${ADDRESS_HELP}

Examples:
  zarrql inspect data/coads.zarr
  zarrql inspect https://example.org/coads.zarr/SST --json

Sizes are decoded sizes. For an array, the attributes are printed too. Nodes with invalid metadata are marked
with "!", and the exit status is then 1.`,
    )
    .action(async (address: string, options: InspectOptions) => {
      const { inspect } = await import('./inspect.js');
      await inspect(address, options);
    });
}

export function addZip(command: Command): void {
  command
    .description('copy a store into a new zip archive')
    .argument('<ADDRESS>', 'a store that supports listing')
    .argument('<ARCHIVE>', 'path of the new file; must end in .zip and not exist')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Example:
  zarrql zip data/coads.zarr coads.zarr.zip

Objects are stored without further compression, because Zarr chunks are usually compressed already. The archive
appears under its name only when it is complete.`,
    )
    .action(async (address: string, archive: string) => {
      const { zip } = await import('./zip.js');
      await zip(address, archive);
    });
}

export function addGet(command: Command): void {
  command.description('print or save values of an array').argument('<ADDRESS>', 'an array in a store');
  const order = orderOf(command);
  addSliceOptions(command)
    .option(
      '--group <GROUPS:DIMENSION:NAME>',
      'reduce each month, season, day_of_year, hour or period along a time dimension: "month:time:mean", "10day:time:max"',
    )
    .option(
      '-r, --reduce <NAME:DIMENSIONS>',
      'reduce along dimensions: "mean:time", "max" for all, "quantile:time:0.1,0.9"; repeat to reduce again',
      collect,
    )
    .option(...stepOption)
    .option('--output <FILE>', 'write to a new file instead of stdout')
    .option('--overwrite', 'replace an existing file')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${ADDRESS_HELP}

Examples:
  zarrql get ocean.zarr/sst -s time=2021-03,lat=-5..5 -r mean
  zarrql get ocean.zarr/sst --select '0, ::10, ::10' --format csv
  zarrql get ocean.zarr/sst --reduce mean:time --format csv
  zarrql get ocean.zarr/sst --group season:time:mean --output seasons.npy
  zarrql get ocean.zarr --compute 'sqrt(uwnd**2 + vwnd**2)' --reduce max
  zarrql get ocean.zarr/sst --step 'rolling: {dim: "time", window: 3, by: MEAN}' -s time=2021-03
  zarrql get ocean.zarr/sst --raw --output sst.npy

Selections, groups, reductions and steps are applied in the order given. Values of variables are decoded: missing values, scale and offset, dates. CSV has labels, or positions in columns that end in _index.`,
    )
    .action(async (address: string, options: GetCommandOptions) => {
      const { runGet } = await import('./get.js');
      await runGet(address, { ...options, order });
    });
}

export function addImage(command: Command): void {
  command.description('draw values of an array as a PNG file').argument('<ADDRESS>', 'an array in a store');
  addReadingOptions(command)
    .option(
      '-s, --select <TEXT>',
      'labels or positions that leave two dimensions: "time=2021-03", "time=#0" or "0" (default: all values)',
    )
    .option('-r, --reduce <NAME:DIMENSIONS>', 'reduce along dimensions before drawing: "mean:time"', collect)
    .option('--width <PIXELS>', 'maximum width (default: 1024)', parsePixels)
    .option('--height <PIXELS>', 'maximum height (default: 1024)', parsePixels)
    .option(
      '--range <MIN,MAX>',
      'values of the first and last colour (default: attributes, or 2 % and 98 % quantiles)',
    )
    .option(
      '--color-map <NAME>',
      'colour map: viridis, magma, inferno, plasma, cividis, turbo, greys, RdBu, batlow or vik',
    )
    .option('--log', 'use a logarithmic colour scale')
    .option(
      '--method <NAME>',
      'reduction of a block of values to a pixel: mean, min, max, mode, nearest, median, sum',
    )
    .option('--output <FILE>', 'write to a new file instead of stdout')
    .option('--overwrite', 'replace an existing file')
    .option('--legend <FILE>', 'write the legend to another PNG file')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${ADDRESS_HELP}

Examples:
  zarrql image ocean.zarr/sst -s time=2021-03 --width 800 --output sst.png
  zarrql image data/coads.zarr/SST --reduce mean:TIME --color-map inferno --range 0,30 --output mean.png

Values are decoded by the CF conventions if the array is a variable of a dataset. The largest vertical coordinate is at the top. Missing values are transparent.`,
    )
    .action(async (address: string, options: ImageOptions) => {
      const { image } = await import('./image.js');
      await image(address, options);
    });
}

export function addStats(command: Command): void {
  command
    .description('print count, range, sum, mean, standard deviation and quantiles of an array')
    .argument('<ADDRESS>', 'an array in a store');
  const order = orderOf(command);
  addSliceOptions(command)
    .option(
      '-r, --reduce <NAME:DIMENSIONS>',
      'reduce along dimensions before computing statistics: "mean:time"',
      collect,
    )
    .option(...stepOption)
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${ADDRESS_HELP}

Example:
  zarrql stats ocean.zarr/sst -s lat=-5..5

Quantiles and sums of integers are exact. The array is read in chunks and never held as a whole.`,
    )
    .action(async (address: string, options: SliceOptions) => {
      const { stats } = await import('./stats.js');
      await stats(address, { ...options, order });
    });
}

/** Adds the options that select and compute values, which `get`, `stats` and jobs share. */
export function addSliceOptions(command: Command): Command {
  return addReadingOptions(command)
    .option(
      '-s, --select <TEXT>',
      'labels "time=2021-03, lat=-5..5, lon=~181", or positions "time=#0, lat=[0:4]", or in NumPy notation "0, 40, 60:64" (default: all values)',
    )
    .option('--field <NAME>', 'field of a struct; repeat for nested fields', collect)
    .option(
      '--raw',
      'read stored values; otherwise, variables of a dataset are decoded by the CF conventions',
    )
    .option('--decode', 'fail if the array is not a variable of a dataset')
    .option(
      '--compute <EXPRESSION>',
      'expression to compute from variables, such as "SST - AIRT"; ADDRESS must be the group of the variables',
    );
}

/** Adds the options of the store that change values, for all commands that read values. */
function addReadingOptions(command: Command): Command {
  return command
    .option(
      '--trust-consolidated',
      'read absent chunks of arrays that only consolidated metadata describes as the fill value',
    )
    .option(
      '--netcdf-shuffle',
      'v2: "elementsize": 0 in a shuffle filter means the size of the data type, as libnetcdf writes it (default for NCZarr arrays)',
    )
    .option('--no-netcdf-shuffle', 'v2: "elementsize": 0 means not shuffled, as numcodecs reads it');
}

function parsePixels(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of pixels, such as 800.');
  return Number(text);
}

function parseDepth(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of levels, such as 1.');
  return Number(text);
}

/** Makes it an error to give an option with one value twice: the last value would silently replace the others. */
export function rejectRepetitions(command: Command): void {
  for (const option of command.options.filter(({ required, parseArg }) => required && parseArg !== collect)) {
    let before: string | undefined;
    command.on(`option:${option.name()}`, (value: string) => {
      if (before !== undefined)
        command.error(
          `error: option '${option.flags}' is given twice, with ${JSON.stringify(before)} and ${JSON.stringify(value)}; give it once`,
        );
      before = value;
    });
  }
}

/** Lists the options of a command that are operations as they are parsed. */
function orderOf(command: Command): readonly OperationOption[] {
  const order: OperationOption[] = [];
  for (const name of ['select', 'field', 'group', 'reduce', 'step'] as const)
    command.on(`option:${name}`, (value: string) => order.push({ name, value }));
  return order;
}

const stepOption = [
  '--step <STEP>',
  'any operation, as in the steps of the schema: "within: {type: ...}", "reduce: {by: MEAN, using: {weights: {kind: COS_LATITUDE}}}"; repeatable',
  collect,
] as const;

/** Appends `value` to the values of a repeatable flag. */
export function collect(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? before.map(String) : []), value];
}
