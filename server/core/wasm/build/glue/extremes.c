/*
 * The smallest or largest value of several lists side by side, and where it is. Missing elements are NaN. The state of a list
 * is its value in `origin` (NaN without values), the index of the first such value in `rest`, the index of the first missing
 * element in `squares` (each -1 if there is none), and the number of missing elements in `missing`.
 */
#include "columns.h"

EXPORT(extremes_begin)
void extremes_begin(size_t columns) {
  for (size_t i = 0; i < columns; i++) {
    memory.origin[i] = __builtin_nan("");
    memory.rest[i] = memory.squares[i] = -1;
    memory.missing[i] = 0;
  }
}

static inline ints words(const double *from) { return (ints){(int32_t)from[0], (int32_t)from[1], (int32_t)from[2], (int32_t)from[3]}; }

static inline void set_words(double *to, ints from) {
  for (int k = 0; k < 4; k++) to[k] = from[k];
}

static inline void of_float32(const char *values, size_t rows, size_t columns, size_t stride, int32_t first, const int is_largest) {
  for (size_t i = 0; i < columns; i += 4) {
    const double *known = memory.origin + i;
    floats best = {known[0], known[1], known[2], known[3]};
    ints found = words(memory.rest + i), lacking = words(memory.squares + i), missing = words(memory.missing + i);
    ints index = {first, first, first, first};
    const char *at = values + i * sizeof(float);
    for (size_t r = 0; r < rows; r++, at += stride, index += 1) {
      floats value;
      __builtin_memcpy(&value, at, sizeof value);
      ints is_missing = value != value;
      /* Comparisons with NaN are false: the first value is taken. */
      ints is_further = ~((is_largest ? value <= best : value >= best) | is_missing);
      best = (floats)(((ints)value & is_further) | ((ints)best & ~is_further));
      found = (index & is_further) | (found & ~is_further);
      ints is_first = is_missing & (lacking < 0);
      lacking = (index & is_first) | (lacking & ~is_first);
      missing -= is_missing;
    }
    for (int k = 0; k < 4; k++) memory.origin[i + k] = best[k];
    set_words(memory.rest + i, found);
    set_words(memory.squares + i, lacking);
    set_words(memory.missing + i, missing);
  }
}

static inline void of_float64(const char *values, size_t rows, size_t columns, size_t stride, int32_t first, const int is_largest) {
  const doubles one = {1, 1};
  for (size_t i = 0; i < columns; i += 2) {
    doubles best = *(doubles *)(memory.origin + i), found = *(doubles *)(memory.rest + i);
    doubles lacking = *(doubles *)(memory.squares + i), missing = *(doubles *)(memory.missing + i);
    doubles index = {first, first};
    const char *at = values + i * sizeof(double);
    for (size_t r = 0; r < rows; r++, at += stride, index += one) {
      doubles value;
      __builtin_memcpy(&value, at, sizeof value);
      longs is_missing = value != value;
      longs is_further = ~((is_largest ? value <= best : value >= best) | is_missing);
      best = (doubles)(((longs)value & is_further) | ((longs)best & ~is_further));
      found = (doubles)(((longs)index & is_further) | ((longs)found & ~is_further));
      longs is_first = is_missing & (lacking < 0);
      lacking = (doubles)(((longs)index & is_first) | ((longs)lacking & ~is_first));
      missing += (doubles)(is_missing & (longs)one);
    }
    *(doubles *)(memory.origin + i) = best, *(doubles *)(memory.rest + i) = found;
    *(doubles *)(memory.squares + i) = lacking, *(doubles *)(memory.missing + i) = missing;
  }
}

/* Rows of `columns` elements (a multiple of 4), `stride` bytes apart, one list per column. `first`: index of the first row. */
EXPORT(extremes_float32)
void extremes_float32(const char *values, size_t rows, size_t columns, size_t stride, int32_t first, int is_largest) {
  if (is_largest) of_float32(values, rows, columns, stride, first, 1);
  else of_float32(values, rows, columns, stride, first, 0);
}

EXPORT(extremes_float64)
void extremes_float64(const char *values, size_t rows, size_t columns, size_t stride, int32_t first, int is_largest) {
  if (is_largest) of_float64(values, rows, columns, stride, first, 1);
  else of_float64(values, rows, columns, stride, first, 0);
}
