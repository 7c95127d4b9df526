/** Which operations may be remembered: queries whose fields depend only on what a recording sees. */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isLeafType,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { OperationTransport, RequestedOperation } from '../pipeline/choose-operation.js';

const values = 'dtype shape values base64';
const node = 'id store path name kind zarrFormat attributes attribute metadata version parent';
const connection = 'edges nodes pageInfo totalCount';

/**
 * The fields by type. Their values are functions of what stores tell, of the caller's rights and of the configuration.
 * Fields that are not listed may also depend on time, on secrets or on the state of the process: links, jobs, histories,
 * searches by remembered names, sizes of stores.
 */
export const rememberableFields: Readonly<Record<string, string>> = {
  Query: 'stores store node nodes slices',
  Store: 'id name description kind writable node group array dataset variable slice',
  Node: 'id',
  ZarrNode: node,
  ZarrArray: `${node} shape ndim size nbytes dtype fillValue warnings storedType order chunkShape shardShape dimensions codecs slice`,
  ZarrGroup: `${node} consolidated members group array dataset multiscales`,
  Dimension: 'name size',
  ArrayDimension: 'name size chunkSize chunkCount chunkLengths',
  Codec: 'name configuration',
  DataType: 'name numpy kind itemSize unit fields',
  DataTypeField: 'name dtype shape',
  Dataset: 'id store path group attributes dimensions variables variable select compute children',
  DatasetDimension: 'id name size coordinate',
  Variable:
    'id name kind dimensionNames shape dtype attributes encoding units longName standardName calendar flags array coordinates bounds boundsOf slice',
  Flag: 'value mask meaning',
  MultiscaleImage: 'convention name version type axes levels',
  ImageAxis: 'name type unit',
  ImageLevel: 'path array group dataset scale translation',
  Line: 'estimate x y',
  PageInfo: 'hasNextPage hasPreviousPage startCursor endCursor',
  StoreConnection: connection,
  StoreEdge: 'cursor node',
  ZarrNodeConnection: connection,
  ZarrNodeEdge: 'cursor node',
  DatasetConnection: connection,
  DatasetEdge: 'cursor node',
  Slice: `${values} size dimensions coordinates estimate field slice coarsen group anomaly line cumulative difference shift runs fill rank sort top labelOf where convert upsample regrid near reduce rolling interpolate within statistics`,
  SliceDimension: 'name size start step',
  SliceCoordinate: `${values} name dimension dimensions units calendar attributes bounds`,
  ReadEstimate: 'chunks requests decodedBytes reducedBytes work outputBytes allowed exceeded',
  ExceededLimit: 'limit allowed needed',
  Statistics: 'estimate count missing min max sum mean std quantiles histogram',
  Histogram: 'edges counts below above',
  Values: values,
  TypedValues: values,
  Base64Array: 'dtype shape data compression',
};

const known: ReadonlySet<string> = new Set(
  Object.entries(rememberableFields).flatMap(([type, names]) =>
    names.split(' ').map((name) => `${type}.${name}`),
  ),
);

/** Whether a field of a type of the generic schema may be part of an answer. */
export function isRememberableField(type: string, name: string): boolean {
  return name === '__typename' || known.has(`${type}.${name}`);
}

/** The plain values of generated fields. */
const plainTypes: ReadonlySet<string> = new Set(['String', 'Float', 'BigInt', 'NDArray']);

/**
 * Whether a field of a generated schema may be part of an answer. Fields of generated types are decided by what they
 * return: plain values, generated types, or types of the generic schema that have such fields.
 * @param generic the generic schema, whose types the generated one shares
 */
export function isRememberableGenerated(
  parent: GraphQLNamedType,
  { name, type: returned }: GraphQLField<unknown, unknown>,
  generic: GraphQLSchema,
): boolean {
  if (generic.getType(parent.name) === parent) return isRememberableField(parent.name, name);
  const type = getNamedType(returned);
  if (isLeafType(type)) return plainTypes.has(type.name);
  if (generic.getType(type.name) === type) return Object.hasOwn(rememberableFields, type.name);
  return !type.name.startsWith('__');
}

/** How an operation arrived, and what becomes of its document and result. */
interface Arrival {
  readonly transport: OperationTransport;
  /** Whether the client can read a result in parts. */
  readonly inParts: boolean;
  /** Whether the request registers its document, which a remembered response would not repeat. */
  readonly persists: boolean;
  /** See `PipelineParts.generic`. */
  readonly generic: GraphQLSchema | undefined;
}

/** Looks at all operations and fragments of the document, and at fields that directives exclude. */
export function isRememberable(
  { schema, document, definition, cost }: RequestedOperation,
  { transport, inParts, persists, generic }: Arrival,
): boolean {
  if (definition.operation !== OperationTypeNode.QUERY || cost !== undefined || persists) return false;
  if (transport !== 'GET' && transport !== 'POST') return false;
  let isKnown = true;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const [parent, field] = [types.getParentType(), types.getFieldDef()];
        isKnown &&=
          generic === undefined
            ? isRememberableField(parent?.name ?? '', name.value)
            : !!parent && !!field && isRememberableGenerated(parent, field, generic);
      },
      Directive({ name }) {
        isKnown &&= !inParts || (name.value !== 'defer' && name.value !== 'stream');
      },
    }),
  );
  return isKnown;
}
