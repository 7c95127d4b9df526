/** `zarrql codegen`: reads the stores of a gateway and writes them as TypeScript types. */
import { createClient, isZarrqlError } from '../../client/index.js';
import { readCatalog, writeStores } from '../../client/codegen/index.js';
import { writeOutput } from './output.js';
import { runCommand, UsageError, fail, print } from './run-command.js';

export interface CodegenOptions {
  readonly url: string;
  readonly out: string;
  readonly store?: readonly string[];
  readonly header?: readonly string[];
  readonly name?: string;
  readonly runtime?: string;
}

export async function codegen(options: CodegenOptions): Promise<void> {
  await runCommand(async () => {
    const { url, out, store: stores, name, runtime } = options;
    if (name !== undefined && !/^[A-Za-z_$][\w$]*$/.test(name))
      throw new UsageError(`--name is ${name}; expected a valid TypeScript name`);
    try {
      const client = createClient({ url, headers: parseHeaders(options.header ?? []) });
      const problems: string[] = [];
      const catalog = await readCatalog(client, { stores, onError: ({ message }) => problems.push(message) });
      if (problems.length > 0) print(omissions(problems));
      const missing =
        stores?.filter((each) => !catalog.stores.some(({ name: known }) => known === each)) ?? [];
      if (missing.length > 0)
        throw new UsageError(
          `--store: the gateway has no store ${missing.map((each) => JSON.stringify(each)).join(', ')}; omit --store to include all stores`,
        );
      await writeOutput([writeStores(catalog, { runtime, name })], out === '-' ? undefined : out);
    } catch (error) {
      if (!isZarrqlError(error)) throw error;
      fail(error.message);
    }
  });
}

/** One line, because a damaged store may have thousands of such arrays. */
export function omissions([first = '', ...others]: readonly string[]): string {
  return others.length === 0
    ? `omitted 1 array: ${first}`
    : `omitted ${others.length + 1} arrays; the first: ${first}`;
}

function parseHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? [];
      // The value may be a secret, so it is not repeated.
      if (name === undefined || value === undefined)
        throw new UsageError('--header must have the form "Name: value"');
      return [name, value];
    }),
  );
}
