/** A plugin for GraphQL Code Generator that writes the types of a gateway's stores: `zarrql-client/codegen/stores`. */
import { createClient } from '../client.js';
import type { HeaderSource } from '../options.js';
import { readCatalog } from './read-catalog.js';
import { writeStores } from './write-stores.js';

export interface StoresPluginConfig {
  /** URL of the gateway. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Only these stores. @default all */
  readonly stores?: readonly string[] | undefined;
  /** The module that exports the types. @default 'zarrql-client' */
  readonly runtime?: string | undefined;
}

/** Called by the generator. @throws ZarrqlError if the gateway cannot be read */
export async function plugin(
  _schema: unknown,
  _documents: unknown,
  { url, headers, stores, runtime }: StoresPluginConfig,
): Promise<string> {
  const given: HeaderSource | undefined = headers;
  return writeStores(await readCatalog(createClient({ url, headers: given }), { stores }), { runtime });
}
