/**
 * Operations whose arguments are declared. The fields and inputs of the schema, the fields of generated schemas, the
 * methods of the SDK, the flags of the command line and the reference of the site are derived from the declaration.
 */
import * as z from 'zod';
import type { ResultRule } from '../../../wire/result-types.js';
import { InputError, type LazySlice } from '../../zarr/index.js';
import type { Operation, OperationScope } from './operation.js';

/** The data type of results: a rule, or one for each value of an argument. */
export type DeclaredResult =
  ResultRule | { readonly of: string; readonly rules: Readonly<Record<string, ResultRule>> };

export interface Declaration<Value, Step> {
  /** What it does, in one sentence. */
  readonly about: string;
  /** Further sentences for the schema. */
  readonly details: string;
  /** The arguments, in the order of the command line, each with a description. Texts with `dimension` are dimensions. */
  readonly form: z.ZodType<Value>;
  readonly result: DeclaredResult;
  readonly step: (value: Value) => Step;
  /** Adds arguments that the slice determines, so that the stored step has them. @throws InputError */
  readonly complete?: (value: Value, scope: OperationScope) => Promise<Value>;
  readonly apply: (slice: LazySlice, value: Value, scope: OperationScope) => LazySlice | Promise<LazySlice>;
}

export interface DeclaredOperation<Value, Step> extends Operation<Step, Value>, Declaration<Value, Step> {
  readonly apply: Declaration<Value, Step>['apply'];
  readonly parameters: readonly Parameter[];
  /** @param args members that are null or undefined take their defaults. @throws InputError for a value out of range */
  readonly stepOf: (args: Readonly<Record<string, unknown>>) => Step;
}

/** An argument. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly type: 'dimension' | 'integer' | 'number' | 'numbers' | 'boolean' | 'text' | 'enum';
  readonly isRequired: boolean;
  readonly preset: number | boolean | string | undefined;
  readonly least: number | undefined;
  readonly most: number | undefined;
  /** Maximum length of a list. */
  readonly longest: number | undefined;
  /** The name of the enum, and its values with their descriptions. */
  readonly enum: { readonly name: string; readonly values: Readonly<Record<string, string>> } | undefined;
}

export function declareOperation<Value, Step>(
  declaration: Declaration<Value, Step>,
): DeclaredOperation<Value, Step> {
  const parameters = parametersOf(declaration.form);
  return {
    ...declaration,
    parameters,
    resolve: async (value, _, scope) =>
      declaration.step((await declaration.complete?.(value, scope)) ?? value),
    stepOf(args) {
      const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && value !== undefined)); // prettier-ignore
      const parsed = declaration.form.safeParse(given);
      if (parsed.success) return declaration.step(parsed.data);
      throw invalidArgument(given, parsed.error, parameters);
    },
  };
}

function invalidArgument(
  given: Readonly<Record<string, unknown>>,
  { issues }: z.ZodError,
  parameters: readonly Parameter[],
): InputError {
  const name = String(issues[0]?.path[0] ?? '');
  const parameter = parameters.find((known) => known.name === name);
  if (parameter === undefined)
    return new InputError(`unknown argument; the arguments are ${parameters.map((known) => `"${known.name}"`).join(', ')}`); // prettier-ignore
  if (given[name] === undefined) return new InputError(`"${name}" is required`);
  return new InputError(
    `"${name}" is ${JSON.stringify(given[name]).slice(0, 40)}; expected ${expectedOf(parameter)}`,
  );
}

function expectedOf({ type, least, most, longest, enum: choices }: Parameter): string {
  if (type === 'numbers')
    return `at most ${longest ?? Infinity} numbers from ${least ?? '-inf'} to ${most ?? 'inf'}`;
  if (choices !== undefined) return `one of ${Object.keys(choices.values).join(', ')}`;
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'an integer' : 'a number'} from ${least ?? '-inf'} to ${most ?? 'inf'}`;
  return type === 'boolean' ? 'true or false' : 'text';
}

/** The members of a form. They are described by what zod writes as JSON Schema. */
const propertyForm = z.object({
  description: z.string(),
  type: z.enum(['string', 'integer', 'number', 'boolean', 'array']),
  items: z.object({ minimum: z.number().optional(), maximum: z.number().optional() }).optional(),
  maxItems: z.number().optional(),
  default: z.union([z.number(), z.boolean(), z.string()]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).optional(),
  isDimension: z.boolean().optional(),
  choices: z.object({ name: z.string(), values: z.record(z.string(), z.string()) }).optional(),
});
const objectForm = z.object({ properties: z.record(z.string(), propertyForm), required: z.array(z.string()).default([]) }); // prettier-ignore

const formOf = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'numbers',
} as const;

function parametersOf(form: z.ZodType): Parameter[] {
  const { properties, required } = objectForm.parse(z.toJSONSchema(form, { io: 'input' }));
  return Object.entries(properties).map(([name, property]) => {
    const { description, type, isDimension = false, choices } = property;
    const { minimum, maximum } = property.items ?? property;
    return {
      name,
      about: description,
      type: isDimension ? 'dimension' : choices !== undefined ? 'enum' : formOf[type],
      isRequired: required.includes(name),
      preset: property.default,
      least: minimum,
      most: maximum,
      longest: property.maxItems,
      enum: choices,
    };
  });
}

/** The dimension along which an operation works. */
export const dimension = z
  .string()
  .meta({ description: 'Name of the dimension, or its position as text.', isDimension: true });

/** One of several values with their descriptions. @param name name of the enum in the schema */
export function choice<const T extends string>(
  name: string,
  description: string,
  values: Readonly<Record<T, string>>,
): z.ZodType<T> {
  const names = Object.keys(values).filter((key): key is T => Object.hasOwn(values, key));
  return z.enum(names).meta({ description, choices: { name, values } });
}
