/** The executable schema: the schema text with its resolvers. */
import {
  type DocumentNode,
  GraphQLNonNull,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  Kind,
  parse,
} from 'graphql';
import { createSchema } from 'graphql-yoga';
import { chargeJsonFields } from './scalars/json-size.js';
import { readNullAsDefault } from './input-defaults.js';
import { lineResolvers } from './analysis/line.js';
import { histogramResolvers, statisticsResolvers } from './analysis/statistics.js';
import { typedValuesResolvers } from './slices/typed-values.js';
import {
  datasetConnectionResolvers,
  datasetDimensionResolvers,
  datasetEdgeResolvers,
  datasetResolvers,
} from './datasets/dataset.js';
import type { Resolvers } from './generated/types.js';
import { typeDefs } from './type-defs.js';
import { imageLevelResolvers } from './datasets/image.js';
import { jobResolvers } from './jobs/job.js';
import { mutationResolvers } from './mutation.js';
import {
  nodeResolvers,
  zarrNodeResolvers,
  arrayResolvers,
  groupResolvers,
  dataTypeFieldResolvers,
  dataTypeResolvers,
  storeResolvers,
} from './nodes/node.js';
import { nodeConnectionResolvers, nodeEdgeResolvers } from './nodes/paging.js';
import { legendResolvers, pictureResolvers } from './pictures/picture.js';
import { tileSetResolvers } from './pictures/tiles.js';
import { gatewayResolvers, queryResolvers } from './query.js';
import { bigIntScalar, jsonScalar, longStringScalar, ndArrayScalar } from './scalars/scalars.js';
import { startInTurns } from './start-in-turns.js';
import { sliceResolvers } from './slices/slice.js';
import { sliceCoordinateResolvers } from './slices/slice-coordinate.js';
import { entityResolvers, type ServedSubgraph } from './federation/entities.js';
import { entityTypeDefs, renameTypes, typeNames } from './federation/subgraph.js';
import { changeResolvers, subscriptionResolvers } from './subscription.js';
import { variableResolvers } from './datasets/variable.js';

export const resolvers: Resolvers = {
  BigInt: bigIntScalar,
  JSON: jsonScalar,
  NDArray: ndArrayScalar,
  Query: queryResolvers,
  Gateway: gatewayResolvers,
  Mutation: mutationResolvers,
  Subscription: subscriptionResolvers,
  ...changeResolvers,
  Store: storeResolvers,
  Node: nodeResolvers,
  ZarrNode: zarrNodeResolvers,
  ZarrGroup: groupResolvers,
  ZarrArray: arrayResolvers,
  DataType: dataTypeResolvers,
  DataTypeField: dataTypeFieldResolvers,
  Slice: sliceResolvers,
  SliceCoordinate: sliceCoordinateResolvers,
  Line: lineResolvers,
  TypedValues: typedValuesResolvers,
  Statistics: statisticsResolvers,
  Picture: pictureResolvers,
  Legend: legendResolvers,
  TileSet: tileSetResolvers,
  Histogram: histogramResolvers,
  Dataset: datasetResolvers,
  DatasetConnection: datasetConnectionResolvers,
  DatasetEdge: datasetEdgeResolvers,
  DatasetDimension: datasetDimensionResolvers,
  Variable: variableResolvers,
  ImageLevel: imageLevelResolvers,
  Job: jobResolvers,
  ZarrNodeConnection: nodeConnectionResolvers,
  ZarrNodeEdge: nodeEdgeResolvers,
};

let shared: GraphQLSchema | undefined;

/**
 * The schema, shared by all gateways of this process that are not subgraphs: it has no state, and building it is slow.
 * @param subgraph adds the fields of a subgraph of a federation
 * @throws InputError for an invalid prefix
 */
export function gatewaySchema(subgraph?: ServedSubgraph): GraphQLSchema {
  if (subgraph !== undefined) return createGatewaySchema(subgraph);
  shared ??= createGatewaySchema();
  return shared;
}

function createGatewaySchema(subgraph?: ServedSubgraph): GraphQLSchema {
  // Only messages about mistakes in this text need locations.
  const document = parse(typeDefs, { noLocation: true });
  // A copy of the types with the resolvers would take longer than everything else.
  const updateResolversInPlace = true;
  const schema =
    subgraph === undefined
      ? createSchema({
          typeDefs: document,
          resolvers,
          updateResolversInPlace,
          // This text never changes: test/schema.test.ts checks it, instead of every start.
          assumeValid: true,
          assumeValidSDL: true,
        })
      : createSchema({
          typeDefs: [document, parse(entityTypeDefs())],
          resolvers: [resolvers, entityResolvers(subgraph)],
          updateResolversInPlace,
        });
  describeScalars(schema, document);
  chargeJsonFields(schema);
  readNullAsDefault(Object.values(schema.getTypeMap()));
  startInTurns(schema);
  if (subgraph === undefined) return withLongStrings(schema, 'Base64Array');
  // Last, because the steps above find types by their names.
  const rename = typeNames(subgraph);
  return withLongStrings(renameTypes(schema, rename), rename('Base64Array'));
}

/** Only replaced in the complete schema, which could not be created with two types named "String". */
function withLongStrings(schema: GraphQLSchema, name: string): GraphQLSchema {
  const type = schema.getType(name);
  const data = isObjectType(type) ? type.getFields()['data'] : undefined;
  if (data === undefined) throw new TypeError('the schema has no field Base64Array.data');
  data.type = new GraphQLNonNull(longStringScalar);
  return schema;
}

/** Copies the descriptions of scalars from the schema to their implementations, for introspection. */
function describeScalars(schema: GraphQLSchema, { definitions }: DocumentNode): void {
  for (const declared of definitions) {
    if (declared.kind !== Kind.SCALAR_TYPE_DEFINITION) continue;
    const type = schema.getType(declared.name.value);
    if (!isScalarType(type)) throw new TypeError(`the schema has no scalar ${declared.name.value}`);
    type.description = declared.description?.value;
    const specified = declared.directives?.find(({ name }) => name.value === 'specifiedBy');
    const url = specified?.arguments?.find(({ name }) => name.value === 'url')?.value;
    type.specifiedByURL = url?.kind === Kind.STRING ? url.value : undefined;
  }
}
