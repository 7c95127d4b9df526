/** Describes the machine and its background load. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export function describeMachine() {
  const all = cpus();
  return {
    cpus: all.length,
    model: all[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    platform: process.platform,
  };
}

/** Measures the share of busy CPU time over 200 ms: the background load, if this program does nothing meanwhile. */
export async function busyShare() {
  const before = cpuTimes();
  await delay(200);
  const after = cpuTimes();
  const busy = after.busy - before.busy;
  const idle = after.idle - before.idle;
  return Number((busy / Math.max(1, busy + idle)).toFixed(2));
}

function cpuTimes() {
  let [busy, idle] = [0, 0];
  for (const { times } of cpus()) {
    busy += times.user + times.nice + times.sys + times.irq;
    idle += times.idle;
  }
  return { busy, idle };
}

/** Reads the resident memory of a process in MB (10^6 bytes): current and peak. Returns zeros without /proc. */
export function residentMb(pid) {
  let status;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return { now: 0, peak: 0 };
  }
  const read = (name) =>
    Math.round((Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** CPU time of all threads of a process in ms, to less than a microsecond. Returns NaN without /proc. */
export function cpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + threadCpuMs(pid, thread), 0);
  } catch {
    return Number.NaN;
  }
}

function threadCpuMs(pid, thread) {
  const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}
