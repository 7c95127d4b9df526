/** What resolvers hand to one another for the object types of the schema. */
import type { Base64Text } from '../transport/base64-text.js';
import type {
  ArraySlice,
  Block,
  DataType,
  Hierarchy,
  NodeEntry,
  StoreKind,
  ZarrArray,
  ZarrGroup,
} from '../zarr/index.js';
import type { ReadScope } from './budget.js';

/** A configured store, opened as a hierarchy of nodes. One object for the life of the gateway. */
export interface StoreModel {
  readonly name: string;
  readonly description: string | undefined;
  readonly kind: StoreKind;
  readonly writable: boolean;
  readonly hierarchy: Hierarchy;
}

export interface GroupModel {
  readonly store: StoreModel;
  readonly node: ZarrGroup;
}

export interface ArrayModel {
  readonly store: StoreModel;
  readonly node: ZarrArray;
}

export type NodeModel = GroupModel | ArrayModel;

export function isGroupModel(model: NodeModel): model is GroupModel {
  return model.node.kind === 'group';
}

export function isArrayModel(model: NodeModel): model is ArrayModel {
  return model.node.kind === 'array';
}

/** A data type with the name that its metadata gives it. */
export interface DataTypeModel {
  readonly dtype: DataType;
  readonly name: string;
}

/** A node on a page: known to be there, opened on demand and once. */
export interface NodeEntryModel {
  readonly cursor: string;
  readonly entry: NodeEntry;
  open(): Promise<NodeModel>;
}

export interface NodeConnectionModel {
  readonly entries: readonly NodeEntryModel[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Undefined where only listing everything would tell. */
  totalCount(): Promise<number | undefined>;
}

/** What was selected, and its values once somebody asks for them. */
export interface SliceModel {
  readonly store: StoreModel;
  readonly slice: ArraySlice;
  /** Charges the request and reads; once, however many fields ask. */
  read(scope: ReadScope): Promise<Block>;
}

export interface Base64Model {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Base64Text;
  readonly compression: 'NONE' | 'GZIP';
}
