/**
 * Reductions, lines and statistics that the gateway computes: `zarrql-client/analysis`. A separate entry, so that bundles
 * without charts and maps do not contain it.
 */
export { compute } from './compute.js';
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
} from './picture-types.js';
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
  LineOptions,
  LinePoints,
  ReducedOf,
  ReduceOptions,
  RollingOptions,
  Reduction,
  Statistic,
  Statistics,
  StatisticsOptions,
  WeightKind,
  Weights,
} from './types.js';
