/**
 * Reductions, lines and statistics that the gateway computes: `zarrql-client/analysis`. Bundles that do not import this
 * entry point do not contain it.
 */
export { compute } from './compute.js';
export type { ComputeOptions } from './compute.js';
export { lazySlice } from './lazy-slice.js';
export type { LazySlice } from './lazy-slice.js';
export type {
  ColorMapName,
  ColorScale,
  ColorStop,
  ImageOptions,
  LegendStop,
  Picture,
  PictureAxis,
  TileOptions,
  TileSet,
} from './picture.js';
export type {
  Boundary,
  CoarsenMethod,
  CalendarPart,
  CalendarUnit,
  CoarsenOptions,
  GroupBy,
  GroupOptions,
  GeoPolygon,
  GeoRing,
  Histogram,
  InterpolateOptions,
  LevelsOptions,
  LineMethod,
  LineOf,
  LineOptions,
  LinePoints,
  PlainNDArray,
  ReducedOf,
  ReduceOptions,
  RollingOptions,
  Reduction,
  ReductionParameter,
  Statistic,
  Statistics,
  StatisticsOptions,
  WeightKind,
  Weights,
} from './types.js';
