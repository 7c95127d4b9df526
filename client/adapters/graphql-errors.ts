import type { Client } from '../client.js';
import type { GatewayError } from '../errors.js';

/** The part of a client that adapters use: whatever its stores are. */
export type GraphQLSender = Pick<Client, 'query' | 'subscribe'>;

/** As answers have them, for libraries that make errors of their own from these. */
export interface PlainGraphQLError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
}

/** The member `errors` of an answer; none where there are none. */
export function errorsOf(errors: readonly GatewayError[]): { errors?: PlainGraphQLError[] } {
  return errors.length === 0 ? {} : { errors: errors.map(toGraphQLError) };
}

function toGraphQLError({ message, fieldPath, extensions, code }: GatewayError): PlainGraphQLError {
  return {
    message,
    ...(fieldPath === undefined ? {} : { path: fieldPath }),
    extensions: { code, ...extensions },
  };
}
