/**
 * Starts the top-level fields of a result in parts one after the other, so that the first ones are computed and sent
 * while the others start. Without it, graphql starts all deferred fields at once, and every step of the last field
 * precedes the last step of the first one (`npm run bench -- parts`: the CPU time until the first of twenty charts is 0.3 to
 * 0.5 of that).
 */
import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { nextTurn } from '../zarr/index.js';

/** Number of fields that start in separate turns of the event loop. The others start together after them. */
const MAX_TURNS = 16;

/** Waits for the turn in which a field starts. @returns undefined to start immediately */
export type AwaitStart = () => Promise<void> | undefined;

interface StartingContext {
  readonly awaitStart: AwaitStart | undefined;
}

export function createAwaitStart(): AwaitStart {
  let started = 0;
  let last = Promise.resolve();
  return () => {
    started++;
    if (started === 1) return undefined;
    if (started <= MAX_TURNS) last = last.then(nextTurn);
    return last;
  };
}

/** Wraps the resolvers of queries. */
export function startInTurns(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, context: StartingContext, info) => {
      const turn = context.awaitStart?.();
      return turn === undefined ? resolve(source, args, context, info) : turn.then(() => resolve(source, args, context, info)); // prettier-ignore
    };
  }
}
