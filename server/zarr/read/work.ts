/**
 * Operations that take longer than decoding their elements, in nanoseconds of one CPU core. The numbers are measured and
 * rounded up. Their products with counts of elements are the `work` of a cost.
 */
export const workOf = {
  /** One value of moving windows, whose states are updated as the window moves. */
  windowRow: 10,
  /** Moving one value of a sorted window, for medians. */
  sortedValue: 1,
  /** One neighbour of an interpolated result. */
  neighbour: 13,
  /** Sorting one value for a median, quantiles or a mode. */
  rankedValue: 50,
  /** Counting the digits of one value, for each pass and each quantile. */
  digit: 6,
  /** One operation of an expression on an element. */
  step: 1,
} as const;
