import { figure, median, noise, ratio, table } from '../report.mjs';

const ours = 'zarrql';

/** The seconds of each engine and their ratios to zarrql, then the other goals with the measured values. */
export function suiteReport({ operations }, rows, engines) {
  const requested = Object.keys(operations).filter((name) => rows.some((row) => row.operation === name));
  const peers = engines.filter((name) => name !== ours);
  const times = requested.map((name) => [
    operations[name].title,
    ...engines.map((engine) => cell(rows, engine, name)),
    ...(engines.includes(ours)
      ? peers.map((peer) => ratio(best(rows, ours, name), best(rows, peer, name)))
      : []),
  ]);
  const ratios = engines.includes(ours) ? peers.map((peer) => `${ours} / ${peer}`) : [];
  const goal = 'Seconds without caches. Goal: at most the time of the faster xarray variant.';
  const parts = [`**${goal}**\n\n${table(['', ...engines, ...ratios], times)}`];
  if (engines.includes(ours)) parts.push(promises(operations, rows, requested));
  const peak = requested.map((name) => [
    operations[name].title,
    ...engines.map((engine) => String(memoryOf(rows, engine, name) ?? '')),
  ]);
  parts.push(`**Increase in peak memory, MB. Goal: zarrql below 300**\n\n${table(['', ...engines], peak)}`);
  return [...parts, ...remarks(rows)].join('\n\n');
}

function promises(operations, rows, requested) {
  const lines = requested.map((name) => {
    const those = rounds(rows, ours, name).filter((row) => row.warmMs !== undefined);
    const least = (of) => figure(Math.min(...those.map(of)));
    const most = (of) => figure(Math.max(...those.map(of)));
    if (those.length === 0) return [operations[name].title, '', '', ''];
    return [
      operations[name].title,
      least((row) => row.warmMs),
      most((row) => row.healthMs.p99),
      most((row) => row.healthMs.longest),
    ];
  });
  const head = ['', 'again, ms (goal 10)', '`/livez` p99, ms (goal 50)', 'longest, ms'];
  return `**Repeated request from the result cache, and latency of \`/livez\` during the computation**\n\n${table(head, lines)}`;
}

function rounds(rows, engine, operation) {
  return rows.filter((row) => row.engine === engine && row.operation === operation);
}

/** Median of the repetitions in the best round; undefined if any round had a problem. */
function best(rows, engine, operation) {
  const those = rounds(rows, engine, operation);
  if (those.some((row) => row.problem !== undefined || row.unavailable !== undefined)) return undefined;
  return those.length === 0 ? undefined : Math.min(...those.map((row) => median(row.seconds)));
}

function cell(rows, engine, operation) {
  const those = rounds(rows, engine, operation);
  const problem = those.find((row) => row.problem !== undefined)?.problem;
  if (problem !== undefined) return problem.startsWith('wrong result') ? '**wrong**' : '**failed**';
  if (those.some((row) => row.unavailable !== undefined)) return 'n/a';
  return figure(best(rows, engine, operation));
}

function memoryOf(rows, engine, operation) {
  const those = rounds(rows, engine, operation).filter((row) => row.peakMb !== undefined);
  return those.length === 0 ? undefined : Math.max(...those.map(({ peakMb, baseMb }) => peakMb - baseMb));
}

function remarks(rows) {
  const problems = rows.filter((row) => row.problem !== undefined);
  const lines = problems.map(({ engine, operation, problem }) => `- ${engine}, ${operation}: ${problem}`);
  if (lines.length === 0) lines.push('- All results equal those of NumPy in float64, within 0.02 %.');
  const cells = new Map();
  for (const { engine, operation, seconds } of rows)
    if (seconds !== undefined) {
      const key = `${engine} ${operation}`;
      cells.set(key, [...(cells.get(key) ?? []), median(seconds)]);
    }
  return [lines.join('\n'), noise(rows.map((row) => row.busy), [...cells.values()])]; // prettier-ignore
}
