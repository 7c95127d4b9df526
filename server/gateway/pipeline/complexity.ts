/** Upper bound of the number of fields in a response, from the document and its variables: a list counts its maximum length. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';

/** An operation of a valid document. */
export interface PricedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Upper bounds of list lengths. */
export interface ListBounds {
  readonly maxFirst: number;
  readonly stores: number;
}

interface Pricing {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly bounds: ListBounds;
}

export function complexityOf(operation: PricedOperation, bounds: ListBounds): number {
  const { schema, document, definition } = operation;
  const root = schema.getRootType(definition.operation);
  if (root === null || root === undefined) return 0;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const variables = operation.variables ?? {};
  return priceOf(definition.selectionSet, root, { schema, fragments, variables, bounds });
}

/** The size of the document has been checked, so the walk is bounded. */
function priceOf(selections: SelectionSetNode, type: GraphQLNamedType, pricing: Pricing): number {
  let price = 0;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) price += priceOfField(selection, type, pricing);
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const name = selection.typeCondition?.name.value;
      price += priceOf(selection.selectionSet, typeNamed(name, type, pricing), pricing);
    } else {
      const fragment = pricing.fragments.get(selection.name.value);
      if (fragment === undefined) continue;
      price += priceOf(
        fragment.selectionSet,
        typeNamed(fragment.typeCondition.name.value, type, pricing),
        pricing,
      );
    }
  }
  return price;
}

function typeNamed(name: string | undefined, outer: GraphQLNamedType, { schema }: Pricing): GraphQLNamedType {
  return (name === undefined ? undefined : schema.getType(name)) ?? outer;
}

function priceOfField(node: FieldNode, parent: GraphQLNamedType, pricing: Pricing): number {
  if (node.selectionSet === undefined) return 1;
  const field =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  // Introspection is bounded by the size of the schema.
  if (field === undefined) return 1;
  return 1 + lengthOf(node, field, pricing) * priceOf(node.selectionSet, getNamedType(field.type), pricing);
}

/** Maximum length of a field's list; 1 for fields that are not lists. */
function lengthOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  { variables, bounds }: Pricing,
): number {
  for (const { name, defaultValue } of field.args) {
    if (!['first', 'ids', 'requests'].includes(name)) continue;
    const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
    const value: unknown = given === undefined ? defaultValue : valueFromASTUntyped(given, { ...variables });
    const length = Array.isArray(value) ? value.length : Number(value ?? defaultValue ?? 1);
    const most = field.name === 'stores' ? Math.min(bounds.stores, bounds.maxFirst) : bounds.maxFirst;
    // The field rejects a longer list with a better message.
    return Number.isFinite(length) ? Math.min(Math.max(length, 0), most) : 1;
  }
  return 1;
}
