/*
 * Moments of pairs of several lists side by side. A pair is missing if one of its numbers is NaN. The state of list i is at 2 i:
 * its first pair in `origin` (NaN without pairs), the sums of the deviations from it in `rest`, the sums of their squares in
 * `squares`, and in `missing` the sum of their products and the number of missing pairs. Results have the same bits as those
 * of the loop in server/compute/pairs/pair-moments.ts.
 */
#include "columns.h"

typedef struct { doubles origin, rest, squares, products, missing; } pairs;

static inline pairs load(size_t i) {
  const double *rest = memory.missing + 2 * i;
  return (pairs){*(doubles *)(memory.origin + 2 * i), *(doubles *)(memory.rest + 2 * i), *(doubles *)(memory.squares + 2 * i),
                 {rest[0], rest[0]}, {rest[1], rest[1]}};
}

static inline void store(size_t i, pairs state) {
  *(doubles *)(memory.origin + 2 * i) = state.origin;
  *(doubles *)(memory.rest + 2 * i) = state.rest;
  *(doubles *)(memory.squares + 2 * i) = state.squares;
  *(doubles *)(memory.missing + 2 * i) = (doubles){state.products[0], state.missing[0]};
}

static inline doubles swapped(doubles two) { return __builtin_shufflevector(two, two, 1, 0); }

static inline pairs add(pairs state, const char *at) {
  doubles pair;
  __builtin_memcpy(&pair, at, sizeof pair);
  longs is_nan = pair != pair, is_missing = is_nan | (longs)swapped((doubles)is_nan);
  longs is_first = (state.origin != state.origin) & ~is_missing;
  state.origin = (doubles)(((longs)pair & is_first) | ((longs)state.origin & ~is_first));
  doubles deviation = (doubles)((longs)(pair - state.origin) & ~is_missing);
  state.rest += deviation;
  state.squares += deviation * deviation;
  state.products += deviation * swapped(deviation);
  state.missing += (doubles)(is_missing & (longs)((doubles){1, 1}));
  return state;
}

/* Rows of `columns` pairs (an even number, at most half of COLUMNS), `stride` bytes apart, one list per column. */
EXPORT(pairs_float64)
void pairs_float64(const char *values, size_t rows, size_t columns, size_t stride) {
  for (size_t i = 0; i < columns; i += 2) {
    pairs one = load(i), other = load(i + 1);
    const char *at = values + i * 2 * sizeof(double);
    for (size_t r = 0; r < rows; r++, at += stride) {
      one = add(one, at);
      other = add(other, at + 2 * sizeof(double));
    }
    store(i, one);
    store(i + 1, other);
  }
}
