/** Addresses of repositories: `icechunk+` before the address of a store, and `branch=`, `tag=` or `snapshot=` in its query. */
import { InputError, NotFoundError } from '../../core/errors.js';
import type { VersionRef } from '../store.js';

export interface RepositoryAddress {
  /** A path or a URL of the files of the repository. */
  readonly url: string;
  /** Undefined for the default branch. */
  readonly ref: VersionRef | undefined;
}

/** @throws InputError for an unknown scheme or query */
export function parseRepositoryAddress(address: string): RepositoryAddress {
  const [, scheme, rest = ''] = /^icechunk\+([a-z0-9]+):([^]*)$/i.exec(address) ?? [];
  const kind = scheme?.toLowerCase();
  if (kind === undefined || !['file', 's3', 'gs', 'az', 'http', 'https'].includes(kind))
    throw new InputError(
      'the address of a repository must begin with icechunk+file:, icechunk+s3: or icechunk+https:',
    );
  const [location = '', ...queries] = rest.split('?');
  const { ref, others } = splitQuery(queries.join('?'));
  if (kind === 'file' && others !== '')
    throw new InputError('the query of a local repository must be one of ?branch=, ?tag= and ?snapshot=');
  const url = kind === 'file' && !location.startsWith('//') ? location : `${kind}:${location}`;
  return { url: others === '' ? url : `${url}?${others}`, ref };
}

/** All other parameters belong to the store of the files, such as `endpoint` for S3, or a signature. */
function splitQuery(query: string): { readonly ref: VersionRef | undefined; readonly others: string } {
  const parameters = query.split('&').filter((parameter) => parameter !== '');
  const isOurs = (parameter: string): boolean => /^(?:branch|tag|snapshot)(?:=|$)/.test(parameter);
  const others = parameters.filter((parameter) => !isOurs(parameter)).join('&');
  const [entry, ...more] = new URLSearchParams(parameters.filter(isOurs).join('&'));
  if (entry === undefined) return { ref: undefined, others };
  const [name, value] = entry;
  if (more.length > 0 || value === '')
    throw new InputError('the query of a repository must have at most one of branch=, tag= and snapshot=');
  return {
    ref: name === 'branch' ? { branch: value } : name === 'tag' ? { tag: value } : { snapshot: value },
    others,
  };
}

export const NO_REPOSITORY =
  'no Icechunk repository is at this address; it would have an object named repo, or a folder named refs';

/** Whether a store could not be read because no repository is at its address, where one can be created. */
export function isMissingRepository(error: unknown): boolean {
  return error instanceof NotFoundError && error.detail === NO_REPOSITORY;
}
