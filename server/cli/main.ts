/** The commands and options of the command line. */
import { Command } from 'commander';
import { addCodegen } from './arguments.js';
import { addIcechunk } from './icechunk-commands.js';
import { addConsolidate, addCopy, addPyramid, addReduce, addStatistics, addVerify } from './job-commands.js';
import { addGet, addImage, addInspect, addStats, addZip, rejectRepetitions } from './node-commands.js';
import { printableLines } from './printable.js';
import type { SchemaOptions } from './schema.js';
import { withoutValues, withUsageCode } from './run-command.js';
import { version } from '../gateway/version.js';

// The implementation of a command, and options that are derived from the configuration or the output forms, are loaded
// only when it runs.
const program = withUsageCode(new Command('zarrql'))
  .description('GraphQL gateway for Zarr stores')
  .version(version, '--version', 'print the version')
  .helpOption('--help', 'print this help')
  .helpCommand(false)
  .configureHelp({ helpWidth: Math.min(process.stdout.columns ?? 100, 120), sortSubcommands: false })
  .configureOutput({
    outputError: (text, write) => write(withoutValues(printableLines(text.replace(/^error: /, 'zarrql: ')))),
  })
  .showHelpAfterError('See zarrql --help, or zarrql COMMAND --help.');

program
  .command('serve')
  .description('serve stores over GraphQL until SIGTERM or Ctrl-C; SIGHUP reloads the configuration')
  .argument('[ADDRESS...]', 'stores to serve, each named after its folder or archive; or folders of stores')
  .option('--print-config', 'print the value and the origin of every option, and exit')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql serve /data/sst.zarr
  zarrql serve /data
  zarrql serve s3://bucket/prefix
  zarrql serve --store sst=/data/ocean/v2/temperature.zarr
  zarrql serve --store sst=https://data.example.org/sst.zarr --store winds=/data/winds.zarr.zip
  zarrql serve --config zarrql.yaml --port 0

Each store below a folder or prefix that is not a store is served under its path. New stores appear without a restart.
On startup the endpoint URL is printed as one line on stdout. Logs go to stderr, as JSON lines unless it is a terminal.`,
  )
  .action(async (addresses: string[], options: { readonly printConfig?: boolean }, command: Command) => {
    // In development mode graphql runs additional checks for duplicate copies of the library on every type.
    process.env['NODE_ENV'] ??= 'production';
    const { serve } = await import('./serve.js');
    const { namedStores } = await import('./store-names.js');
    const { givenFlags } = await import('./arguments.js');
    const parsed = givenFlags(command);
    const stores = [parsed.flags['stores'] ?? []].flat().map(String);
    const named = namedStores(addresses, stores);
    await serve(
      { ...parsed, flags: { ...parsed.flags, stores: [...stores, ...named] }, env: process.env },
      {
        addresses: new Set(named.map((text) => text.slice(0, text.indexOf('=')))),
        isPrinted: options.printConfig === true,
      },
    );
  });
program
  .command('worker')
  .description('run tasks of jobs that gateways with the same Redis have started')
  .argument('[ADDRESS...]', 'the stores of the gateways, as for serve; their names must be equal')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql worker --redis redis://127.0.0.1 --config zarrql.yaml
  zarrql worker --redis redis://127.0.0.1 --store sst=/data/sst.zarr --store copy=/data/copy.zarr --allow-write copy

Accepts the options of zarrql serve. /livez, /readyz and /metrics are served at --port, by default a free one; other
requests are rejected. A job names stores; a worker opens them from its configuration, and refuses tasks
of jobs that mean something else there.`,
  )
  .action(async (addresses: string[], _options: unknown, command: Command) => {
    process.env['NODE_ENV'] ??= 'production';
    const { serve } = await import('./serve.js');
    const { namedStores } = await import('./store-names.js');
    const { givenFlags } = await import('./arguments.js');
    const parsed = givenFlags(command);
    const stores = [parsed.flags['stores'] ?? []].flat().map(String);
    const named = namedStores(addresses, stores);
    const quiet = { port: '0', explorer: false, graphiql: false };
    const flags = { ...quiet, ...parsed.flags, stores: [...stores, ...named], jobs: true, jobTasks: true };
    await serve(
      { ...parsed, flags, env: process.env },
      { addresses: new Set(named.map((text) => text.slice(0, text.indexOf('=')))), isWorker: true },
    );
  });
program
  .command('open')
  .description('serve one store and show it in the explorer')
  .argument('<ADDRESS>', 'a store, or a node in it')
  .option('--browser', 'open the page in the default browser')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql open /data/sst.zarr
  zarrql open https://data.example.org/sst.zarr/temperature --browser

Prints the page's URL as one line on stdout. Also accepts the other options of zarrql serve, except --store.`,
  )
  .action(async (address: string, options: { readonly browser?: boolean }, command: Command) => {
    process.env['NODE_ENV'] ??= 'production';
    const { open } = await import('./open.js');
    const { givenFlags } = await import('./arguments.js');
    await open(address, { ...givenFlags(command), env: process.env }, { browser: options.browser === true });
  });
program
  .command('token')
  .description('generate an access token and its hash for the configuration')
  .addHelpText(
    'after',
    `
Clients send "Authorization: Bearer TOKEN". Put the hash into the configuration file under auth.tokens.
The token is shown only once and cannot be recovered from its hash.`,
  )
  .action(async () => {
    const { printNewToken } = await import('./token.js');
    printNewToken();
  });
program
  .command('schema')
  .argument('[STORE]', 'path or URL of a store, for the schema that is generated from it')
  .description('print the GraphQL schema of the gateway, or of one store')
  .option('--federation', 'as a subgraph of Apollo Federation 2')
  .option('--prefix <PREFIX>', 'start of the names of types in the subgraph')
  .option('--diff <FILE>', 'list changes from an earlier schema of the store that break clients')
  .option('--hints', 'add sizes, chunks and the first and last labels to the descriptions')
  .option('--check <PATTERN>', 'validate the documents of these files against the schema of the store')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql schema > schema.graphql
  zarrql schema --federation --prefix Zarr > zarr.graphql
  zarrql schema data.zarr > data.graphql
  zarrql schema data.zarr --diff data.graphql
  zarrql schema data.zarr --check 'src/**/*.graphql'

A gateway with the option federation serves the subgraph; see zarrql serve --help.`,
  )
  .action(async (address: string | undefined, options: SchemaOptions) => {
    const { printSchemaText } = await import('./schema.js');
    await printSchemaText(address, options);
  });
addInspect(program.command('inspect'));
addGet(program.command('get'));
addStats(program.command('stats'));
addImage(program.command('image'));
addZip(program.command('zip'));
addCopy(program.command('copy'));
addReduce(program.command('reduce'));
addPyramid(program.command('pyramid'));
addConsolidate(program.command('consolidate'));
addVerify(program.command('verify'));
addStatistics(program.command('statistics'));
addIcechunk(program.command('icechunk'));
addCodegen(program.command('codegen'));

const jobCommands = ['copy', 'reduce', 'pyramid', 'consolidate', 'verify', 'statistics'];

program.hook('preSubcommand', async (_program, command) => {
  const name = command.name();
  if (name === 'get') (await import('./arguments.js')).addFormatOption(command);
  if (name === 'serve' || name === 'worker') (await import('./arguments.js')).addConfigOptions(command);
  if (name === 'open') (await import('./arguments.js')).addOpenOptions(command);
  if (['get', 'image', 'stats', 'inspect', ...jobCommands].includes(name)) rejectRepetitions(command);
});

await program.parseAsync();
