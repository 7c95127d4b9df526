/** Writes Markdown tables and JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { installedVersions } from './setup/setup.mjs';
import { resultsFolder } from './folders.mjs';
import { describeMachine } from './machine.mjs';

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Formats a number with about three significant digits: 0.052, 0.36, 12.5, 134. */
export function figure(value) {
  if (value === undefined || !Number.isFinite(value)) return '';
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3);
}

/** The ratio of our time to the time of a peer. */
export function ratio(ours, peer) {
  return ours === undefined || peer === undefined ? '' : `${figure(ours / peer)}x`;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Describes the noise: the load before each measurement, and the spread between rounds of one cell. */
export function noise(busy, cells) {
  const spread = cells
    .filter((rounds) => rounds.length > 1)
    .map((rounds) => Math.max(...rounds) / Math.min(...rounds));
  const load = `Background load before each measurement: median ${percent(median(busy))}, at most ${percent(Math.max(...busy))}.`;
  if (spread.length === 0) return `${load} Only one round, so the spread between rounds is unknown.`;
  return `${load} Ratio of the worst to the best round of a cell: median ${figure(median(spread))}x, at most ${figure(Math.max(...spread))}x.`;
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** @returns the path of the written file */
export function saveResults(kind, options, rows) {
  const when = new Date();
  const name = `${kind}-${when.toISOString().slice(0, 19).replaceAll(':', '')}.json`;
  const file = resolve(options.json ?? join(resultsFolder, name));
  mkdirSync(dirname(file), { recursive: true });
  const document = {
    kind,
    when: when.toISOString(),
    machine: describeMachine(),
    versions: installedVersions(),
    options,
    rows,
  };
  writeFileSync(file, JSON.stringify(document, null, 1));
  return file;
}

/** @returns the requested names in their canonical order; @throws Error for an unknown name */
export function chosen(option, known, requested, otherwise = known) {
  if (requested === undefined) return otherwise;
  const wrong = requested.filter((name) => !known.includes(name));
  if (wrong.length > 0)
    throw new Error(`--${option}: unknown ${wrong.join(', ')}; expected one of ${known.join(', ')}`);
  return known.filter((name) => requested.includes(name));
}
