import type * as z from 'zod';
import { grantsOfUnknownStores } from './auth-schema.js';
import { closest, nearestOption, suggest } from './option-names.js';
import { type OptionDescription, optionDescriptions } from './describe.js';
import { readConfigFile } from './file.js';
import { ConfigError } from './values.js';
import { type Config, configSchema } from './schema.js';
import { confidential } from './store-schema.js';
import { isRecord } from '../../wire/guards.js';

/** Sources of values, in increasing order of precedence. Lists of stores are concatenated. */
export interface ConfigSources {
  /** Path of a YAML or JSON file. */
  readonly file?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Flags by option name: text, lists of text, and booleans for switches. */
  readonly flags?: Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
}

/** Unchecked values, and the source of each for messages. Keys are dotted option paths. */
interface Draft {
  readonly values: Record<string, unknown>;
  readonly origins: Map<string, string>;
}

/**
 * Loads the configuration from a file, the environment and flags, and validates it as a whole.
 * @throws ConfigError for the first source that cannot be read, else naming the invalid options
 */
export function loadConfig(sources: ConfigSources): Config {
  return loadConfigWithOrigins(sources).config;
}

export interface LoadedConfig {
  readonly config: Config;
  /** Where each set value comes from, by its dotted option path: a flag, a variable, or the path of the file. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Like `loadConfig`. */
export function loadConfigWithOrigins(sources: ConfigSources): LoadedConfig {
  const draft: Draft = { values: {}, origins: new Map() };
  if (sources.file !== undefined) addFile(draft, sources.file);
  for (const option of optionDescriptions) {
    const text = sources.env?.[option.env];
    // In a Kubernetes pod, a service named zarrql sets ZARRQL_PORT=tcp://10.0.0.1:4000.
    if (text !== undefined && text !== '' && !(option.env === 'ZARRQL_PORT' && text.startsWith('tcp://')))
      put(draft, option, option.kind === 'list' ? text.split(/[\s,]+/).filter(Boolean) : text, option.env);
  }
  for (const option of optionDescriptions) {
    const value = sources.flags?.[option.path.at(-1) ?? ''];
    if (value !== undefined) put(draft, option, value, `--${option.flag}`);
  }
  return { config: parseDraft(draft), origins: draft.origins };
}

/** Variables that are probably misspelt: `[name, the variable it resembles]`. */
export function suspiciousVariables(env: Readonly<Record<string, string | undefined>>): [string, string][] {
  const known = optionDescriptions.map((option) => option.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('ZARRQL_') && !known.includes(name))
    .flatMap((name): [string, string][] => {
      const near = closest(name, known, 2);
      return near === undefined ? [] : [[name, near]];
    });
}

/**
 * Validates a configuration object.
 * @throws ConfigError naming the invalid options
 */
export function parseConfig(values: Readonly<Record<string, unknown>>): Config {
  return parseDraft({ values: { ...values }, origins: new Map() });
}

function addFile(draft: Draft, file: string): void {
  const data = readConfigFile(file);
  Object.assign(draft.values, data);
  for (const [name, value] of Object.entries(data)) {
    draft.origins.set(name, file);
    if (isRecord(value)) for (const inner of Object.keys(value)) draft.origins.set(`${name}.${inner}`, file);
  }
}

function put(draft: Draft, option: OptionDescription, value: unknown, origin: string): void {
  const [outer = '', inner] = option.path;
  draft.origins.set(option.path.join('.'), origin);
  if (inner !== undefined) {
    const group = draft.values[outer] ?? {};
    // A value of another type is kept, because validation reports it.
    if (isRecord(group)) draft.values[outer] = { ...group, [inner]: value };
  } else if (outer === 'stores' && Array.isArray(value)) {
    const stores = draft.values['stores'] ?? [];
    if (!Array.isArray(stores)) return;
    draft.values['stores'] = [...listOf(stores), ...listOf(value).map((text) => storeOf(text, origin))];
  } else draft.values[outer] = value;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses `NAME=URL`. The URL may contain equal signs. */
function storeOf(text: unknown, origin: string): unknown {
  const at = typeof text === 'string' ? text.indexOf('=') : -1;
  if (typeof text !== 'string' || at <= 0 || at === text.length - 1)
    throw new ConfigError([
      `${origin}: expected NAME=URL, for example sst=/data/sst.zarr, got ${show(text)}`,
    ]);
  return { name: text.slice(0, at), url: text.slice(at + 1) };
}

function parseDraft({ values, origins }: Draft): Config {
  const result = configSchema.safeParse(values);
  if (!result.success)
    throw new ConfigError(result.error.issues.flatMap((issue) => explain(issue, values, origins)));
  const { stores, allowWrite } = result.data;
  const names = stores.map((store) => store.name);
  const known = new Set(names);
  const problems = [
    ...repeated(names).map((name) => `stores: duplicate name "${name}"; names must be unique`),
    ...allowWrite
      .filter((name) => !known.has(name))
      .map(
        (name) => `allowWrite${from('allowWrite', origins)}: unknown store "${name}"${suggest(name, names)}`,
      ),
    ...(result.data.federationPrefix === '' || result.data.federation
      ? []
      : [`federationPrefix${from('federationPrefix', origins)}: requires the option federation`]),
    ...((result.data.tlsCertificate === undefined) === (result.data.tlsKey === undefined)
      ? []
      : ['tlsCertificate, tlsKey: set both, or none']),
    ...membersProblems(stores),
    ...(names.length === 0 ? [] : grantsOfUnknownStores(result.data.auth, names)),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  const writable = new Set(allowWrite);
  return {
    ...result.data,
    stores: stores.map((store) => ({ ...store, writable: store.writable || writable.has(store.name) })),
  };
}

/** The values that equal an earlier one. */
function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.size === seen.add(value).size);
}

/** Members of combined stores must be configured, and none may contain itself. */
function membersProblems(stores: Config['stores']): string[] {
  const byName = new Map(stores.map((store) => [store.name, store]));
  const membersOf = (name: string): readonly string[] => {
    const { concat, merge } = byName.get(name) ?? {};
    return (concat ?? merge)?.stores ?? [];
  };
  const problems: string[] = [];
  const finished = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) {
      const cycle = [...above.slice(above.indexOf(name)), name];
      problems.push(`stores: "${name}" contains itself: ${cycle.map((one) => `"${one}"`).join(', ')}`);
    } else if (!finished.has(name)) {
      for (const member of membersOf(name)) visit(member, [...above, name]);
      finished.add(name);
    }
  };
  for (const { name } of stores) {
    const members = membersOf(name);
    for (const member of repeated(members))
      problems.push(`stores: "${name}" has the member "${member}" twice`);
    for (const member of new Set(members))
      if (!byName.has(member)) problems.push(`stores: "${name}" has the unknown member "${member}"${suggest(member, [...byName.keys()])}`); // prettier-ignore
      else if (byName.get(member)?.discover !== undefined) problems.push(`stores: "${name}" has the member "${member}", which is a folder of stores; name its stores by \`paths\``); // prettier-ignore
    visit(name, []);
  }
  return problems;
}

