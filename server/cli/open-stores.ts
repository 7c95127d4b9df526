import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { ConfigError, type StoreConfig } from '../config.js';
import type { GatewayStore } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import {
  createFilesystemStore,
  createMemoryStore,
  isZarrError,
  type KeyStore,
  withMetrics,
} from '../zarr/index.js';

/** Time that a store has at the start to show itself. */
const probeTimeoutMs = 5000;

/**
 * Opens the configured stores and looks once at each. A folder or file of this computer that is not there is a slip
 * and ends the start; a store elsewhere may come later, so that one is only warned about.
 * @throws ConfigError naming every store that cannot be served
 */
export async function openStores(
  configs: readonly StoreConfig[],
  metrics: Pick<Metrics, 'stores'>,
  logger: Pick<Logger, 'warn'>,
): Promise<GatewayStore[]> {
  const problems: string[] = [];
  const stores: GatewayStore[] = [];
  await Promise.all(
    configs.map(async ({ name, url, description, writable }, i) => {
      try {
        const store = openStore(name, url, writable);
        stores[i] = { name, store: withMetrics(store, metrics.stores), description, writable };
        const problem = await probe(store);
        if (problem === undefined) return;
        if (isLocal(store, url)) problems.push(`store "${name}": ${problem}; is the path of --store right?`);
        else logger.warn({ store: name, problem }, 'a store does not answer; it is served all the same');
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        problems.push(`store "${name}": ${error.message}`);
      }
    }),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return stores;
}

async function probe(store: KeyStore): Promise<string | undefined> {
  try {
    await store.getMany([{ key: 'zarr.json' }], () => {}, { signal: AbortSignal.timeout(probeTimeoutMs) });
    return undefined;
  } catch (error) {
    if (isZarrError(error, 'ABORTED')) return `no answer within ${probeTimeoutMs} ms`;
    if (isZarrError(error)) return error.detail;
    throw error;
  }
}

function isLocal(store: KeyStore, url: string): boolean {
  return store.kind === 'FILESYSTEM' || (store.kind === 'ZIP' && !/^(https?|s3):/i.test(url));
}

/** A store by its URL: a path, `file:` or `memory:`. */
function openStore(label: string, url: string, writable: boolean): KeyStore {
  if (url === 'memory:' || url === 'memory://') return createMemoryStore({ label });
  if (/^file:/i.test(url))
    return createFilesystemStore({ label, root: fileURLToPath(url), readonly: !writable });
  if (/^[a-z][a-z0-9+.-]+:/i.test(url))
    throw new ConfigError([`"${url}" has a scheme that is not known: use a path, file:, or memory:`]);
  return createFilesystemStore({ label, root: url, readonly: !writable });
}
