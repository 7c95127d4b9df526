/** Models of the object types in the schema, which resolvers pass to each other. */
import type { Line } from '../analysis/line.js';
import type { LineValues } from '../analysis/line/read-lines.js';
import type { SteppedSlice } from '../analysis/operations/apply-steps.js';
import type { RecipeSource, SliceRecipe } from '../analysis/recipe.js';
import type { CutDataset } from '../dataset/cut-dataset.js';
import type { ImageLevel, Multiscale } from '../dataset/multiscales.js';
import type { SliceCoordinate } from '../dataset/slice-coordinate.js';
import type { Variable } from '../dataset/variable.js';
import type { Base64Text } from '../transport/base64-text.js';
import type {
  BeginOptions,
  Block,
  DataType,
  Excess,
  Hierarchy,
  JsonObject,
  LazySlice,
  NodeEntry,
  ErrorContext,
  PlanCost,
  StoreKind,
  StoreVersions,
  WriteReport,
  ZarrArray,
  ZarrGroup,
} from '../zarr/index.js';
import type { JobStatus } from '../jobs/job-service.js';
import type { ResultScope } from './analysis/results.js';
import type { ChangeEvent } from './changes/change-feed.js';

/** A configured store as a hierarchy of nodes. Created at startup; callers with limited rights get copies. */
export interface StoreModel {
  readonly name: string;
  readonly description: string | undefined;
  readonly kind: StoreKind;
  readonly writable: boolean;
  readonly hierarchy: Hierarchy;
  /** Set for stores that keep their history. */
  readonly history?: StoreHistory | undefined;
  /** The snapshot of the hierarchy; undefined for the current state, which may change during a request. */
  readonly snapshot?: string | undefined;
}

/** The snapshots of a store. */
export interface StoreHistory extends Omit<StoreVersions, 'at'> {
  /** The store at a snapshot, named `NAME@SNAPSHOT`, so that links and recipes lead back to the snapshot. */
  at(snapshot: string): StoreModel;
  /** Begins changes; undefined if the store cannot be written. */
  readonly begin?: ((options: BeginOptions) => Promise<StoreChanges>) | undefined;
}

/** Changes of a store that nobody else sees before they are committed. */
export interface StoreChanges {
  /** The store with the changes. */
  readonly store: StoreModel;
  /** Commits and publishes them. @returns the snapshot; undefined if nothing was changed. @throws ConflictError; store errors */
  commit(message: string): Promise<string | undefined>;
  /** Does nothing after a commit. */
  discard(): Promise<void>;
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

/** A data type, and its name in the metadata. */
export interface DataTypeModel {
  readonly dtype: DataType;
  readonly name: string;
}

/** A node on a page. The node exists; it is opened once, when a field requires it. */
export interface NodeEntryModel {
  readonly cursor: string;
  readonly entry: NodeEntry;
  open(): Promise<NodeModel>;
}

export interface NodeConnectionModel {
  readonly entries: readonly NodeEntryModel[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** The number of nodes; undefined if counting would require a complete listing. */
  totalCount(): Promise<number | undefined>;
}

/** A child on a page. It is opened once, when a field requires it. */
export interface DatasetEdgeModel {
  readonly cursor: string;
  open(): Promise<DatasetModel>;
}

export interface DatasetConnectionModel {
  readonly entries: readonly DatasetEdgeModel[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/** A dataset, possibly restricted by selections. */
export interface DatasetModel {
  readonly store: StoreModel;
  readonly cut: CutDataset;
}

export interface DatasetDimensionModel {
  readonly dataset: DatasetModel;
  readonly name: string;
  readonly size: number;
}

/** A variable, restricted by the selections of its dataset. */
export interface VariableModel {
  readonly dataset: DatasetModel;
  readonly variable: Variable;
}

/** All models of types that implement `Node`. */
export type IdentifiedModel = StoreModel | NodeModel | DatasetModel | VariableModel | DatasetDimensionModel;

export type SliceCoordinateModel = SliceCoordinate;

export interface MultiscaleModel extends Omit<Multiscale, 'levels'> {
  readonly levels: readonly ImageLevelModel[];
}

export interface ImageLevelModel extends ImageLevel {
  readonly store: StoreModel;
}

/** A slice, whose values are read on demand. */
export interface SliceModel {
  readonly store: StoreModel;
  readonly slice: LazySlice;
  readonly source: RecipeSource;
  /** The slice with its steps, to which further steps can be added. */
  readonly stepped: SteppedSlice;
  /** Recreates the slice in another request. @throws UnsupportedError for a slice that a job computes */
  readonly recipe: SliceRecipe;
  /** The job that computes the values; undefined if they are computed as they are read. */
  readonly job: JobStatus | undefined;
  /** The cache key of the slice; see `recipeKey`. */
  key(): string;
  /**
   * The attributes that determine decoding; for bounds, also the attributes of their variable; for an
   * expression, those of its variables. Undefined for stored values.
   */
  readonly decodedBy: JsonObject | undefined;
  /** Charges the request and reads the values, once for all fields. */
  read(scope: ResultScope): Promise<Block>;
  /** Drops the values, because their memory is released. A later `read` reads them again. */
  forget(): void;
}

/** The cost of a read, and the limits that it would exceed. */
export interface EstimateModel extends Pick<
  PlanCost,
  'chunks' | 'requests' | 'decodedBytes' | 'reducedBytes' | 'work' | 'outputBytes'
> {
  readonly allowed: boolean;
  readonly exceeded: readonly Excess[];
}

/** A line that is computed on demand. */
export interface LineModel {
  readonly line: Line;
  /** Charges the request and computes the line, once for all fields. */
  read(scope: ResultScope): Promise<LineValues>;
}

/** Values of a known type. */
export interface TypedValuesModel {
  readonly type: DataTypeModel;
  readonly where: ErrorContext;
  read(scope: ResultScope): Promise<Block>;
}

/** The result of a write. */
export interface WriteReportModel extends WriteReport {
  readonly array: ArrayModel;
}

/** A change delivered to a subscriber. */
export interface ChangeModel {
  readonly store: StoreModel;
  readonly change: ChangeEvent;
}

export interface Base64Model {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Base64Text;
  readonly compression: 'NONE' | 'GZIP';
}
