/** Arguments and help of `zarrql codegen`. */
import type { Command } from 'commander';
import type { CodegenOptions } from './codegen.js';
import { collect } from './serve-options.js';

export function addCodegen(command: Command): void {
  command
    .description('generate TypeScript types for the stores of a gateway')
    .requiredOption('--url <URL>', 'endpoint URL of the gateway, http://HOST:PORT/graphql')
    .requiredOption('--out <FILE>', 'TypeScript file to write; - for stdout')
    .option('--store <NAME>', 'include only this store; repeatable (default: all stores)', collect)
    .option('--header <TEXT>', 'request header "Name: value"; repeatable', collect)
    .option('--name <NAME>', 'name of the generated interface (default: Stores)')
    .option(
      '--runtime <MODULE>',
      'module that the generated file imports types from (default: zarrql-client)',
    )
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  zarrql codegen --url http://127.0.0.1:4000/graphql --out src/stores.gen.ts
  zarrql codegen --url https://data.example.org/graphql --header "authorization: Bearer $TOKEN" --out stores.gen.ts

createClient<Stores>({ url }) then checks store names, paths, dimensions, data types and attributes.`,
    )
    .action(async (options: CodegenOptions) => {
      const { codegen } = await import('./codegen.js');
      await codegen(options);
    });
}
