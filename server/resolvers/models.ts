/** What resolvers hand to one another for the object types of the schema. */
import type { SteppedSlice } from '../analysis/operations/steps.js';
import type { RecipeSource, SliceRecipe } from '../analysis/recipe.js';
import type { CutDataset } from '../dataset/cut-dataset.js';
import type { ImageLevel, Multiscale } from '../dataset/multiscales.js';
import type { Variable } from '../dataset/variable.js';
import type { Base64Text } from '../transport/base64-text.js';
import type {
  Block,
  DataType,
  Hierarchy,
  JsonObject,
  LazySlice,
  NodeEntry,
  Selection,
  StoreKind,
  StoredChange,
  WriteReport,
  ZarrArray,
  ZarrGroup,
} from '../zarr/index.js';
import type { ResultScope } from './analysis/results.js';

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

/** A dataset, or what is left of one that was cut. */
export interface DatasetModel {
  readonly store: StoreModel;
  readonly cut: CutDataset;
}

export interface DatasetDimensionModel {
  readonly dataset: DatasetModel;
  readonly name: string;
  readonly size: number;
}

/** A variable, cut like the dataset that it was found in. */
export interface VariableModel {
  readonly dataset: DatasetModel;
  readonly variable: Variable;
}

/** Everything that implements `Node`. */
export type IdentifiedModel = StoreModel | NodeModel | DatasetModel | VariableModel | DatasetDimensionModel;

/** A coordinate of a slice, not read yet. */
export interface SliceCoordinateModel {
  readonly variable: Variable;
  /** The places of the slice. */
  readonly selection: Selection;
}

export interface MultiscaleModel extends Omit<Multiscale, 'levels'> {
  readonly levels: readonly ImageLevelModel[];
}

export interface ImageLevelModel extends ImageLevel {
  readonly store: StoreModel;
}

/** What was selected, and its values once somebody asks for them. */
export interface SliceModel {
  readonly store: StoreModel;
  readonly slice: LazySlice;
  readonly source: RecipeSource;
  /** The slice with the operations that made it, for those that follow. */
  readonly made: SteppedSlice;
  /** How to get the same slice again, in another request. */
  readonly recipe: SliceRecipe;
  /** See `recipeKey`. */
  key(): string;
  /** The attributes that values are decoded by: of bounds, also those of the variable that they bound. */
  readonly decodedBy: JsonObject | undefined;
  /** Charges the request and reads; once, however many fields ask. */
  read(scope: ResultScope): Promise<Block>;
}

/** What a write did. */
export interface WriteReportModel extends WriteReport {
  readonly array: ArrayModel;
}

/** A change that a subscriber hears of. */
export interface ChangeModel {
  readonly store: StoreModel;
  readonly change: StoredChange;
}

export interface Base64Model {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Base64Text;
  readonly compression: 'NONE' | 'GZIP';
}
