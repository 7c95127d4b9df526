/** `zarrql schema`: prints the schema of the gateway. */
import { subgraphSdl, typeDefs } from '../gateway/schema-text.js';
import { runCommand, UsageError } from './run-command.js';

export interface SchemaOptions {
  /** Whether to print the schema of a subgraph. @default false */
  readonly federation?: boolean;
  /** Start of the names of types in the subgraph. */
  readonly prefix?: string;
}

export function printSchemaText({ federation = false, prefix }: SchemaOptions): Promise<void> {
  return runCommand(async () => {
    if (prefix !== undefined && !federation) throw new UsageError('--prefix requires --federation');
    process.stdout.write(federation ? subgraphSdl({ prefix }) : `${typeDefs}\n`);
  });
}
