/**
 * The goals of speed and memory. A line has a goal for each of its columns, and a function that takes what is compared
 * with them from the rows of the parts of the benchmark: `undefined` if it was not measured, or failed.
 */
import { median } from '../report.mjs';

const codecs = ['raw', 'zstd', 'blosc', 'gzip', 'shard'];
const remote = ['raw', 'zstd', 'shard'];
const clients = [1, 16];
const perClients = clients.map((count) => `${count} client${count === 1 ? '' : 's'}`);
const [ours, bare] = ['zarrql CBOR', 'bare node:http'];
/** The default chunk cache, 256 MiB in MB, which the goals of memory allow for. */
const cacheMb = 268;

/** The operations and servers that the goals need. */
export const needed = {
  engines: ['zarrql', 'tensorstore'],
  codecs,
  remoteCodecs: remote,
  servers: [ours, bare],
  scenarios: ['meta', 'slice-same', 'series-same', 'slice', 'series'],
  clients,
};

export const goals = [
  rateLine('metadata query, of the rate of a bare server', 'meta', [0.5, 0.3]),
  rateLine('the same 1 MB slice again, of the rate of a bare server', 'slice-same', [0.6, 0.7]),
  rateLine('the same series again, of the rate of a bare server', 'series-same', [0.5, 0.3]),
  startLine('first slice after the start, ms', 40, ({ firstSliceMs }) => firstSliceMs),
  endLine('memory above the cache, after 16 clients, MB', 150, ({ now }) => now - cacheMb),
  endLine('the same 10 s later, MB', 150, ({ restMb }) => restMb - cacheMb),
  healthLine('p99 of `/livez` under load, ms', 50),
  engineLine('full read, of the time of tensorstore', 'full', [1.2, 1.2, 1.3, 1.2, 1.2]),
  engineLine('one element', 'elem', [1, 1, 1, 1, 1]),
  engineLine('100 boxes', 'slices', [1.2, 1.2, 1.2, 1.2, 1.5]),
  engineLine('planes', 'plane', [1.2, 1.2, 1.2, 1.2, 1.2]),
  engineLine('writes', 'write', [1.2, 1.2, 1.5, 1.2, 1.2]),
  remoteLine('full read from S3, of the time of tensorstore', 'full', 1.5),
  remoteLine('elements from S3', 'elem', 1.3),
  remoteLine('boxes from S3', 'slices', 1.2),
];

function rateLine(title, scenario, wanted) {
  return {
    title,
    columns: perClients,
    wanted,
    isAtLeast: true,
    measured: ({ gateway }) =>
      clients.map((count) => {
        const best = (server) => bestRate(gateway, { server, scenario, clients: count });
        return quotient(best(ours), best(bare));
      }),
  };
}

function startLine(title, most, of) {
  return { title, columns: [''], wanted: [most], measured: ({ gateway }) => [ofRow(gateway, 'start', of)] };
}

function endLine(title, most, of) {
  return { title, columns: [''], wanted: [most], measured: ({ gateway }) => [ofRow(gateway, 'end', of)] };
}

function ofRow(rows, scenario, of) {
  const row = rows.find((one) => one.server === ours && one.scenario === scenario);
  return row === undefined || row.problem !== undefined ? undefined : of(row);
}

function healthLine(title, most) {
  return {
    title,
    columns: [''],
    wanted: [most],
    measured({ gateway }) {
      const times = gateway.flatMap(({ health }) => (health === undefined ? [] : [health.p99]));
      return [times.length === 0 ? undefined : Math.max(...times)];
    },
  };
}

function engineLine(title, operation, wanted) {
  return timeLine({ part: 'engine', title, operation, columns: codecs, wanted });
}

function remoteLine(title, operation, most) {
  const wanted = remote.map(() => most);
  return timeLine({ part: 'stores', title, operation, columns: remote, wanted });
}

function timeLine({ part, title, operation, columns, wanted }) {
  return {
    title,
    columns,
    wanted,
    measured: (rows) =>
      columns.map((codec) => {
        const best = (engine) => bestTime(rows[part], { engine, operation, codec });
        return quotient(best('zarrql'), best('tensorstore'));
      }),
  };
}

function quotient(a, b) {
  return a === undefined || b === undefined ? undefined : a / b;
}

function matching(rows, wanted) {
  const found = rows.filter((row) => Object.entries(wanted).every(([name, value]) => row[name] === value));
  const isWhole = found.every((row) => row.problem === undefined && row.unavailable === undefined);
  return isWhole && found.length > 0 ? found : undefined;
}

function bestRate(rows, wanted) {
  const found = matching(rows, wanted);
  return found && Math.max(...found.map((row) => row.perSecond));
}

function bestTime(rows, wanted) {
  const found = matching(rows, wanted);
  return found && Math.min(...found.map((row) => median(row.seconds)));
}
