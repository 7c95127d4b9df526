import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, YAMLError } from 'yaml';
import { rootedSource } from './secrets.js';
import { ConfigError } from './values.js';
import { isRecord } from '../../wire/guards.js';

/**
 * Reads a configuration file as plain data: YAML (which includes JSON). Relative paths are resolved against
 * the file's folder.
 * @throws ConfigError if it cannot be read, is not YAML, or is not a mapping
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
    // YAML warnings quote lines, which may contain secrets.
    data = parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (cause) {
    throw new ConfigError([`--config ${path}: not valid YAML or JSON${locationOf(cause)}`], { cause });
  }
  if (data === null || data === undefined) return {};
  if (!isRecord(data)) throw new ConfigError([`--config ${path}: expected a mapping of options to values`]);
  const { stores, auth } = data;
  const folder = dirname(path);
  return {
    ...data,
    ...(Array.isArray(stores) ? { stores: stores.map((store) => rooted(store, path)) } : {}),
    ...Object.fromEntries(
      paths.flatMap((name) => {
        const value = data[name];
        return typeof value === 'string' ? [[name, rootedPath(value, folder)]] : [];
      }),
    ),
    ...(isRecord(auth) && isRecord(auth['jwt'])
      ? { auth: { ...auth, jwt: rootedKeys(auth['jwt'], folder) } }
      : {}),
  };
}

/** Options that are paths of files. */
const paths = ['persistedDocuments', 'tlsCertificate', 'tlsKey', 'socket', 'redisCertificates', 'jobFolder'] as const; // prettier-ignore

function rootedPath(path: string, folder: string): string {
  return isPath(path) ? resolve(folder, path) : path;
}

function rootedKeys(jwt: Readonly<Record<string, unknown>>, folder: string): Record<string, unknown> {
  const { jwks } = jwt;
  return typeof jwks === 'string' ? { ...jwt, jwks: rootedPath(jwks, folder) } : { ...jwt };
}

function rooted(store: unknown, configPath: string): unknown {
  if (!isRecord(store)) return store;
  const folder = dirname(configPath);
  const { url, concat, merge, virtualChunks } = store;
  return {
    ...store,
    ...(typeof url === 'string' && isPath(url) ? { url: resolve(folder, url) } : {}),
    ...(isRecord(concat) ? { concat: { ...concat, ...rootedMembers(concat['paths'], folder) } } : {}),
    ...(isRecord(merge) ? { merge: { ...merge, ...rootedMembers(merge['paths'], folder) } } : {}),
    ...rootedGroups(store, folder),
    ...(Array.isArray(virtualChunks)
      ? {
          virtualChunks: virtualChunks.map((entry: unknown) =>
            isRecord(entry) ? { ...entry, ...rootedGroups(entry, folder) } : entry,
          ),
        }
      : {}),
  };
}

/** The groups of options that contain sources of secrets. */
function rootedGroups(options: Readonly<Record<string, unknown>>, folder: string): Record<string, unknown> {
  const { http, s3, gcs, azure } = options;
  return {
    ...(isRecord(http) ? { http: { ...http, ...rootedSources(http, 'headers', folder) } } : {}),
    ...(isRecord(s3) ? { s3: { ...s3, ...rootedSources(s3, 'credentials', folder) } } : {}),
    ...(isRecord(gcs) && 'credentials' in gcs
      ? { gcs: { ...gcs, credentials: rootedSource(gcs['credentials'], folder) } }
      : {}),
    ...(isRecord(azure) ? { azure: { ...azure, ...rootedSources(azure, 'credentials', folder) } } : {}),
  };
}

/** The paths of the members of a combined store. */
function rootedMembers(paths: unknown, folder: string): Record<string, unknown> {
  const rootedOne = (path: unknown): unknown =>
    typeof path === 'string' && isPath(path) ? resolve(folder, path) : path;
  if (paths === undefined) return {};
  return { paths: Array.isArray(paths) ? paths.map(rootedOne) : rootedOne(paths) };
}

/** Resolves the sources of secrets in the option `name`, if present. */
function rootedSources(
  group: Readonly<Record<string, unknown>>,
  name: string,
  folder: string,
): Record<string, unknown> {
  const sources = group[name];
  if (!isRecord(sources)) return {};
  return {
    [name]: Object.fromEntries(
      Object.entries(sources).map(([key, source]) => [key, rootedSource(source, folder)]),
    ),
  };
}

/** Whether a store's URL is a local path. A URL with one letter before the colon is a path on a drive. */
function isPath(url: string): boolean {
  return url !== '' && !/^[a-z][a-z0-9+.-]+:/i.test(url);
}

/** The reason and the location. Omits the text of the file, which may contain a secret. */
function locationOf(error: unknown): string {
  if (!(error instanceof YAMLError))
    return ': too many aliases, or an alias without its anchor; quote values that start with "*"';
  const position = error.linePos?.[0];
  const at = position === undefined ? '' : ` at line ${position.line}, column ${position.col}`;
  return `: ${error.code.toLowerCase().replaceAll('_', ' ')}${at}`;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'no such file';
  return error.message.split('\n')[0] ?? error.message;
}
