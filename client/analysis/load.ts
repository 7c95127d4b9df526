/** Loads lines and statistics. Requests made together share one document. */
import { RequestError, TransportError } from '../errors.js';
import type { GatewayError, ZarrqlError } from '../errors.js';
import type { SliceRequest } from '../generated/operations.js';
import { isList, isRecord } from '../json/json.js';
import { createBatcher, type LoadMany, type LoadOne } from '../transport/batch.js';
import type { Connection } from '../transport/connection.js';
import { createDeadline } from '../transport/deadline.js';
import type { RequestOptions } from '../transport/document.js';
import { rejectMalformed } from '../transport/reject-malformed.js';

/** A field of `Slice` with its arguments. */
export interface FieldParams {
  /** The field and its selection set; `$name` is replaced by an argument. */
  readonly field: string;
  /** Maps each argument to its GraphQL type and value. */
  readonly args: Readonly<Record<string, readonly [type: string, value: unknown]>>;
}

export interface AnalysisParams extends FieldParams {
  readonly request: SliceRequest;
}

/** One slice of a response, with the errors of its fields. */
export interface AnalysisResponse {
  readonly slice: Readonly<Record<string, unknown>>;
  readonly errors: readonly GatewayError[];
}

/** Maximum number of slices per request. The gateway's `maxFirst` is at least as large. */
const MAX_BATCH = 100;

const loaders = new WeakMap<Connection, LoadOne<AnalysisParams, AnalysisResponse>>();

/** @throws GatewayError, TransportError */
export async function loadAnalysis<T>(
  connection: Connection,
  params: AnalysisParams,
  options: RequestOptions,
  parse: (response: AnalysisResponse) => T,
): Promise<T> {
  const known = loaders.get(connection);
  const load = known ?? createBatcher(createLoader(connection), MAX_BATCH, () => 'all');
  if (known === undefined) loaders.set(connection, load);
  const deadline = createDeadline(options.signal, options.timeoutMs ?? 0);
  try {
    const response = await load(params, deadline.signal);
    return rejectMalformed(() => parse(response));
  } finally {
    deadline.close();
  }
}

function createLoader({ query }: Connection): LoadMany<AnalysisParams, AnalysisResponse> {
  return async (items, signal) => {
    const groups = groupsOf(items);
    const { data, errors } = await query<Readonly<Record<string, unknown>>, unknown>(
      documentOf(groups),
      Object.assign({}, ...groups.map(variablesOf)),
      { signal },
    );
    const [first, ...others] = errors;
    if (first !== undefined && !isRecord(data)) throw new RequestError([first, ...others], data);
    return items.map((params) => {
      const g = groups.findIndex(({ members }) => members.includes(params));
      const position = groups[g]?.members.indexOf(params) ?? -1;
      const list = data?.[`g${g}`];
      const slice: unknown = isList(list) ? list[position] : undefined;
      const own = errors.filter(({ fieldPath }) => fieldPath?.[0] === `g${g}` && fieldPath[1] === position);
      if (isRecord(slice)) return { slice, errors: own };
      return own[0] ?? malformed();
    });
  };
}

/** Groups requests that differ only in their slice. */
interface Group extends FieldParams {
  readonly members: AnalysisParams[];
}

function groupsOf(items: readonly AnalysisParams[]): Group[] {
  const groups = new Map<string, Group>();
  for (const params of items) {
    const { field, args } = params;
    const key = JSON.stringify([field, args], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { field, args, members: [params] });
    else group.members.push(params);
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
