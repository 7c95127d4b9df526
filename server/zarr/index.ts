/**
 * The Zarr engine: v1, v2 and v3 (sharded or not) over any store, without a server. This module lists all
 * public exports.
 */
export { ZarrArray, type ChunkInfo, type StorageUse } from './nodes/array.js';
export { encodeBase64, parseBase64 } from '../../wire/base64.js';
export {
  contentBytes,
  contentsAt,
  copyItems,
  type Items,
  ItemStore,
  MISSING,
  sameItems,
  sliceItems,
} from '../core/bytes/items.js';
export {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sameJson,
  copyFloats,
  keepFloats,
  rememberFloat,
} from '../core/bytes/json.js';
export { parseJson, parseJsonText } from '../core/bytes/parse-json.js';
export { printJson, describeJson } from '../core/bytes/print-json.js';
export { firstIndexWhere, searchFrom } from '../core/bytes/search.js';
export { PositionList } from '../core/bytes/position-list.js';
export { advance, sizeOf, stridesOf } from '../core/bytes/shape.js';
export { type CopyDim, copyPieces, copyStrided } from '../core/bytes/strided-copy.js';
export type { ByteSpan } from '../core/bytes/values.js';
export type {
  ArrayToArray,
  ArrayToArrayCodec,
  ArrayToBytes,
  ArrayToBytesCodec,
  BytesToBytes,
  BytesToBytesCodec,
  ChunkRep,
  ChunkValues,
  Codec,
  CodecChain,
  CodecModule,
  CodecRegistry,
  CodecSpec,
  Size,
} from '../format/codec/codec.js';
export {
  badOption,
  checkOptions,
  readBoolean,
  readChoice,
  readInteger,
  readNumber,
} from '../format/codec/configuration.js';
export { atMost, checkSize, compressedBound, exactly, mapSize, tooLarge } from '../format/codec/size.js';
export { codecNames, createDefaultRegistry } from '../format/codec/registry.js';
export { provideWasm } from '../core/wasm/load.js';
export {
  fixedItemSize,
  dataTypeName,
  isFixedSize,
  type Block,
  type DataOf,
  type DataType,
  type Element,
  type FixedSizeType,
  type NumberType,
  type ScalarOf,
  type ScalarTypes,
  type StructField,
  type StructType,
  type TimeType,
  type TimeUnit,
  type TypeName,
  numberType,
} from '../core/dtype/data-type.js';
export { chargedItemBytes, isTime } from '../core/dtype/data-type.js';
export { invalidValue } from '../core/dtype/pack-numbers.js';
export { numberAccess } from '../core/dtype/number-access.js';
export { blockOfLists, blockOfValues } from '../core/dtype/block-of-values.js';
export { parseBytesOf } from '../core/dtype/block-of-bytes.js';
export { floatFromHalf, halfFromFloat, narrowToHalves, widenHalves } from '../../wire/float16.js';
export { dataOf, elementAt, toNested, toTypedArray, takeElements } from '../core/dtype/arrays.js';
export { itemsOfValues, itemsInSteps, heldBytes, itemBytes } from '../core/dtype/item-values.js';
export { formatDatetimes } from '../../wire/datetime.js';
export { dataTypeJson, dataTypeNames, numpyDescr, numpyTypestr } from '../core/dtype/notation.js';
export { printFillV3 } from '../core/dtype/fill-value.js';
export * from '../core/errors.js';
export { ZarrGroup } from './nodes/group.js';
export { Hierarchy, openHierarchy, type HierarchyOptions, type ListedNames } from './hierarchy.js';
export { defaultLimits, defaultMetadataLimits, type Limits, type MetadataLimits } from '../core/limits.js';
export type { AnyMeta, ArrayMeta, Documents, GroupMeta, ZarrFormat } from '../format/metadata/model.js';
export type { AttributeChange } from '../format/metadata/changed-documents.js';
export type { ChunkLengths, CreateArrayRequest } from '../format/metadata/create-request.js';
export { createArrayDocuments } from '../format/metadata/create.js';
export { parseNodePath } from '../format/metadata/paths.js';
export { chunkAt, chunkKey, type ChunkKeys, chunkLength, chunkStart, type GridDim, lengthWithin, parseChunkKey } from '../format/grid.js'; // prettier-ignore
export { assertObjectSize, assertRequest, assertVersion, atKey, resolveRange } from '../store/checks.js';
export { createBytePermits } from '../store/byte-permits.js';
export { wrapStore } from '../store/wrap.js';
export type { CallOptions, NodeContext, StoredChange } from '../chunks/node-context.js';
export type { NodeEntry, WalkNodesOptions } from './nodes/node-tree.js';
export { type BufferPool, createBufferPool, encodedBuffers } from '../core/bytes/buffer-pool.js';
export { floatPieces } from '../compute/float-elements.js';
export { sortInSteps } from '../store/sort-in-steps.js';
export { visibleText } from './documents/visible-text.js';
export {
  runToEnd,
  type Pause,
  createPause,
  inTurn,
  inTurns,
  nextTurn,
  turnMs,
  STEPS_BETWEEN_PAUSES,
} from '../core/turns.js';
export type { WalkCondition } from './documents/walk-store.js';
export { addCosts, type Cost, costError, exceededOf, excessOf, limitsAfter, noCost } from '../core/cost.js';
export {
  assertWithinLimits,
  exceededLimits,
  type PlanCost,
  transformedCost,
  workOf,
} from '../format/plan/cost.js';
export { createChunkCache, type ChunkCache } from '../chunks/read/chunk-cache.js';
export { limitShardIndexes } from '../chunks/shards/index-cache.js';
export { limitNodeMemory } from './documents/node-memory.js';
export type { Decoding } from '../threads/shared-pool.js';
export { createCodecPool } from '#codec-pool';
export type { CodecPool, CodecPoolOptions } from '../threads/codec-pool.js';
export type { ReadMetrics, ReadRecord } from '../chunks/read/chunk-read.js';
export {
  type DurationStep,
  type ElementTransform,
  type NumberTransform,
  type PackedNumbers,
  plainNumbers,
  isRealName,
  type RealName,
  type TickCount,
  type TickTransform,
  type ValueRange,
} from '../format/plan/element-transform.js';
export { NAT } from '../../wire/data-types.js';
export { wholeDuration } from '../compute/transform/tick-kernels.js';
export { transformBlock, tryTransformBlock } from '../compute/transform/apply-transform.js';
export { nearest } from '../core/nearest.js';
export { dimSelectionOf, selectionOf, wrapOf } from '../format/selection/selection.js';
export { composeSelections } from '../format/selection/compose.js';
export {
  toSelection,
  type Index,
  type PlainDimSelection,
  type PlainSelection,
  type SelectionInput,
  inSelectionErrors,
  parseSelection,
} from '../format/selection/plain.js';
export { resolveSelection, type SelectableDim } from '../format/selection/resolve.js';
export type {
  DimSelection,
  LabelWrap,
  ResolvedDim,
  ResolvedSelection,
  Selection,
} from '../format/selection/selection.js';
export type { ObjectVersions, VersionOptions } from '../chunks/read/object-versions.js';
export type {
  ArraySlice,
  CoarsenedDim,
  ElementRange,
  LazySlice,
  SliceBlock,
  SliceDim,
  SliceFoldOptions,
  SliceOrigin,
  BlockEnd,
  SliceReadOptions,
  SliceReduction,
  SliceStreamOptions,
  StoredReadOptions,
  StreamSession,
} from '../slices/lazy-slice.js';
export { addBlock, foldBlocks, foldCost, foldSlice } from '../slices/fold-slice.js';
export { collecting, type FoldParts, foldParts, type PartMerge, totalOf } from '../slices/fold-parts.js';
export { pendingSlice, readySlice } from '../slices/ready-slice.js';
export type { TaskSpan } from '../format/plan/plan.js';
export { slotFold } from '../compute/reduce/slot-fold.js';
export { type Fold, type Total } from '../compute/reduce/fold.js';
export { type AxisMap } from '../compute/axis-map.js';
export { type CombinedInput, type Combination, combinationOf } from '../slices/combined/combination.js';
export type { Combiner } from '../compute/program/combine-box.js';
export {
  pairHistogram,
  pairRangeSlice,
  pairSlice,
  pairsOf,
  type PairStatistic,
  pairStatistics,
} from '../slices/combined/pair-slice.js';
export { regressionNames } from '../compute/pairs/pair-moments.js';
export { type CombinedFrame, combineSlices, type FrameDim } from '../slices/combined/combined-slice.js';
export { createGraph, type Graph } from '../compute/program/graph.js';
export type { KernelName, Program, RegisterKind, NarrowName } from '../compute/program/program.js';
export type { FloatKernelName } from '../compute/program/float-kernels.js';
export { isSingleKernel } from '../compute/program/single-kernels.js';
export type { WordKernelName } from '../compute/program/word-kernels.js';
export {
  coarsenBlocks,
  coarsenSlice,
  type Grouping,
  groupSlice,
  listGroups,
  type ListedGrouping,
} from '../slices/mapped/coarsened-slice.js';
export { alongSlice, type OwnDim } from '../slices/axis/along-slice.js';
export { shiftSlice } from '../slices/axis/shifted-slice.js';
export { accumulations, cumulativeKernel } from '../compute/along/cumulative.js';
export { differenceKernel } from '../compute/along/difference.js';
export { forwardKernel, linearKernel } from '../compute/along/fill.js';
export { levelsKernel } from '../compute/along/levels.js';
export { rankKernel, sortKernel } from '../compute/along/order.js';
export { runForms, runsKernel } from '../compute/along/runs.js';
export { anomalySlice } from '../slices/axis/anomaly-slice.js';
export { MAX_WINDOW, type RollingRequest, rollSlice } from '../slices/axis/rolling-slice.js';
export { takeSlice } from '../slices/taken-slice.js';
export { holdSlice, isPointwise } from '../slices/held-slice.js';
export type { Gather } from '../compute/gather-rows.js';
export { blockSlice } from '../slices/block-slice.js';
export { ElementwiseSlice } from '../slices/computed-slice.js';
export { regridSlice, type RegriddedAxis } from '../slices/regridded-slice.js';
export { overlapsOf } from '../compute/regrid.js';
export { convertSlice, type LinearConversion } from '../slices/converted-slice.js';
export { guardSlice, isSameBlock, type KnownValues } from '../slices/guarded-slice.js';
export type { DimLabels, MadeDim } from '../compute/made-dim.js';
export { mapSlice, type Mapping } from '../slices/mapped/mapped-slice.js';
export { reduceSlice } from '../slices/mapped/reduced-slice.js';
export { interpolateSlice, takePositions } from '../slices/axis/interpolated-slice.js';
export type { InterpolatedAxis, InterpolatedDim } from '../slices/axis/interpolation-plan.js';
export { maskSlice, type SliceMask } from '../slices/masked-slice.js';
export type { CellMask } from '../compute/cells.js';
export { isPlace, kilometresBetween, SphereIndex } from '../compute/sphere-index.js';
export { countMembers, MEMBERS_BYTES } from '../compute/groups.js';
export {
  factsOf,
  isNumberSequence,
  type NumberSequence,
  type SequenceFacts,
} from '../compute/number-sequence.js';
export { readWeights, type WeightFactor, type WeightForm } from '../slices/weight-factors.js';
export { MAX_WEIGHTS } from '../slices/weighted-slice.js';
export {
  type Boundary,
  boundaries,
  type CoarsenMethod,
  coarsenMethods,
  type CoarsenRequest,
} from '../compute/reduce/resolve-coarsen.js';
export { positionOfDim } from '../compute/reduce/resolve.js';
export { type Bins, createBins, firstOfBin, type Key } from '../compute/line/bins.js';
export {
  labelOrderFold,
  type LabelOrderTotal,
  type RegularLabels,
} from '../compute/reduce/label-order-fold.js';
export { finishSeries, type LinePoints } from '../compute/line/line-points.js';
export { lineKernelOf, type LineMethod, lineMethods, lineType } from '../compute/line/line-slots.js';
export { roundedSum } from '../compute/compensated-sum.js';
export { integerOf, planeForm } from '../compute/number-planes.js';
export { type BinCounts, type BinSpec, equalEdges } from '../compute/statistics/bin-counts.js';
export { digitPasses } from '../compute/statistics/digit-counts.js';
export { type Between, QuantileSearch } from '../compute/statistics/quantile-search.js';
export { statisticsFold, type StatisticsTotal } from '../compute/reduce/statistics-fold.js';
export { integersSum, type Summary, valueOfPair } from '../compute/statistics/summary.js';
export { type ReduceState } from '../compute/state.js';
export {
  type Reduction,
  reductionNames,
  reductionOf,
  type ReduceRequest,
  type ReductionName,
} from '../compute/reduce/reduction.js';
export {
  assertReadable,
  type ComputedCost,
  costBeside,
  costOfInputs,
  versionsOfInputs,
  haveVersions,
} from '../slices/slice-inputs.js';
export { isStored } from '../slices/slice.js';
export { MAX_ALIGNED_BYTES, partBounds, type PartBounds, streamedCost } from '../slices/split-slice.js';
export { objectName, OneState, type ReadObject } from '../slices/one-state.js';
export { createStreamSession, streamSlice } from '../slices/stream-slice.js';
export type { GetOptions, GetResult, ReadingMethods } from '../store/define-reading.js';
export type { ListingMethods } from '../store/define-listing.js';
export { defineStore, type StoreDefinition } from '../store/define-store.js';
export type { WriteOptions, WritingMethods } from '../store/define-writing.js';
export { createFilesystemStore } from '#file-stores';
export { createMemoryStore } from '../store/memory.js';
export { DEFAULT_DEADLINE_MS } from '../store/deadline.js';
export { runWithRetry, type RetryPolicy, untilAborted } from '../store/retries.js';
export { openStoreFromUrl } from '../store/open-store.js';
export { isMissingRepository } from '../store/icechunk/address.js';
export type {
  BeginOptions, ChangedChunks, SnapshotDiff, SnapshotInfo, StoredCommit, StoreVersions, VersionRef, VersionWriting, WriteSession,
} from '../store/store.js'; // prettier-ignore
export { type OpenStoreOptions, remoteDefaults } from '../store/layers.js';
export { type CachedParts, createCachedParts } from '../store/cache/object-memory.js';
export { createHttpStore, type HttpStoreOptions } from '../store/http.js';
export { createZipStore, type ZipStoreOptions } from '../store/zip.js';
export { get, getRange } from '../store/define-reading.js';
export { completedInline } from '../store/store.js';
export { objectId } from '../core/object-id.js';
export type {
  ByteRange,
  KeyStore,
  LocatedPart,
  LocatedParts,
  ListableStore,
  Listing,
  ReadResult,
  ReadOptions,
  ReadRequest,
  Store,
  StoreAbilities,
  StoreFacts,
  StoreKind,
  StoreValue,
  StoredObject,
  WritableStore,
  WriteCondition,
} from '../store/store.js';
export {
  withMetrics,
  type StoreCall,
  type StoreMetrics,
  type StoreOperation,
} from '../store/with-metrics.js';
export type { Appended, AppendOptions } from './write/append.js';
export type { CreateGroupOptions } from './write/create.js';
export type { CreateOptions, IfExists } from './write/create-node.js';
export type { DeleteOptions } from './write/delete-node.js';
export type { ResizeOptions } from './write/resize.js';
export type { ChangeOptions } from './write/stored-node.js';
export { writtenContents, type SliceWriteOptions } from '../chunks/write/write-region.js';
