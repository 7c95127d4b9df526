import { GraphQLError } from 'graphql';

/** A malformed request: status 400 for every client, whichever media type it accepts. */
export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}
