/**
 * Reductions, lines and statistics that the gateway computes: `zarrql-client/analysis`. A separate entry, so that bundles
 * without charts and maps do not contain it.
 */
export { compute } from './compute.js';
export { lazySlice } from './lazy-slice.js';
export type { LazySlice } from './lazy-slice.js';
export type {
  Boundary,
  CoarsenMethod,
  CalendarPart,
  CalendarUnit,
  CoarsenOptions,
  GroupBy,
  GroupOptions,
  ColorMapName,
  ColorScale,
  ColorStop,
  GeoPolygon,
  GeoRing,
  Histogram,
  InterpolateOptions,
  ImageOptions,
  LegendStop,
  LineOptions,
  LinePoints,
  Picture,
  PictureAxis,
  ReducedOf,
  ReduceOptions,
  RollingOptions,
  Reduction,
  Statistic,
  Statistics,
  StatisticsOptions,
  TileOptions,
  TileSet,
  WeightKind,
  Weights,
} from './types.js';
