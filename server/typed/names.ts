/** GraphQL names for the names of a store: of arrays, groups, dimensions, coordinates and fields of structs. */
import { createHash } from 'node:crypto';
import { InputError } from '../zarr/index.js';

/** Valid names of GraphQL that do not begin with an underscore, which only names of the gateway do. */
const plain = /^[A-Za-z][A-Za-z0-9_]*$/;
/** Values of enums must not have these names. */
const reserved: ReadonlySet<string> = new Set(['true', 'false', 'null']);
/** Longer names are shortened, because each occurs in several names of types. */
const MAX_LENGTH = 100;

/** The GraphQL name of each name. A name has one GraphQL name in the whole store. */
export type GraphqlNames = (name: string) => string;

/**
 * Names with the same result are told apart by hashes, except the name that equals the result.
 * @param names all names of the store that the caller may see
 * @param fixed GraphQL names by names of the store, from the configuration
 */
export function createNames(names: Iterable<string>, fixed: Readonly<Record<string, string>>): GraphqlNames {
  const known = new Map(Object.entries(fixed));
  const taken = new Set(known.values());
  const byResult = new Map<string, string[]>();
  for (const name of new Set(names)) {
    if (known.has(name)) continue;
    const result = convert(name);
    const alike = byResult.get(result);
    if (alike === undefined) byResult.set(result, [name]);
    else alike.push(name);
  }
  for (const result of byResult.keys()) taken.add(result);
  const fixedNames = new Set(known.values());
  for (const [result, alike] of byResult) {
    const [only, ...others] = alike;
    if (only !== undefined && others.length === 0 && !fixedNames.has(result)) {
      known.set(only, result);
      continue;
    }
    for (const name of alike) known.set(name, name === result && !fixedNames.has(result) ? result : hashed(result, name, taken)); // prettier-ignore
  }
  return (name) => {
    const graphqlName = known.get(name);
    if (graphqlName === undefined)
      throw new TypeError(`the name ${JSON.stringify(name)} is not in the model`);
    return graphqlName;
  };
}

/**
 * Adds the first digits of the SHA-256 of what the name stands for.
 * @param taken the names in use, to which the new name is added
 */
export function hashed(name: string, meaning: string, taken: Set<string>): string {
  const digest = createHash('sha256').update(meaning).digest('hex');
  for (const digits of [6, 12, digest.length]) {
    const candidate = `${name}_${digest.slice(0, digits)}`;
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
  throw new TypeError(`two equal names: ${JSON.stringify(meaning)}`);
}

/** The GraphQL name of a name alone. Different names may have the same. */
export function convert(name: string): string {
  const kept = plain.test(name) ? name : transcribed(name);
  const short = kept.length > MAX_LENGTH ? kept.slice(0, MAX_LENGTH) : kept;
  return reserved.has(short) ? `${short}_` : short;
}

function transcribed(name: string): string {
  const decomposed = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const ascii = Array.from(decomposed, asciiOf).join('');
  const joined = ascii.replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '');
  return /^[A-Za-z]/.test(joined) ? joined : `x${joined}`;
}

function asciiOf(character: string): string {
  if (/[A-Za-z0-9_]/.test(character)) return character;
  if (!/[\p{L}\p{N}]/u.test(character)) return '_';
  return `u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
}

/** Checks names from the configuration. @throws InputError naming the invalid name */
export function assertFixedNames(fixed: Readonly<Record<string, string>>): void {
  const seen = new Map<string, string>();
  for (const [name, graphqlName] of Object.entries(fixed)) {
    if (!plain.test(graphqlName) || reserved.has(graphqlName) || graphqlName.length > MAX_LENGTH)
      throw new InputError(
        `typedSchema.names: "${graphqlName}" for "${name}" is no name for a field; it must begin with a letter, contain only letters, digits and underscores, have at most ${MAX_LENGTH} characters, and not be true, false or null`,
      );
    const other = seen.get(graphqlName);
    if (other !== undefined)
      throw new InputError(
        `typedSchema.names: "${other}" and "${name}" have the same name, "${graphqlName}"`,
      );
    seen.set(graphqlName, name);
  }
}
