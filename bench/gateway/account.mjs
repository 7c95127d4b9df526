/**
 * Who holds the memory of a gateway after 16 clients: `node bench/gateway/account.mjs [FLAGS OF zarrql serve]` prints the
 * resident memory by kind of mapping, in MB, before requests for slices, after them, and after 12 idle seconds. Variables
 * of the C library, such as `MALLOC_MMAP_THRESHOLD_`, apply to the gateway. Requires `npm run bench -- setup`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder } from '../folders.mjs';
import { startGateway } from '../growth/gateway.mjs';
import { figure, table } from '../report.mjs';
import { times } from './scenarios.mjs';

const [clients, requests, idleMs] = [16, 400, 12_000];
const query =
  'query($t: BigInt!) { store(name: "ds") { array(path: "t2m") { slice(select: { dims: [{ index: $t }] }) { values } } } }';
/** Pages of V8's heaps have 256 KiB, and neighbours are one mapping. */
const LARGE_BYTES = 2 ** 20;

const gateway = await startGateway([
  ...['--store', `ds=${join(dataFolder, 'gateway/ds.zarr')}`],
  ...process.argv.slice(2),
]);
try {
  const accounts = { idle: accountOf(gateway.pid) };
  const cpu = gateway.cpuMs();
  let next = 0;
  const client = async () => {
    while (next < requests)
      await gateway.query(query, { variables: { t: (next++ * 151) % times }, accept: 'application/cbor' });
  };
  await Promise.all(Array.from({ length: clients }, client));
  const cpuPerRequest = (gateway.cpuMs() - cpu) / requests;
  accounts['after requests'] = accountOf(gateway.pid);
  await delay(idleMs);
  accounts['after idle seconds'] = accountOf(gateway.pid);
  const kinds = Object.keys(accounts.idle);
  console.log(
    table(
      ['MB', ...kinds],
      Object.entries(accounts).map(([when, account]) => [
        when,
        ...kinds.map((kind) => figure(account[kind])),
      ]),
    ),
  );
  console.log(`\n${figure(cpuPerRequest)} ms of CPU time per request`);
} finally {
  await gateway.stop();
}

/** Resident memory in MB. */
function accountOf(pid) {
  const account = {
    all: 0,
    'heap of the C library': 0,
    'small mappings (heaps of V8)': 0,
    'large mappings': 0,
    files: 0,
  };
  let kind = 'files';
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const mapping = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \S+ *(.*)$/.exec(line);
    if (mapping !== null) {
      const bytes = Number.parseInt(mapping[2], 16) - Number.parseInt(mapping[1], 16);
      if (mapping[3] === '[heap]') kind = 'heap of the C library';
      else if (mapping[3].startsWith('/')) kind = 'files';
      else kind = bytes < LARGE_BYTES ? 'small mappings (heaps of V8)' : 'large mappings';
    } else if (line.startsWith('Rss:')) {
      const mb = (Number(line.split(/\s+/)[1]) * 1024) / 1e6;
      account[kind] += mb;
      account.all += mb;
    }
  }
  return account;
}
