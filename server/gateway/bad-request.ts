import { GraphQLError } from 'graphql';

/** A request that is none, so that every client gets status 400, whichever media type it asks for. */
export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}
