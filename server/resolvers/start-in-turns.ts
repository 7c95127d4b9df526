/**
 * Starts the top-level fields of a result in parts one after the other, so that the first ones are computed and sent
 * while the others start. Without it, graphql starts all deferred fields at once, and every step of the last field
 * precedes the last step of the first one (`npm run bench -- parts`: the CPU time until the first of twenty charts is 0.3 to
 * 0.5 of that).
 */
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { nextTurn, type Pause } from '../zarr/index.js';

/** Number of fields that start in separate turns of the event loop. The others start together after them. */
const MAX_TURNS = 16;

/** Waits for the turn in which a field starts. @returns undefined to start immediately */
export type AwaitStart = () => Promise<void> | undefined;

interface StartingContext {
  readonly awaitStart: AwaitStart | undefined;
  readonly pauseSlowField: Pause;
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

/** Number of slow fields that do not pause, so that the reads of an ordinary request start together and are coalesced. */
const FIELDS_AT_ONCE = 64;

/** A pause for the many slow fields of one request. @param pause the pause of the request */
export function createSlowFieldPause(pause: Pause): Pause {
  let started = 0;
  return () => (started++ < FIELDS_AT_ONCE ? undefined : pause());
}

/** Wraps the resolvers of queries, and those of slow fields. */
export function startInTurns(schema: GraphQLSchema): void {
  // Thousands of fields may share a resolver.
  const wrapped = new Map<GraphQLFieldResolver<unknown, unknown>, GraphQLFieldResolver<unknown, StartingContext>>(); // prettier-ignore
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver;
    const waiting = wrapped.get(resolve) ?? afterTurn(resolve);
    wrapped.set(resolve, waiting);
    field.resolve = waiting;
  }
  for (const [type, name] of slowFields) {
    const object = schema.getType(type);
    const field = isObjectType(object) ? object.getFields()[name] : undefined;
    if (field === undefined) throw new TypeError(`the schema has no field ${type}.${name}`);
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, context: StartingContext, info) => {
      const turn = context.pauseSlowField();
      return turn === undefined ? resolve(source, args, context, info) : turn.then(() => resolve(source, args, context, info)); // prettier-ignore
    };
  }
}

function afterTurn(
  resolve: GraphQLFieldResolver<unknown, unknown>,
): GraphQLFieldResolver<unknown, StartingContext> {
  return (source, args, context, info) => {
    const turn = context.awaitStart?.();
    return turn === undefined ? resolve(source, args, context, info) : turn.then(() => resolve(source, args, context, info)); // prettier-ignore
  };
}

/**
 * Fields that a request can repeat hundreds of times under other names, and that take tenths of a millisecond: GraphQL
 * resolves all of them in one turn of the event loop, unless they pause.
 */
const slowFields = [
  ['Store', 'slice'],
  ['ZarrArray', 'slice'],
  ['Variable', 'slice'],
  ['Slice', 'coordinates'],
] as const;
