// `npm start`: builds if necessary and serves the sample stores of examples/data. Arguments after `npm start --` are
// passed to `zarrql serve`, for example `npm start -- --port 5000`.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from './build.mjs';

const root = dirname(import.meta.dirname);
// The last three have odd names, times and units; tests and examples of the reference use them.
const samples = {
  ocean: 'ocean',
  winds: 'winds',
  relief: 'relief',
  coads: 'coads',
  navy_winds: 'navy_winds_v2',
  etopo20: 'etopo20_sharded',
};

await build({ ifStale: true });

const stores = Object.entries(samples).flatMap(([name, folder]) => [
  '--store',
  `${name}=${join(root, 'examples/data', `${folder}.zarr`)}`,
]);
const child = spawn(
  process.execPath,
  [join(root, 'dist/server/cli.js'), 'serve', ...stores, ...process.argv.slice(2)],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

// Forwards signals: the server finishes its requests after the first one, and exits immediately after a second one.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`zarrql: could not start the server: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

createInterface({ input: child.stdout }).on('line', (line) => {
  console.log(line);
  const url = /^http\S+/.exec(line)?.[0];
  if (url !== undefined) console.log(firstQuery(url));
});

function firstQuery(url) {
  const query = '{ sst(time: { at: "2021-03" }, lat: { between: { from: -5, to: 5 } }) { mean { value } } }';
  return `
Explorer:  ${new URL('/', url).href}
GraphiQL:  ${url}/ocean

How warm is the sea near the equator in March? For GraphiQL, or another terminal:

curl -s ${url}/ocean -H 'content-type: application/json' -d '${JSON.stringify({ query })}'
`;
}
