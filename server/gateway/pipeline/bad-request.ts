import { GraphQLError } from 'graphql';

/** A malformed request: status 400 for every media type. */
export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}
