import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { ConfigError } from './errors.js';

/**
 * A configuration file as plain data: YAML, of which JSON is a part. Relative paths of stores are counted from the
 * file's folder.
 * @throws ConfigError if it cannot be read, is no YAML, or holds no mapping
 */
export function readConfigFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError([`--config ${path}: cannot be read (${reason(cause)})`], { cause });
  }
  let data: unknown;
  try {
    data = parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw new ConfigError([`--config ${path}: is neither YAML nor JSON: ${reason(cause)}`], { cause });
  }
  if (data === null || data === undefined) return {};
  if (!isRecord(data)) throw new ConfigError([`--config ${path}: expected a mapping of options to values`]);
  return Array.isArray(data['stores'])
    ? { ...data, stores: data['stores'].map((store) => rooted(store, path)) }
    : data;
}

function rooted(store: unknown, configPath: string): unknown {
  if (!isRecord(store) || typeof store['url'] !== 'string' || !isPath(store['url'])) return store;
  return { ...store, url: resolve(dirname(configPath), store['url']) };
}

/** Whether a store's URL is a path of this computer; one letter before a colon is a drive. */
function isPath(url: string): boolean {
  return url !== '' && !/^[a-z][a-z0-9+.-]+:/i.test(url);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'there is no such file';
  return error.message.split('\n')[0] ?? error.message;
}
