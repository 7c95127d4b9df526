/** Programs that run jobs, and their time and memory. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../../dist/client/index.js';

const cli = join(import.meta.dirname, '../../dist/server/cli.js');

/** Frames of 1024 x 1024 float32 of a smooth field with noise, which compress to about 40 %. */
export function createFrames() {
  let state = 1;
  return (count) => {
    const values = new Float32Array(count * 1024 * 1024);
    for (let k = 0; k < values.length; k++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      values[k] = Math.round(Math.sin(k / 500) * 1000 + (state >>> 28)) / 16;
    }
    return values;
  };
}

/** Runs a program. @returns seconds, seconds of CPU time, and the largest resident size in MB */
export async function run(command, args, { until, ...settings } = {}) {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...settings });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  let [peak, cpu] = [0, 0];
  const timer = setInterval(() => {
    try {
      const resident = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      if (resident !== null) peak = Math.max(peak, Number(resident[1]) / 1000);
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
      cpu = (Number(fields[13]) + Number(fields[14])) / 100;
    } catch {
      // The process has ended.
    }
  }, 100);
  until?.(child);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  return { code, output, seconds: (performance.now() - start) / 1000, cpu, peak };
}

/** Seconds of CPU time of all threads, and seconds for which they waited for a processor. */
function timesOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ').map(Number),
  );
  return [0, 1].map((field) => sumOf(threads, field) / 1e9);
}

function sumOf(rows, field) {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

/**
 * Starts a gateway and workers, each on one processor, which share the Redis server of REDIS_URL.
 * @param stores options of all programs
 * @param use receives a function that runs a job: it returns the job, its seconds, and the memory and CPU time of workers
 */
export async function shareJobs(count, stores, use) {
  const prefix = `bench${count}-${process.pid}-${Math.round(performance.now())}`;
  const shared = ['--redis', process.env.REDIS_URL, '--redis-prefix', prefix, ...stores];
  const start = (args, processor) => {
    const child = spawn(
      'taskset',
      ['-c', String(processor % 2), process.execPath, cli, ...args, ...shared, '--log-level', 'error'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    return new Promise((resolve) =>
      child.stdout.once('data', (line) => resolve({ child, line: String(line).trim() })),
    );
  };
  const gateway = await start(['serve', '--port', '0', '--jobs', '--no-job-tasks'], 0);
  const workers = await Promise.all(
    Array.from({ length: count }, (_, i) => start(['worker', '--decoding-threads', '1'], i)),
  );
  const client = createClient({ url: gateway.line });
  const run = async (job) => {
    const { id } = await client.jobs.start(job);
    let last;
    for await (const state of client.jobs.watch(id)) last = state;
    if (last?.state !== 'SUCCEEDED')
      throw new Error(
        `the job ended as ${last?.state}: ${JSON.stringify(last?.error ?? last?.failures.slice(0, 2))}`,
      );
    const used = workers.map(({ child }) => timesOf(child.pid));
    return {
      job: last,
      seconds: (Date.parse(last.endedAt) - Date.parse(last.startedAt)) / 1000,
      peak: Math.max(
        ...workers.map(
          ({ child }) =>
            Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000,
        ),
      ),
      cpu: sumOf(used, 0),
      waited: sumOf(used, 1),
    };
  };
  try {
    return await use(run);
  } finally {
    for (const { child } of [gateway, ...workers]) child.kill('SIGKILL');
  }
}
