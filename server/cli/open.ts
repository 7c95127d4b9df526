/** `zarrql open ADDRESS`: serves one store, and shows it in the explorer. */
import { spawn } from 'node:child_process';
import type { ConfigSources } from '../config.js';
import { addressLevels } from './address.js';
import { locateNode } from './locate-node.js';
import { storeNameOf } from './open-stores.js';
import { runCommand } from './run-command.js';
import { serve } from './serve.js';

export interface OpenOptions {
  /** Whether to open the page in the system's browser. */
  readonly browser: boolean;
}

/**
 * Prints the page's URL as the only line on stdout. Without the flags `--port` and `--log-level`, listens on any free
 * port and logs only problems.
 * @param address a store, or a node in it
 */
export async function open(address: string, sources: ConfigSources, { browser }: OpenOptions): Promise<void> {
  await runCommand(async () => {
    const { node } = await locateNode(address);
    const { path } = node;
    const store = addressLevels(address).find((level) => level.path === path)?.url ?? address;
    const name = storeNameOf(store);
    const flags = { port: '0', logLevel: 'warn', ...sources.flags, stores: [`${name}=${store}`] };
    await serve({ ...sources, flags }, (endpoint) => {
      const page = new URL('/', endpoint).href + fragmentOf(name, path);
      if (browser) openInBrowser(page);
      return page;
    });
  });
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
