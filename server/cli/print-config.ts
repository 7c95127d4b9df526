/** `zarrql serve --print-config`: every option with its value and its origin. */
import { confidential, optionDescriptions, sizeText } from '../config.js';
import type { PlannedConfig } from './plan-config.js';

/** One line per option, with a heading per group. Secrets are hidden; of stores, only names and URLs are shown. */
export function printConfig({ config, origins, plan, memoryBytes }: PlannedConfig): string {
  const values: Readonly<Record<string, unknown>> = { ...config, ...config.limits, memory: memoryBytes };
  const rows = optionDescriptions.map((option) => {
    const path = option.path.join('.');
    const name = option.path.at(-1) ?? '';
    const origin = origins.get(path) ?? 'default';
    return { group: option.group, path, value: textOf(name, values[name], option.unit), origin };
  });
  const width = Math.max(...rows.map(({ path }) => path.length));
  const valueWidth = Math.min(24, Math.max(...rows.map(({ value }) => value.length)));
  let group = '';
  const lines: string[] = [];
  for (const row of rows) {
    if (row.group !== group) lines.push(`# ${row.group}`);
    ({ group } = row);
    lines.push(`${row.path.padEnd(width)}  ${row.value.padEnd(valueWidth)}  ${row.origin}`);
  }
  const parts = [
    ['runtime and threads', plan.runtimeBytes],
    ['caches and jobs', plan.cacheBytes],
    ['consolidated metadata in work', plan.documentBytes],
    ['requests and their garbage', plan.restBytes],
  ] as const;
  lines.push('# Memory', ...parts.map(([part, bytes]) => `${part.padEnd(width)}  ${mib(bytes)}`));
  return `${lines.join('\n')}\n`;
}

function textOf(name: string, value: unknown, unit: string | undefined): string {
  if (value === undefined) return '-';
  if (confidential.has(name)) return Array.isArray(value) ? `(${value.length})` : '(set)';
  if (name === 'stores') return Array.isArray(value) ? `(${value.length})` : '-';
  if (typeof value === 'number' && unit === 'bytes') return sizeText(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)}MiB`;
}
