/** Addresses of repositories: `icechunk+` before the address of a store, and `?branch=`, `?tag=` or `?snapshot=`. */
import { InputError } from '../../core/errors.js';
import type { VersionRef } from '../store.js';

export interface RepositoryAddress {
  /** A path or a URL of the files of the repository. */
  readonly url: string;
  /** Undefined for the default branch. */
  readonly ref: VersionRef | undefined;
}

const names = ['branch', 'tag', 'snapshot'] as const;

/** @throws InputError for an unknown scheme or query */
export function parseRepositoryAddress(address: string): RepositoryAddress {
  const [, scheme, rest = ''] = /^icechunk\+([a-z0-9]+):([^]*)$/i.exec(address) ?? [];
  const kind = scheme?.toLowerCase();
  if (kind === undefined || !['file', 's3', 'http', 'https'].includes(kind))
    throw new InputError(
      'the address of a repository must begin with icechunk+file:, icechunk+s3: or icechunk+https:',
    );
  const [location = '', ...queries] = rest.split('?');
  const url = kind === 'file' && !location.startsWith('//') ? location : `${kind}:${location}`;
  return { url, ref: refOf(queries.join('?')) };
}

function refOf(query: string): VersionRef | undefined {
  const entries = [...new URLSearchParams(query)];
  const [entry, ...more] = entries;
  if (entry === undefined) return undefined;
  const name = names.find((each) => each === entry[0]);
  const [, value] = entry;
  if (name === undefined || more.length > 0 || value === '')
    throw new InputError('the query of a repository must be one of ?branch=, ?tag= and ?snapshot=');
  return name === 'branch' ? { branch: value } : name === 'tag' ? { tag: value } : { snapshot: value };
}