function explain(issue: z.core.$ZodIssue, values: unknown, origins: ReadonlyMap<string, string>): string[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const isConfidential = path.some((name) => confidential.has(name));
      // In such a group, an unknown key may be a secret.
      const name = (isConfidential ? [...path, '...'] : [...path, key]).join('.');
      const near = nearestOption(configSchema, issue.path, key);
      return `${name}${from(name, origins)}: unknown option${near === undefined ? '' : `; did you mean "${near}"?`}`;
    });
  const value = issue.path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    values,
  );
  // Objects and lists may contain secrets.
  const isConfidential = typeof value === 'object' || path.some((name) => confidential.has(name));
  const shown = value === undefined || isConfidential ? '' : `, got ${show(value)}`;
  const found =
    ['invalid_type', 'invalid_value'].includes(issue.code) && typeof value === 'object'
      ? `, got ${kindOf(value)}`
      : shown;
  return [`${path.join('.')}${from(path.join('.'), origins)}: ${messageOf(issue, value)}${found}`];
}

function kindOf(value: object | null): string {
  if (value === null) return 'no value';
  return Array.isArray(value) ? 'a list' : 'a mapping';
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'a mapping of option names to values',
  record: 'a mapping of names to values',
  string: 'a text',
};

function messageOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input'))
    return lowerFirst(issue.message);
  const expected = kinds[issue.expected] ?? issue.expected;
  return value === undefined ? `is missing; expected ${expected}` : `expected ${expected}`;
}

function from(name: string, origins: ReadonlyMap<string, string>): string {
  const origin = origins.get(name) ?? origins.get(name.split('.')[0] ?? '');
  return origin === undefined ? '' : ` (${origin})`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function show(value: unknown): string {
  const text = withoutCredentials(JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A password entered into a URL by mistake must not reach the log. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]*@/g, '//...@');
}
