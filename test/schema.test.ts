/** The schema contains all required elements, and each has a description. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  type ASTNode,
  buildSchema,
  type DefinitionNode,
  type InputValueDefinitionNode,
  getIntrospectionQuery,
  GraphQLScalarType,
  isEnumType,
  isSpecifiedScalarType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  validateSchema,
  visit,
  executeRootSelectionSet,
  validateExecutionArgs,
  type ExecutionArgs,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { typeDefs } from '../server/index.js';
import { errorCodes } from '../wire/error-codes.js';
import { gatewaySchema } from '../server/resolvers/schema.js';

const contract = parse(readFileSync(new URL('golden/contract.graphql', import.meta.url), 'utf8'));
const ours = parse(typeDefs);

function nameOf(node: ASTNode): string {
  return 'name' in node && node.name !== undefined ? node.name.value : '';
}

function membersOf(definition: DefinitionNode): readonly ASTNode[] {
  if ('fields' in definition) return definition.fields ?? [];
  return 'values' in definition ? (definition.values ?? []) : [];
}

/**
 * Types and members by name, without descriptions; arguments and interfaces are separate entries.
 * Directives count for input types only: `@oneOf` affects validity, `@specifiedBy` and `@semanticNonNull` do not.
 */
function outline(document: typeof contract): Map<string, string> {
  const lines = new Map<string, string>();
  for (const definition of document.definitions) {
    const type = nameOf(definition);
    const interfaces = 'interfaces' in definition ? (definition.interfaces ?? []).map(nameOf) : [];
    for (const name of interfaces) lines.set(`${type} implements ${name}`, '');
    const isInput = definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION;
    const directives = isInput ? (definition.directives ?? []).map(nameOf) : [];
    lines.set(type, [definition.kind, ...directives].join(' '));
    for (const member of membersOf(definition)) {
      const name = `${type}.${nameOf(member)}`;
      lines.set(name, bareText(member));
      for (const argument of argumentsOf(member))
        lines.set(`${name}(${nameOf(argument)})`, bareText(argument));
    }
  }
  return lines;
}

function bareText(node: ASTNode): string {
  const bare = visit(node, {
    StringValue: (_, key) => (key === 'description' ? null : undefined),
    InputValueDefinition: (argument) => (argument === node ? undefined : null),
    Directive: () => (node.kind === Kind.FIELD_DEFINITION ? null : undefined),
  });
  return print(bare);
}

function argumentsOf(member: ASTNode): readonly InputValueDefinitionNode[] {
  return member.kind === Kind.FIELD_DEFINITION ? (member.arguments ?? []) : [];
}

describe('the contract', () => {
  const promised = outline(contract);
  const given = outline(ours);

  test.each([...promised].map(([name, line]) => ({ name, line })))('$name', ({ name, line }) => {
    expect(given.get(name)).toBe(line);
  });

  test('additional arguments and input fields are optional', () => {
    const required: string[] = [];
    for (const definition of ours.definitions)
      for (const member of membersOf(definition)) {
        const name = `${nameOf(definition)}.${nameOf(member)}`;
        if (
          member.kind === Kind.INPUT_VALUE_DEFINITION &&
          promised.has(nameOf(definition)) &&
          isRequired(member)
        )
          required.push(name);
        if (promised.has(name))
          for (const argument of argumentsOf(member))
            if (isRequired(argument)) required.push(`${name}(${nameOf(argument)})`);
      }
    expect(required.filter((name) => !promised.has(name))).toEqual([]);
  });
});

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined;
}

describe('descriptions', () => {
  test.each(ours.definitions.map((definition) => [nameOf(definition), definition] as const))(
    'of %s',
    (_, definition) => {
      expect(describedText(definition).length).toBeGreaterThan(10);
      for (const member of membersOf(definition)) {
        expect(describedText(member), nameOf(member)).not.toBe('');
        if ('arguments' in member)
          for (const argument of member.arguments ?? [])
            expect(describedText(argument), `${nameOf(member)}(${nameOf(argument)})`).not.toBe('');
      }
    },
  );
});

function describedText(node: ASTNode): string {
  return 'description' in node ? (node.description?.value ?? '') : '';
}

test('the generated text matches schema/', () => {
  const folder = new URL('../schema/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  const text = names.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  expect(printSchema(lexicographicSortSchema(buildSchema(text)))).toBe(
    printSchema(lexicographicSortSchema(buildSchema(typeDefs))),
  );
});

/** graphql's `execute` rejects schemas with `@defer` and `@stream`. */
async function run({
  source,
  ...args
}: Pick<ExecutionArgs, 'schema' | 'contextValue'> & { readonly source: string }) {
  const validated = validateExecutionArgs({ ...args, document: parse(source) });
  return 'schema' in validated ? executeRootSelectionSet(validated) : { data: undefined, errors: validated };
}

// Starts of the gateway assume this.
test('the text of the schema is valid', () => {
  expect(validateSchema(buildSchema(typeDefs))).toEqual([]);
});

test('the executable schema is valid, and Base64Array.data is a String', async () => {
  const schema = gatewaySchema();
  // The gateway assumes that it is.
  Object.assign(schema, { __validationErrors: undefined });
  expect(validateSchema(schema)).toEqual([]);
  const { data, errors } = await run({
    schema,
    source: '{ __type(name: "Base64Array") { fields { name type { kind ofType { kind name } } } } }',
  });
  expect(errors).toBeUndefined();
  expect(JSON.parse(JSON.stringify(data)).__type.fields).toContainEqual({
    name: 'data',
    type: { kind: 'NON_NULL', ofType: { kind: 'SCALAR', name: 'String' } },
  });
  expect((await run({ schema, source: getIntrospectionQuery({ oneOf: true }) })).errors).toBeUndefined();
});

test('introspection returns all descriptions and the specification of each custom scalar', async () => {
  const source = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true });
  const { data } = await run({ schema: gatewaySchema(), source });
  const types: { kind: string; name: string; description: string | null; specifiedByURL: string | null }[] =
    JSON.parse(JSON.stringify(data)).__schema.types;
  const declared = buildSchema(typeDefs);
  for (const { kind, name, description, specifiedByURL } of types) {
    expect(description, name).toBe(declared.getType(name)?.description ?? null);
    const isCustom = kind === 'SCALAR' && !isSpecifiedScalarType(new GraphQLScalarType({ name }));
    if (isCustom) expect(URL.canParse(specifiedByURL ?? ''), name).toBe(true);
  }
});

test('ErrorCode has all codes of errors, and gateway { errorCodes } lists them', async () => {
  const schema = gatewaySchema();
  const type = schema.getType('ErrorCode');
  const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  expect(names.toSorted()).toEqual([...errorCodes].toSorted());
  const contextValue = { gateway: {} };
  const { data } = await run({ schema, source: '{ gateway { errorCodes } }', contextValue });
  expect(data).toEqual({ gateway: { errorCodes } });
});
