/** `zarrql codegen`: the same as `zarrql-client codegen`. */
import { isZarrqlError } from '../../client/index.js';
import { CodegenOptionError, generateStores, type CodegenOptions } from '../../client/codegen/command.js';
import { CodegenDocumentError, generateStoreDocuments } from '../../client/codegen/store-documents.js';
import { writeOutput } from './output.js';
import { runCommand, UsageError, fail, print } from './run-command.js';

export interface CodegenArguments extends CodegenOptions {
  readonly out: string;
  readonly documents?: readonly string[] | undefined;
}

export async function codegen({ out, documents, ...options }: CodegenArguments): Promise<void> {
  await runCommand(async () => {
    try {
      const code = await (documents === undefined ? generateStores(options, print) : generateStoreDocuments({ ...options, documents })); // prettier-ignore
      await writeOutput([code], out === '-' ? undefined : out);
    } catch (error) {
      if (error instanceof CodegenOptionError) throw new UsageError(error.message);
      if (!isZarrqlError(error) && !(error instanceof CodegenDocumentError)) throw error;
      fail(error.message);
    }
  });
}
