import type { Client } from '../client.js';
import type { GatewayError } from '../errors.js';

/** The part of a client that adapters use. */
export type GraphQLSender = Pick<Client, 'query' | 'subscribe'>;

/** GraphQL errors in their response format, from which libraries create their own errors. */
export interface PlainGraphQLError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: Record<string, unknown>;
}

/** The member `errors` of a response, omitted if empty. */
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
