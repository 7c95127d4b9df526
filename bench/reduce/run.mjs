/**
 * Compares a suite of operations: zarrql over HTTP, xarray in process, and the other engines of the suite. Every
 * measurement uses separate processes; measurements of one operation are adjacent. The order of engines rotates.
 */
import { busyShare } from '../machine.mjs';
import { saveResults, chosen } from '../report.mjs';
import { faultOf } from './operations.mjs';
import { enginesOf } from './engines.mjs';
import { suiteReport } from './report.mjs';

export async function benchSuite(suite, options) {
  const engines = enginesOf(suite);
  const names = chosen('engines', Object.keys(engines), options.engines);
  const requested = chosen('ops', Object.keys(suite.operations), options.ops);
  const rows = [];
  let turn = 0;
  for (let round = 1; round <= options.rounds; round++)
    for (const operation of requested) {
      turn++;
      for (let k = 0; k < names.length; k++) {
        const engine = names[(k + turn) % names.length];
        const row = { round, engine, operation, ...(await measure(suite, engines[engine], operation)) };
        console.error(progress(row));
        rows.push(row);
      }
    }
  console.log(suiteReport(suite, rows, names));
  console.log(
    `\nAll results: ${saveResults(suite.name, { ...options, engines: names, ops: requested }, rows)}`,
  );
  if (rows.some((row) => row.problem !== undefined)) process.exitCode = 1;
}

async function measure(suite, engine, operation) {
  const busy = await busyShare();
  try {
    const { result, ...outcome } = await engine(operation);
    if (outcome.unavailable !== undefined) return { busy, ...outcome };
    const fault = faultOf(suite, operation, result);
    return { busy, ...outcome, ...(fault === undefined ? {} : { problem: fault }) };
  } catch (error) {
    return { busy, problem: `failed: ${String(error.stderr ?? error).trim().split('\n').at(-1)}` }; // prettier-ignore
  }
}

function progress({ round, engine, operation, seconds, warmMs, unavailable, problem }) {
  const times = seconds?.map((one) => one.toFixed(3)).join(' ');
  const warm = warmMs === undefined ? '' : `, warm ${warmMs.toFixed(1)} ms`;
  return `${round} ${operation} ${engine}: ${problem ?? unavailable ?? `${times} s${warm}`}`;
}
