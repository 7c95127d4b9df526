/** The commands that look into one store: their arguments and help. What they do is loaded when they run. */
import { type Command, InvalidArgumentError } from 'commander';
import type { GetOptions } from './get.js';
import type { InspectOptions } from './inspect.js';
import { collect } from './serve-options.js';

const addressHelp = `
ADDRESS is that of a store, as zarrql serve takes it (a path, file:, https:, or an archive that
ends in .zip), or goes on with the path of a node in it: data/coads.zarr/SST, data/coads.zarr.zip/SST.
The store is taken to begin at the highest folder that is reached from the node through groups alone.`;

export function addInspect(command: Command): void {
  command
    .description('print the tree at an address: types, shapes, chunks, codecs, sizes')
    .argument('<ADDRESS>', 'a store, or a node in it')
    .option('--depth <N>', 'levels below the node (default: all)', parseDepth)
    .option('--json', 'one JSON document, with attributes')
    .option('--sizes', 'add the bytes that are stored; costs a listing of each array')
    .option('--refresh', 'look at each node, not at consolidated metadata, which may be stale')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${addressHelp}

Examples:
  zarrql inspect data/coads.zarr
  zarrql inspect https://example.org/coads.zarr/SST --json

Sizes are those of the decoded values. Of an array, its attributes are shown too. Nodes whose metadata are wrong
are marked with "!" and make the exit code 1.`,
    )
    .action(async (address: string, options: InspectOptions) => {
      const { inspect } = await import('./inspect.js');
      await inspect(address, options);
    });
}

export function addZip(command: Command): void {
  command
    .description('write everything that a store holds into a new zip archive')
    .argument('<ADDRESS>', 'a store that can be listed')
    .argument('<ARCHIVE>', 'the path of a file that is not there yet and ends in .zip')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Example:
  zarrql zip data/coads.zarr coads.zarr.zip

Objects are stored as they are, without another compression: Zarr has compressed them already. The archive is put in
place when it is complete.`,
    )
    .action(async (address: string, archive: string) => {
      const { zip } = await import('./zip.js');
      await zip(address, archive);
    });
}

export function addGet(command: Command): void {
  command
    .description('print values of an array')
    .argument('<ADDRESS>', 'an array in a store')
    .option('--select <TEXT>', 'which ones, in NumPy\'s notation: "0, 40, 60:64" (default: all)')
    .option('--field <NAME>', 'a field of a struct; again for a field of that field', collect)
    .option(
      '--netcdf-shuffle',
      'v2: "elementsize": 0 of a shuffle filter means the size of the data type, as libnetcdf writes it (default: for NCZarr arrays)',
    )
    .option('--no-netcdf-shuffle', 'v2: "elementsize": 0 means not shuffled, as numcodecs reads it')
    .option('--output <FILE>', 'write a file instead of stdout')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `${addressHelp}

Examples:
  zarrql get data/coads.zarr/SST --select '0, 40, 60:64'
  zarrql get data/coads.zarr/SST --select '0, ::10, ::10' --format csv
  zarrql get data/coads.zarr/SST --output sst.npy`,
    )
    .action(async (address: string, options: GetOptions) => {
      const { get } = await import('./get.js');
      await get(address, options);
    });
}

function parseDepth(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number of levels, such as 1.');
  return Number(text);
}
