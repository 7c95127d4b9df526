/** Loads lines and statistics: those that are requested together share one document. */
import { RequestError, TransportError } from '../errors.js';
import type { GatewayError, ZarrqlError } from '../errors.js';
import type { SliceRequest } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import { createBatcher, type LoadMany, type LoadOne } from '../transport/batch.js';
import type { Connection } from '../transport/connection.js';
import { createDeadline } from '../transport/deadline.js';
import type { RequestOptions } from '../transport/document.js';
import { readAnswer } from '../transport/read-answer.js';

/** A field of `Slice` with its arguments. */
export interface FieldQuestion {
  /** The field and its selection set; `$name` stands for an argument. */
  readonly field: string;
  /** Argument -> its GraphQL type and its value. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
}

export interface AnalysisQuestion extends FieldQuestion {
  readonly request: SliceRequest;
}

/** The slice of an answer, with the errors of its fields. */
export interface AnalysisAnswer {
  readonly slice: Readonly<Record<string, unknown>>;
  readonly errors: readonly GatewayError[];
}

/** Slices of one request, at most: the gateway's `maxFirst` is at least as large. */
const MAX_BATCH = 100;

const loaders = new WeakMap<Connection, LoadOne<AnalysisQuestion, AnalysisAnswer>>();

/** @throws GatewayError, TransportError */
export async function loadAnalysis<T>(
  connection: Connection,
  question: AnalysisQuestion,
  options: RequestOptions,
  parse: (answer: AnalysisAnswer) => T,
): Promise<T> {
  const known = loaders.get(connection);
  const load = known ?? createBatcher(createLoader(connection), MAX_BATCH, () => 'all');
  if (known === undefined) loaders.set(connection, load);
  const deadline = createDeadline(options.signal, options.timeoutMs ?? 0);
  try {
    const answer = await load(question, deadline.signal);
    return readAnswer(() => parse(answer));
  } finally {
    deadline.close();
  }
}

function createLoader({ query }: Connection): LoadMany<AnalysisQuestion, AnalysisAnswer> {
  return async (questions, signal) => {
    const groups = groupsOf(questions);
    const { data, errors } = await query<Readonly<Record<string, unknown>>, unknown>(
      documentOf(groups),
      Object.assign({}, ...groups.map(variablesOf)),
      { signal },
    );
    const [first, ...others] = errors;
    if (first !== undefined && !isRecord(data)) throw new RequestError([first, ...others], data);
    return questions.map((question) => {
      const g = groups.findIndex(({ members }) => members.includes(question));
      const place = groups[g]?.members.indexOf(question) ?? -1;
      const list = data?.[`g${g}`];
      const slice: unknown = isList(list) ? list[place] : undefined;
      const own = errors.filter(({ fieldPath }) => fieldPath?.[0] === `g${g}` && fieldPath[1] === place);
      if (isRecord(slice)) return { slice, errors: own };
      return own[0] ?? malformed();
    });
  };
}

/** Questions that differ only in their slice. */
interface Group extends FieldQuestion {
  readonly members: AnalysisQuestion[];
}

function groupsOf(questions: readonly AnalysisQuestion[]): Group[] {
  const groups = new Map<string, Group>();
  for (const question of questions) {
    const { field, args } = question;
    const key = JSON.stringify([field, args], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { field, args, members: [question] });
    else group.members.push(question);
  }
  return [...groups.values()];
}

function documentOf(groups: readonly Group[]): string {
  const declared = groups.flatMap(({ args }, g) => [
    `$requests${g}: [SliceRequest!]!`,
    ...Object.entries(args).map(([name, [type]]) => `$${name}${g}: ${type}`),
  ]);
  const fields = groups.map(
    ({ field }, g) => `g${g}: slices(requests: $requests${g}) { ${field.replace(/\$\w+/g, `$&${g}`)} }`,
  );
  return `query Analysis(${declared.join(', ')}) { ${fields.join(' ')} }`;
}

function variablesOf({ args, members }: Group, g: number): Record<string, unknown> {
  return Object.fromEntries([
    [`requests${g}`, members.map(({ request }) => request)],
    ...Object.entries(args).map(([name, [, value]]) => [`${name}${g}`, value] as const),
  ]);
}

export function malformed(): ZarrqlError {
  return new TransportError('BAD_RESPONSE', 'malformed response: incomplete lines or statistics');
}
