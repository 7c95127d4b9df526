/**
 * Addresses of references: `references+` before the address of a JSON file, or of a folder of parquet files; both may be
 * in an archive. `prefix=` in the query names folders that the references may lead to.
 */
import { pathToFileURL } from 'node:url';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { InputError } from '../../core/errors.js';
import { isZipName } from '../layers.js';

export interface ReferencesAddress {
  /** A path or a URL of the store with the references: the folder of the file, or an archive. */
  readonly url: string;
  /** The key of the file, or of the folder of parquet files; "" for the references of an archive. */
  readonly key: string;
  /** The percent-encoded address of the folder of the references, which ends with a slash. */
  readonly base: string;
  /** Prefixes of the query. */
  readonly prefixes: readonly string[];
  /** The query of the store of the references, with a question mark; "" for none. */
  readonly query: string;
}

const SCHEME = /^references\+([a-z0-9]+):([^]*)$/i;

/** @throws InputError for an unknown scheme or an invalid address */
export function parseReferencesAddress(address: string): ReferencesAddress {
  const [, scheme = '', rest = ''] = SCHEME.exec(address) ?? [];
  const kind = scheme.toLowerCase();
  if (!['file', 's3', 'gs', 'az', 'http', 'https'].includes(kind))
    throw new InputError(
      'the address of references must begin with references+file:, references+s3: or references+https:',
    );
  const mark = rest.indexOf('?');
  const location = mark < 0 ? rest : rest.slice(0, mark);
  const { prefixes, others } = splitQuery(mark < 0 ? '' : rest.slice(mark + 1));
  if (kind === 'file') {
    if (others !== '') throw new InputError('the query of local references must be ?prefix=');
    return { ...localAddress(location), prefixes, query: '' };
  }
  const query = others === '' ? '' : `?${others}`;
  return { ...remoteAddress(kind, location, query), prefixes, query };
}

/** All other parameters belong to the store of the references. */
function splitQuery(query: string): { readonly prefixes: readonly string[]; readonly others: string } {
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const isOurs = (parameter: string): boolean => /^prefix(?:=|$)/.test(parameter);
  return {
    prefixes: new URLSearchParams(parameters.filter(isOurs).join('&')).getAll('prefix'),
    others: parameters.filter((parameter) => !isOurs(parameter)).join('&'),
  };
}

function localAddress(location: string): Pick<ReferencesAddress, 'url' | 'key' | 'base'> {
  const path = resolve(location.startsWith('//') ? pathOf(`file:${location}`) : location);
  const archive = archiveAbove(path);
  // As if the archive were unpacked beside it.
  const folder =
    archive === undefined || archive === path
      ? dirname(path)
      : join(dirname(archive), relative(archive, dirname(path)));
  const base = `${pathToFileURL(folder).href.replace(/\/$/, '')}/`;
  if (archive === undefined) return { url: dirname(path), key: basename(path), base };
  return { url: archive, key: path.slice(archive.length + 1).replaceAll('\\', '/'), base };
}

function pathOf(url: string): string {
  const { pathname, host } = new URL(url);
  if (host !== '') throw new InputError('a file: URL must be local, such as file:///data/references.json');
  return decoded(pathname);
}

/** The highest archive among a path and the folders above it. */
function archiveAbove(path: string): string | undefined {
  const isFile = (name: string): boolean => existsSync(name) && statSync(name).isFile();
  const above = dirname(path);
  const higher = above === path ? undefined : archiveAbove(above);
  return higher ?? (isZipName(path) && isFile(path) ? path : undefined);
}

function remoteAddress(
  kind: string,
  location: string,
  query: string,
): Pick<ReferencesAddress, 'url' | 'key' | 'base'> {
  const [, host, path = ''] = /^(\/\/[^/#]+)([^#]*)$/.exec(location) ?? [];
  if (host === undefined)
    throw new InputError(`the address of references must have the form references+${kind}://...`);
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length === 0)
    throw new InputError('the address of references must name a JSON file, or a folder of parquet files');
  const zip = parts.findIndex((part) => isZipName(part));
  const inArchive = zip >= 0;
  const above = [host, ...parts.slice(0, inArchive ? zip : -1)];
  // As if the archive were unpacked beside it.
  const base = `${kind}:${[...above, ...(inArchive ? parts.slice(zip + 1, -1) : [])].join('/')}/`;
  const folder = `${kind}:${above.join('/')}/`;
  return {
    url: inArchive ? `${folder}${parts[zip] ?? ''}${query}` : `${folder}${query}`,
    key: parts
      .slice(inArchive ? zip + 1 : -1)
      .map(decoded)
      .join('/'),
    base,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new InputError('the URL has a "%" that is not a percent-encoding; write it as %25', { cause });
  }
}
