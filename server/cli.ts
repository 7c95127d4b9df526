#!/usr/bin/env node
import module from 'node:module';
import { isAbsolute, join } from 'node:path';
import { Command } from 'commander';
import { addCodegen } from './cli/arguments.js';
import { addGet, addImage, addInspect, addStats, addZip } from './cli/node-commands.js';
import { printableLines } from './cli/printable.js';
import { withoutValues, withUsageCode } from './cli/run-command.js';
import { version } from './gateway/version.js';

// Uses the compile cache of Node 22.8+, in the user's cache folder because Node's default folder is shared.
const ofNode: { isBuiltin: unknown; enableCompileCache?: (folder: string) => unknown } = module;
// A relative folder is ignored, as the XDG Base Directory Specification requires: another user may own the working
// folder, and compiled modules are code.
const { HOME = '', XDG_CACHE_HOME = '' } = process.env;
const cacheHome = [XDG_CACHE_HOME, join(HOME, '.cache')].find((folder) => isAbsolute(folder));
if (cacheHome !== undefined) ofNode.enableCompileCache?.(join(cacheHome, 'zarrql'));

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
  .description('serve stores over GraphQL until SIGTERM or Ctrl-C')
  .argument('[ADDRESS...]', 'stores to serve, each named after its folder or archive')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql serve /data/sst.zarr
  zarrql serve --store sst=/data/ocean/v2/temperature.zarr
  zarrql serve --store sst=https://data.example.org/sst.zarr --store winds=/data/winds.zarr.zip
  zarrql serve --config zarrql.yaml --port 0

On startup the endpoint URL is printed as one line on stdout. Logs go to stderr as JSON lines.`,
  )
  .action(async (addresses: string[], _options: unknown, command: Command) => {
    // In development mode graphql runs additional checks for duplicate copies of the library on every type.
    process.env['NODE_ENV'] ??= 'production';
    const { serve } = await import('./cli/serve.js');
    const { namedStores } = await import('./cli/open-stores.js');
    const { givenFlags } = await import('./cli/arguments.js');
    const parsed = givenFlags(command);
    const stores = [parsed.flags['stores'] ?? []].flat().map(String);
    await serve({
      ...parsed,
      flags: { ...parsed.flags, stores: [...stores, ...namedStores(addresses, stores)] },
      env: process.env,
    });
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
    const { open } = await import('./cli/open.js');
    const { givenFlags } = await import('./cli/arguments.js');
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
    const { printNewToken } = await import('./cli/token.js');
    printNewToken();
  });
addInspect(program.command('inspect'));
addGet(program.command('get'));
addStats(program.command('stats'));
addImage(program.command('image'));
addZip(program.command('zip'));
addCodegen(program.command('codegen'));

program.hook('preSubcommand', async (_program, command) => {
  const name = command.name();
  if (name === 'get') (await import('./cli/arguments.js')).addFormatOption(command);
  if (name === 'serve') (await import('./cli/arguments.js')).addConfigOptions(command);
  if (name === 'open') (await import('./cli/arguments.js')).addOpenOptions(command);
});

await program.parseAsync();
