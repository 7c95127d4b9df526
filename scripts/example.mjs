// `npm run example NAME`: serves the sample stores and one page of examples/, and prints its address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from 'vite';
import { installIn } from './installed.mjs';

const root = dirname(import.meta.dirname);
const name = process.argv[2] ?? '';
const folders = readdirSync(join(root, 'examples')).filter((each) =>
  existsSync(join(root, 'examples', each, 'index.html')),
);
/** `charts` for dashboard-charts, `maplibre` for map-maplibre. @param {string} folder */
const nameOf = (folder) => folder.slice(folder.indexOf('-') + 1);
const found = folders.find((each) => nameOf(each) === name);
if (found === undefined) {
  console.error(`npm run example NAME: expected one of ${folders.map(nameOf).join(', ')}`);
  process.exit(2);
}
const folder = join(root, 'examples', found);
installIn(folder);
// An example with live values includes a program that writes them to a separate store.
const writer = join(folder, 'writer.ts');
const live = existsSync(writer) ? ['--store', 'live=memory:', '--allow-write', 'live'] : [];
const gateway = spawn(
  process.execPath,
  [join(root, 'scripts/start.mjs'), '--port', '0', '--log-level', 'warn', ...live],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
process.on('exit', () => gateway.kill());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
const [endpoint] = await once(createInterface({ input: gateway.stdout }), 'line');
const { origin } = new URL(endpoint);
if (live.length > 0) await startWriter();
const server = await createServer({
  root: folder,
  configFile: join(root, 'examples/vite.config.ts'),
  // Keeps the `Host` header of the page, so that links to tiles have the same origin.
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/tiles', '/files', '/zarr'].map((path) => [
        path,
        { target: origin, changeOrigin: false },
      ]),
    ),
  },
});
await server.listen();
server.printUrls();

async function startWriter() {
  const child = spawn(process.execPath, ['--conditions=zarrql-source', '--import', 'tsx', writer], {
    cwd: root,
    env: { ...process.env, GATEWAY: endpoint },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  await once(createInterface({ input: child.stdout }), 'line');
}
