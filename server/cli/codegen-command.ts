/** The command that writes the types of a gateway's stores: its arguments and help. */
import type { Command } from 'commander';
import type { CodegenOptions } from './codegen.js';
import { collect } from './serve-options.js';

export function addCodegen(command: Command): void {
  command
    .description("write the types of a gateway's stores, for createClient of zarrql-client")
    .requiredOption('--url <URL>', "the gateway's address, http://HOST:PORT/graphql")
    .requiredOption('--out <FILE>', 'the TypeScript file to write; - for stdout')
    .option('--store <NAME>', 'only this store; again for another (default: all)', collect)
    .option('--header <TEXT>', '"Name: value" to send along; again for another', collect)
    .option('--name <NAME>', "the interface's name (default: Stores)")
    .option('--runtime <MODULE>', 'where the types come from (default: zarrql-client)')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  zarrql codegen --url http://127.0.0.1:4000/graphql --out src/stores.gen.ts
  zarrql codegen --url https://data.example.org/graphql --header "authorization: Bearer $TOKEN" --out stores.gen.ts

Then createClient<Stores>({ url }) knows the names, dimensions, data types and attributes of what is there.`,
    )
    .action(async (options: CodegenOptions) => {
      const { codegen } = await import('./codegen.js');
      await codegen(options);
    });
}
