/** `zarrql open ADDRESS`: serves one store, or the stores below a folder, and shows them in the explorer. */
import { spawn } from 'node:child_process';
import type { ConfigSources } from '../config.js';
import { isZarrError, openStoreFromUrl } from '../zarr/index.js';
import { addressLevels, archiveName } from './address.js';
import { locateNode } from './locate-node.js';
import { storeNameOf } from './store-names.js';
import { runCommand } from './run-command.js';
import { serve } from './serve.js';

export interface OpenOptions {
  /** Whether to open the page in the system's browser. */
  readonly browser: boolean;
}

/**
 * Prints the page's URL as the only line on stdout. Without the flags `--port` and `--log-level`, listens on any free
 * port and logs only problems.
 * @param address a store, a node in it, or a folder of stores
 */
export async function open(address: string, sources: ConfigSources, { browser }: OpenOptions): Promise<void> {
  await runCommand(async () => {
    const path = await pathAt(address);
    const store = path === undefined ? address : (addressLevels(address).find((level) => level.path === path)?.url ?? address); // prettier-ignore
    const name = storeNameOf(store);
    const flags = { port: '0', logLevel: 'warn', ...sources.flags, stores: [`${name}=${store}`] };
    const lineOf = (endpoint: string): string => {
      const page = new URL('/', endpoint).href + (path === undefined ? '' : fragmentOf(name, path));
      if (browser) openInBrowser(page);
      return page;
    };
    await serve({ ...sources, flags }, { lineOf, addresses: new Set(path === undefined ? [name] : []) });
  });
}

/**
 * The path of the node at an address in its store; undefined for a folder that may contain stores.
 * @throws errors from `locateNode`
 */
async function pathAt(address: string): Promise<string | undefined> {
  try {
    return (await locateNode(address)).node.path;
  } catch (error) {
    const [level] = addressLevels(address);
    if (!isZarrError(error, 'NOT_FOUND') || level === undefined) throw error;
    const top = openStoreFromUrl(level.label, level.url, { maxAgeMs: 0, cacheBytes: 0 });
    try {
      const isFolder = !archiveName.test(level.url) && top.can.list;
      const list = isFolder ? await top.list('') : { folders: [], keys: [] };
      if (list.folders.length === 0 && !list.keys.some((key) => archiveName.test(key))) throw error;
      return undefined;
    } finally {
      await top.close();
    }
  }
}

/** The node in the notation of the explorer's URL fragment. */
function fragmentOf(store: string, path: string): string {
  return `#/${[store, ...path.split('/').filter(Boolean)].map(encodeURIComponent).join('/')}`;
}

/** The URL is printed anyway, so a missing browser is not an error. */
function openInBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', url]]
        : ['xdg-open', [url]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
