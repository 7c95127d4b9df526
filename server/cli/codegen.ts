/** `zarrql codegen`: the same as `zarrql-client codegen`. */
import { isZarrqlError } from '../../client/index.js';
import { CodegenOptionError, generateStores, type CodegenOptions } from '../../client/codegen/command.js';
import { writeOutput } from './output.js';
import { runCommand, UsageError, fail, print } from './run-command.js';

export interface CodegenArguments extends CodegenOptions {
  readonly out: string;
}

export async function codegen({ out, ...options }: CodegenArguments): Promise<void> {
  await runCommand(async () => {
    try {
      await writeOutput([await generateStores(options, print)], out === '-' ? undefined : out);
    } catch (error) {
      if (error instanceof CodegenOptionError) throw new UsageError(error.message);
      if (!isZarrqlError(error)) throw error;
      fail(error.message);
    }
  });
}
