#!/usr/bin/env node
import { Command } from 'commander';
import { addCodegen } from './cli/codegen-command.js';
import { addGet, addImage, addInspect, addStats, addZip } from './cli/node-commands.js';
import { printableLines } from './cli/printable.js';
import { withoutValues, withUsageCode } from './cli/usage-code.js';
import { addConfigOptions, givenFlags } from './cli/serve-options.js';
import { version } from './gateway/version.js';

// Commands load their modules when they run, so that `--help` does not load the GraphQL server.
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

addConfigOptions(program.command('serve'))
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
    const { namedStores } = await import('./cli/named-stores.js');
    const given = givenFlags(command);
    const stores = [given.flags['stores'] ?? []].flat().map(String);
    await serve({
      ...given,
      flags: { ...given.flags, stores: [...stores, ...namedStores(addresses, stores)] },
      env: process.env,
    });
  });
addConfigOptions(program.command('open'))
  .description('serve one store and show it in the explorer')
  .argument('<ADDRESS>', 'a store, or a node in it')
  .option('--browser', 'open the page in the browser of the system')
  .allowExcessArguments(false)
  .addHelpText(
    'after',
    `
Examples:
  zarrql open /data/sst.zarr
  zarrql open https://data.example.org/sst.zarr/temperature --browser

Prints the page's URL as one line on stdout. Listens on any free port unless --port is given.`,
  )
  .action(async (address: string, options: { readonly browser?: boolean }, command: Command) => {
    process.env['NODE_ENV'] ??= 'production';
    const { open } = await import('./cli/open.js');
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
program.hook('preSubcommand', async (_program, command) => {
  if (command.name() !== 'get') return;
  const { addFormatOption } = await import('./cli/format-option.js');
  addFormatOption(command);
});
addStats(program.command('stats'));
addImage(program.command('image'));
addZip(program.command('zip'));
addCodegen(program.command('codegen'));

await program.parseAsync();
