/** What `zarrql-client codegen` and `zarrql codegen` do, without their arguments and files. */
import { createClient } from '../index.js';
import { readCatalog } from './read-catalog.js';
import { writeStores } from './stores-plugin.js';

export interface CodegenOptions {
  readonly url: string;
  readonly store?: readonly string[] | undefined;
  readonly header?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly runtime?: string | undefined;
}

/** An invalid option. */
export class CodegenOptionError extends Error {}

/**
 * Reads the stores of a gateway.
 * @param report called at most once, with what was omitted
 * @returns TypeScript
 * @throws CodegenOptionError; errors of the client
 */
export async function generateStores(
  { url, store: stores, header = [], name, runtime }: CodegenOptions,
  report: (omitted: string) => void,
): Promise<string> {
  if (name !== undefined && !/^[A-Za-z_$][\w$]*$/.test(name))
    throw new CodegenOptionError(`--name is ${name}; expected a valid TypeScript name`);
  const client = createClient({ url, headers: parseHeaders(header) });
  const problems: string[] = [];
  const catalog = await readCatalog(client, { stores, onError: ({ message }) => problems.push(message) });
  if (problems.length > 0) report(omissions(problems));
  const missing = stores?.filter((each) => !catalog.stores.some(({ name: known }) => known === each)) ?? [];
  if (missing.length > 0)
    throw new CodegenOptionError(
      `--store: the gateway has no store ${missing.map((each) => JSON.stringify(each)).join(', ')}; omit --store to include all stores`,
    );
  return writeStores(catalog, { runtime, name });
}

/** One line, because a damaged store may have thousands of such arrays. */
export function omissions([first = '', ...others]: readonly string[]): string {
  return others.length === 0
    ? `omitted 1 array: ${first}`
    : `omitted ${others.length + 1} arrays; the first: ${first}`;
}

export function parseHeaders(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? [];
      // The value may be a secret, so it is not repeated.
      if (name === undefined || value === undefined)
        throw new CodegenOptionError('--header must have the form "Name: value"');
      return [name, value];
    }),
  );
}
