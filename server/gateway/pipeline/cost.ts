/**
 * The cost of an operation. Computes an upper bound of the number of fields in its response from the document and its
 * variables (a list counts its maximum length), checks it, and adds the actual cost to the result on request.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  type ExecutionResult,
  GraphQLError,
  OperationTypeNode,
} from 'graphql';
import { NotReadError, type OperationCost } from '../../resolvers/budget.js';
import type { GatewayContext } from '../../resolvers/context.js';
import { defaultOf } from '../../resolvers/input-defaults.js';
import { InputError } from '../../zarr/index.js';
import { badRequest } from '../http-errors.js';
import type { CostRequest, RequestedOperation } from './choose-operation.js';
import type { Price } from './documents.js';

/** Upper bounds of list lengths. */
interface ListBounds {
  readonly maxFirst: number;
  readonly stores: number;
  /** Charged for each introspection. */
  readonly introspectionFields: number;
}

interface Pricing {
  /** Whether the price depends on the document alone, and not on variables or stores. */
  isFixed: boolean;
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly bounds: ListBounds;
}

/** The size of the document has been checked, so the walk is bounded. */
function priceOf(selections: SelectionSetNode, type: GraphQLNamedType, pricing: Pricing): Price {
  let [fields, parts] = [0, 0];
  for (const selection of selections.selections) {
    const price = priceOfSelection(selection, type, pricing);
    fields += price.fields;
    parts += price.parts + (isDeferred(selection) ? 1 : 0);
  }
  return { fields, parts };
}

function priceOfSelection(selection: SelectionNode, type: GraphQLNamedType, pricing: Pricing): Price {
  if (selection.kind === Kind.FIELD) return priceOfField(selection, type, pricing);
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return priceOf(
      selection.selectionSet,
      typeNamed(selection.typeCondition?.name.value, type, pricing),
      pricing,
    );
  const fragment = pricing.fragments.get(selection.name.value);
  if (fragment === undefined) return { fields: 0, parts: 0 };
  return priceOf(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value, type, pricing), pricing);
}

/** Whether the selection has `@defer` or `@stream`, even if its argument `if` is false. */
function isDeferred({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name }) => name.value === 'defer' || name.value === 'stream');
}

function typeNamed(name: string | undefined, outer: GraphQLNamedType, { schema }: Pricing): GraphQLNamedType {
  return (name === undefined ? undefined : schema.getType(name)) ?? outer;
}

/** Assumed length of a list whose length no argument bounds, for its parts. */
const UNBOUNDED_LENGTH = 100;

function priceOfField(node: FieldNode, parent: GraphQLNamedType, pricing: Pricing): Price {
  if (node.selectionSet === undefined) return { fields: 1, parts: 0 };
  const field =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  if (field === undefined) {
    // Introspection is bounded by the size of the schema.
    const { parts } = priceOf(node.selectionSet, parent, pricing);
    const isSchema = node.name.value === '__schema' || node.name.value === '__type';
    return {
      fields: 1 + (isSchema ? pricing.bounds.introspectionFields : 0),
      parts: parts * UNBOUNDED_LENGTH,
    };
  }
  const inner = priceOf(node.selectionSet, getNamedType(field.type), pricing);
  const length = lengthOf(node, field, pricing);
  const isList = isListType(getNullableType(field.type));
  const mostItems = length === undefined && isList ? UNBOUNDED_LENGTH : (length ?? 1);
  return {
    fields: 1 + (length ?? 1) * inner.fields,
    parts: mostItems * inner.parts + (isDeferred(node) ? mostItems : 0),
  };
}

/** Maximum length of a list by the argument that determines it; undefined for fields without such an argument. */
function lengthOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  pricing: Pricing,
): number | undefined {
  const { variables, bounds } = pricing;
  for (const argument of field.args) {
    const { name } = argument;
    if (!['first', 'ids', 'requests', 'representations'].includes(name)) continue;
    const given = node.arguments?.find((candidate) => candidate.name.value === name)?.value;
    const value: unknown = given === undefined ? undefined : valueFromASTUntyped(given, { ...variables });
    if (field.name === 'stores' || (given !== undefined && given.kind !== Kind.INT)) pricing.isFixed = false;
    const length = Array.isArray(value) ? value.length : Number(value ?? defaultOf(argument) ?? 1);
    const most = field.name === 'stores' ? Math.min(bounds.stores, bounds.maxFirst) : bounds.maxFirst;
    // The field rejects a longer list with a better message.
    return Number.isFinite(length) ? Math.min(Math.max(length, 0), most) : 1;
  }
  return undefined;
}

/** Reads `extensions.cost`. @throws GraphQLError for a value other than a boolean, null or "only" */
export function costRequestOf(extensions: Readonly<Record<string, unknown>>): CostRequest {
  const { cost } = extensions;
  if (cost === undefined || cost === null || cost === false) return undefined;
  if (cost === true || cost === 'only') return cost;
  throw badRequest('"extensions.cost" must be true (to add the cost to the result) or "only"');
}

/**
 * @returns the maximum number of parts that the response may be delivered in
 * @throws LimitError if the response could have too many fields; InputError for the cost of a mutation alone
 */
export function chargeOperation(
  operation: RequestedOperation,
  context: GatewayContext,
  bounds: ListBounds,
): number {
  if (operation.cost === 'only' && operation.definition.operation === OperationTypeNode.MUTATION)
    throw new InputError('the cost of a mutation cannot be computed before it runs; omit "extensions.cost"');
  const { definition, known } = operation;
  const price = known.prices.get(definition) ?? priceOfOperation(operation, bounds);
  context.budget.chargeFields(price.fields);
  return price.parts;
}

function priceOfOperation(operation: RequestedOperation, bounds: ListBounds): Price {
  const { schema, document, definition, variableValues: variables = {} } = operation;
  const root = schema.getRootType(definition.operation);
  if (root === null || root === undefined) return { fields: 0, parts: 0 };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const pricing = { isFixed: true, schema, fragments, variables, bounds };
  const price = priceOf(definition.selectionSet, root, pricing);
  if (pricing.isFixed) operation.known.prices.set(definition, price);
  return price;
}

/** Adds the cost to a result. Removes the errors of values that were not read because only the cost was requested. */
export function withCost(result: ExecutionResult, cost: OperationCost): ExecutionResult {
  const { errors, extensions, ...rest } = result;
  const left = errors?.filter((error) => !isNotRead(error)) ?? [];
  return { ...rest, ...(left.length === 0 ? {} : { errors: left }), extensions: { ...extensions, cost } };
}

function isNotRead(error: unknown): boolean {
  let cause = error;
  while (cause instanceof GraphQLError) cause = cause.originalError;
  return cause instanceof NotReadError;
}
