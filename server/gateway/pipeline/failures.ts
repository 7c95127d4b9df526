/**
 * Formats errors for the log. The log has more detail than the response, but shows a location instead of
 * the client's text.
 */
import { GraphQLError } from 'graphql';
import { errorTable, isErrorCode } from '../../resolvers/errors.js';
import { ZarrError } from '../../zarr/index.js';
import type { OperationFailure } from '../options.js';

/** Maximum number of failures logged per operation. The codes of all are logged. */
export const MAX_FAILURES = 5;
const MAX_CAUSES = 4;
const MAX_TEXT = 300;

/** @param shown the error as clients see it */
export function failureOf(error: unknown, shown: GraphQLError): OperationFailure {
  const { store, path, key } = shown.extensions;
  const code = String(shown.extensions['code']);
  const field = shown.path?.join('.');
  const isOurs = isErrorCode(code) && errorTable[code].isOurs;
  const thrown = thrownIn(error);
  const causes = isOurs ? causesOf(thrown) : [];
  return {
    code,
    ...(field === undefined ? {} : { field: shortened(field) }),
    ...texts({ store, path, key }),
    ...(isOurs && thrown instanceof Error
      ? { message: shortened(thrown instanceof ZarrError ? thrown.detail : thrown.message) }
      : {}),
    ...(causes.length === 0 ? {} : { causes }),
  };
}

/** Removes the executor's wrappers. */
function thrownIn(error: unknown): unknown {
  let thrown = error;
  while (thrown instanceof GraphQLError && thrown.originalError !== undefined) thrown = thrown.originalError;
  return thrown;
}

function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause instanceof Error && causes.length < MAX_CAUSES) {
    const system = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
    causes.push(shortened(`${cause.name}: ${cause.message}${system}`));
    cause = cause.cause;
  }
  return causes;
}

function texts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name in given) {
    const value = given[name];
    if (typeof value === 'string') found[name] = shortened(value);
  }
  return found;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}
