import { figure, median, noise, ratio, table } from '../report.mjs';

const titles = {
  full: ['Full read of 134 MB, s', 1],
  reuse: ['The same into memory that was used before, s', 1],
  elem: ['Single elements, each of a different chunk, ms', 1000],
  slices: ['100 boxes of 64^3 across chunks, s', 1],
  plane: ['One plane [i, :, :], ms', 1000],
  write: ['Writing the whole array, s', 1],
  tree: ['Listing 10,000 arrays with shape and type, s', 1],
};
const ours = 'zarrql';

/** Goals for the ratio of zarrql's time to that of tensorstore, by operation: for all codecs, and for single ones. */
const localGoals = {
  full: { all: 1.2, blosc: 1.3 },
  elem: { all: 1 },
  slices: { all: 1.2, shard: 1.5 },
  plane: { all: 1.2 },
  write: { all: 1.2, blosc: 1.5 },
};
/** The same for stores on a server. */
export const remoteGoals = { full: { all: 1.5 }, elem: { all: 1.3 }, slices: { all: 1.2 } };

/** Tables with the best round of each engine, and the ratios of zarrql's time and CPU time to those of each peer. */
export function engineReport(rows, engines, goals = localGoals) {
  const parts = [];
  for (const [operation, [title, scale]] of Object.entries(titles)) {
    const those = rows.filter((row) => row.operation === operation);
    if (those.length === 0) continue;
    const codecs = [...new Set(those.map((row) => row.codec))];
    const time = (engine, codec, key = 'seconds') => best(those, engine, codec, scale, key);
    const ratios = (engine, key) =>
      codecs.map((codec) => ratio(time(ours, codec, key), time(engine, codec, key)));
    const lines = [];
    for (const engine of engines)
      lines.push([engine, ...codecs.map((codec) => cell(those, engine, codec, scale))]);
    for (const engine of engines.includes(ours) ? engines : [])
      if (engine !== ours && codecs.some((codec) => time(engine, codec) !== undefined))
        lines.push(
          [`${ours} / ${engine}`, ...ratios(engine, 'seconds')],
          ['CPU time', ...ratios(engine, 'cpu')],
        );
    if (engines.includes(ours) && engines.includes('tensorstore') && goals[operation] !== undefined)
      lines.push([
        'goal: / tensorstore',
        ...codecs.map((codec) => `${goals[operation][codec] ?? goals[operation].all}x`),
      ]);
    parts.push(`**${title}**\n\n${table(['', ...codecs], lines)}`);
    if (operation === 'full') parts.push(memoryTable(those, engines, codecs));
  }
  return [...parts, ...remarks(rows)].join('\n\n');
}

function roundsOf(rows, engine, codec) {
  return rows.filter((row) => row.engine === engine && row.codec === codec);
}

/** Median of the repetitions in the best round; undefined if any round had a problem. @param key `seconds` or `cpu` */
function best(rows, engine, codec, scale, key = 'seconds') {
  const rounds = roundsOf(rows, engine, codec);
  if (rounds.some((row) => row.problem !== undefined || row.unavailable !== undefined)) return undefined;
  return rounds.length === 0 ? undefined : scale * Math.min(...rounds.map((row) => median(row[key])));
}

function cell(rows, engine, codec, scale) {
  const rounds = roundsOf(rows, engine, codec);
  const problem = rounds.find((row) => row.problem !== undefined)?.problem;
  if (problem !== undefined) return problem.startsWith('wrong result') ? '**wrong**' : '**failed**';
  if (rounds.some((row) => row.unavailable !== undefined)) return 'n/a';
  return figure(best(rows, engine, codec, scale));
}

function memoryTable(rows, engines, codecs) {
  const lines = engines.map((engine) => [
    engine,
    ...codecs.map((codec) => {
      const measured = roundsOf(rows, engine, codec).filter((row) => row.peakMb !== undefined);
      if (measured.length === 0) return '';
      return `${Math.max(...measured.map((row) => row.peakMb))} (${Math.min(...measured.map((row) => row.baseMb))})`;
    }),
  ]);
  return `**Peak memory of the full read, MB (before it)**\n\n${table(['', ...codecs], lines)}`;
}

function remarks(rows) {
  const named = (row, text) => `${row.engine}, ${row.operation}, ${row.codec}: ${text}`;
  const lines = new Set();
  for (const row of rows) {
    if (row.problem !== undefined) lines.add(`- ${named(row, row.problem)}`);
    else if (row.unavailable !== undefined) lines.add(`- ${named(row, `n/a, ${row.unavailable}`)}`);
  }
  if (!rows.some((row) => row.problem !== undefined)) lines.add('- All results equal the source data.');
  const cells = new Map();
  for (const { engine, operation, codec, seconds } of rows) {
    const key = `${engine} ${operation} ${codec}`;
    if (seconds !== undefined) cells.set(key, [...(cells.get(key) ?? []), median(seconds)]);
  }
  return [
    [...lines].join('\n'),
    noise(
      rows.map((row) => row.busy),
      [...cells.values()],
    ),
  ];
}
