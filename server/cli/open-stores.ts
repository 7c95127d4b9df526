import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.js';
import type { GatewayStore } from '../gateway/options.js';
import type { Metrics } from '../http/metrics.js';
import { openOptionsOf } from './store-options.js';
import { isZarrError, type KeyStore, type StoreKind, openStoreFromUrl } from '../zarr/index.js';

/** Time that a store has at the start to show itself. */
const probeTimeoutMs = 5000;

const topDocuments = ['zarr.json', '.zgroup', '.zarray', 'meta'];
const notWritable: Readonly<Partial<Record<StoreKind, string>>> = {
  ZIP: 'a store is read-only all the same: an archive that is there cannot be written into, a new one can',
  HTTP: 'a store is read-only all the same: web servers take no writes',
};
const foreignWrite =
  'a program that does not take the lock changed an object during a change of ours; both writes were kept or one was refused, but such programs can lose changes';
const nothingThere = 'a store has no Zarr metadata at its top; is its address right?';

/**
 * Opens the configured stores and looks once at each. A folder or file of this computer that is not there is a slip
 * and ends the start; a store elsewhere may come later, so that one is only warned about.
 * @throws ConfigError naming every store that cannot be served
 */
export async function openStores(
  { stores: configs, requestTimeoutMs }: Pick<Config, 'stores' | 'requestTimeoutMs'>,
  metrics: Pick<Metrics, 'stores'>,
  logger: Pick<Logger, 'warn'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GatewayStore[]> {
  const problems: string[] = [];
  const stores: GatewayStore[] = [];
  await Promise.all(
    configs.map(async (config, i) => {
      const { name, url, description, writable, cacheControl, netcdfShuffle } = config;
      try {
        const options = openOptionsOf(config, env, requestTimeoutMs);
        const store = openStoreFromUrl(name, url, {
          ...options,
          // The disk of a folder that is missing may not be mounted.
          filesystem: { create: false, ...options.filesystem },
          metrics: metrics.stores,
          onForeignWrite: (key) => logger.warn({ store: name, key }, foreignWrite),
        });
        if (writable && !store.can.write) logger.warn({ store: name }, notWritable[store.kind]);
        stores[i] = {
          name,
          store,
          description,
          writable: writable && store.can.write,
          cacheControl,
          netcdfShuffle,
        };
        const problem = await probe(store);
        if (problem === undefined) return;
        if (problem === nothingThere) {
          if (!writable) logger.warn({ store: name }, nothingThere);
        } else if (isLocal(store, url))
          problems.push(`store "${name}": ${problem}; is the path of --store right?`);
        else logger.warn({ store: name, problem }, 'a store does not answer; it is served all the same');
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof ConfigError) {
          problems.push(...error.problems);
          return;
        }
        problems.push(`store "${name}": ${isZarrError(error) ? error.detail : error.message}`);
      }
    }),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return stores;
}

/** What is wrong with a store, as its first read shows it. */
async function probe(store: KeyStore): Promise<string | undefined> {
  let found = false;
  try {
    await store.getMany(
      topDocuments.map((key) => ({ key })),
      (_, answer) => {
        found ||= answer !== undefined;
      },
      { signal: AbortSignal.timeout(probeTimeoutMs) },
    );
    return found ? undefined : nothingThere;
  } catch (error) {
    if (isZarrError(error, 'ABORTED')) return `no answer within ${probeTimeoutMs} ms`;
    if (isZarrError(error)) return error.detail;
    throw error;
  }
}

function isLocal(store: KeyStore, url: string): boolean {
  return store.kind === 'FILESYSTEM' || (store.kind === 'ZIP' && !/^(https?|s3):/i.test(url));
}
