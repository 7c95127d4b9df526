import { figure, noise, ratio, table } from '../report.mjs';
import { scenarios } from './scenarios.mjs';
import { servers } from './servers.mjs';

/** One table per scenario and number of clients. Ratios compare the time per operation. */
export function gatewayReport(rows, names) {
  const ours = names.filter((name) => servers[name].kind === 'ours').slice(0, 2);
  const parts = [];
  for (const [scenario, { title }] of Object.entries(scenarios)) {
    const those = rows.filter((row) => row.scenario === scenario);
    for (const clients of new Set(those.map((row) => row.clients))) {
      const cells = those.filter((row) => row.clients === clients);
      const head = [
        '',
        'p50 ms',
        'p99 ms',
        'operations/s',
        'measured',
        '/livez p99 ms',
        ...ours.map((name) => `${name} / this row`),
      ];
      const lines = names.map((name) => line(cells, name, ours));
      parts.push(`**${title}, ${clients} ${clients === 1 ? 'client' : 'clients'}**\n\n${table(head, lines)}`);
    }
  }
  return [...parts, startTable(rows, names), ...remarks(rows)].join('\n\n');
}

function line(cells, name, ours) {
  const row = best(cells, name);
  if (row === undefined) return [name, '**failed**', '', '', '', '', ...ours.map(() => '')];
  const ratios = ours.map((own) => {
    const mine = best(cells, own);
    return own === name || mine === undefined ? '' : ratio(1 / mine.perSecond, 1 / row.perSecond);
  });
  return [
    name,
    figure(row.p50Ms),
    figure(row.p99Ms),
    figure(row.perSecond),
    String(row.operations),
    figure(row.health?.p99),
    ...ratios,
  ];
}

/** The best round; undefined if any response of any round was wrong. */
function best(cells, name) {
  const rounds = cells.filter((row) => row.server === name);
  if (rounds.length === 0 || rounds.some((row) => row.problem !== undefined)) return undefined;
  return rounds.reduce((a, b) => (b.perSecond > a.perSecond ? b : a));
}

function startTable(rows, names) {
  const lines = names.map((name) => {
    const [begin, end] = ['start', 'end'].map((scenario) =>
      rows.find((row) => row.server === name && row.scenario === scenario),
    );
    const memory = [begin?.idleMb, end?.now, end?.restMb, end?.peak].map((mb) => String(mb ?? ''));
    return [name, figure(begin?.readySeconds), figure(begin?.firstSliceMs), ...memory];
  });
  const head = ['', 'ready s', 'first slice ms', 'memory idle MB', 'after MB', '10 s later MB', 'peak MB'];
  return `**Start and memory**\n\n${table(head, lines)}`;
}

function remarks(rows) {
  const problems = rows.filter((row) => row.problem !== undefined);
  const lines = problems.map(
    (row) =>
      `- ${row.server}, ${row.scenario}${row.clients === undefined ? '' : `, c=${row.clients}`}: ${row.problem}`,
  );
  if (lines.length === 0) lines.push('- All responses were correct.');
  const cells = new Map();
  for (const { server, scenario, clients, perSecond } of rows) {
    const key = `${server} ${scenario} ${clients}`;
    if (perSecond !== undefined) cells.set(key, [...(cells.get(key) ?? []), perSecond]);
  }
  const busy = rows.flatMap((row) => (row.busy === undefined ? [] : [row.busy]));
  return [lines.join('\n'), ...(busy.length > 0 ? [noise(busy, [...cells.values()])] : [])];
}
