import { figure, noise, ratio, table } from '../report.mjs';
import { scenarios } from './servers.mjs';

const ours = 'zarrql';

/** The milliseconds of each server, and the ratios of zarrql to the others. */
export function pictureReport(rows, servers) {
  const requested = Object.keys(scenarios).filter((name) => rows.some((row) => row.scenario === name));
  const peers = servers.filter((name) => !name.startsWith(ours));
  const lines = requested.flatMap((scenario) =>
    [
      ['cold', 'coldMs'],
      ['warm', 'warmMs'],
    ].map(([title, field]) => [
      `${scenarios[scenario].title}, ${title}`,
      ...servers.map((server) => cell(rows, server, scenario, field)),
      ...peers.map((peer) => ratio(best(rows, ours, scenario, field), best(rows, peer, scenario, field))),
    ]),
  );
  const head = ['', ...servers, ...peers.map((peer) => `${ours} / ${peer}`)];
  const others = requested.flatMap((scenario) => [
    [`${scenarios[scenario].title}, bytes`, ...servers.map((server) => least(rows, server, scenario, ({ bytes }) => bytes))],
    [`${scenarios[scenario].title}, peak MB`, ...servers.map((server) => least(rows, server, scenario, ({ peakMb }) => peakMb))],
  ]); // prettier-ignore
  return [
    `**Milliseconds. Goal: faster than both peers**\n\n${table(head, lines)}`,
    `**Size of the file, and peak memory of the server**\n\n${table(['', ...servers], others)}`,
    ...rows.flatMap(({ server, scenario, problem }) => (problem === undefined ? [] : [`- ${server}, ${scenario}: ${problem}`])),
    noise(
      rows.map((row) => row.busy),
      requested.flatMap((scenario) => servers.map((server) => those(rows, server, scenario).map(({ coldMs }) => coldMs))),
    ),
  ].join('\n\n'); // prettier-ignore
}

function those(rows, server, scenario) {
  return rows.filter(
    (row) => row.server === server && row.scenario === scenario && row.problem === undefined,
  );
}

function least(rows, server, scenario, of) {
  const found = those(rows, server, scenario);
  return found.length === 0 ? '' : String(Math.round(Math.min(...found.map(of))));
}

function best(rows, server, scenario, field) {
  const found = those(rows, server, scenario);
  return found.length === 0 ? undefined : Math.min(...found.map((row) => row[field]));
}

function cell(rows, server, scenario, field) {
  const value = best(rows, server, scenario, field);
  return value === undefined ? '**failed**' : figure(value);
}
