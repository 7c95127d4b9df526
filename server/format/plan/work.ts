/**
 * Operations that take longer than decoding their elements, in nanoseconds of one CPU core. Measured with random values in
 * float32 on a busy machine, and rounded up. Their products with counts of elements are the `work` of a cost.
 */
export const workOf = {
  /** One step of moving windows along their axis: the values at one position, which are adjacent in memory. */
  windowStep: 100,
  /** One value of moving windows, whose states are updated as the window moves. */
  windowValue: 40,
  /** One value of moving medians, and moving one value of the sorted window. */
  rankedWindowValue: 150,
  sortedValue: 0.1,
  /** One neighbour of an interpolated result. */
  neighbour: 50,
  /** Sorting one value for a median, quantiles or a mode, and one result of a mode. */
  rankedValue: 50,
  mode: 4000,
  /** Counting the digits of one value, for each pass and each quantile. */
  digit: 6,
  /** One operation of an expression on an element. */
  step: 1,
} as const;
