/*
 * Sums of deviations and of their squares, for several lists side by side. Missing elements are NaN. Results have the same
 * bits as those of the loops in server/zarr/read/reduce/moments.ts and sum.ts: deviations are from the first value of each list.
 */
#include "columns.h"

struct columns memory __attribute__((aligned(16)));

EXPORT(moments_memory) void *moments_memory(void) { return &memory; }

EXPORT(moments_begin)
void moments_begin(size_t columns) {
  for (size_t i = 0; i < columns; i++) {
    memory.origin[i] = __builtin_nan("");
    memory.rest[i] = memory.squares[i] = memory.missing[i] = 0;
  }
}

typedef struct { doubles origin, rest, squares, missing; } moments;

static inline moments load(size_t i) {
  return (moments){*(doubles *)(memory.origin + i), *(doubles *)(memory.rest + i), *(doubles *)(memory.squares + i),
                   *(doubles *)(memory.missing + i)};
}

static inline void store(size_t i, moments state) {
  *(doubles *)(memory.origin + i) = state.origin;
  *(doubles *)(memory.rest + i) = state.rest;
  *(doubles *)(memory.squares + i) = state.squares;
  *(doubles *)(memory.missing + i) = state.missing;
}

static inline moments add(moments state, doubles value) {
  longs is_empty = state.origin != state.origin, is_missing = value != value;
  state.origin = (doubles)(((longs)value & is_empty) | ((longs)state.origin & ~is_empty));
  doubles deviation = (doubles)((longs)(value - state.origin) & ~is_missing);
  state.rest += deviation;
  state.squares += deviation * deviation;
  state.missing += (doubles)(is_missing & (longs)((doubles){1, 1}));
  return state;
}

/* Rows of `columns` elements (a multiple of 4), `stride` bytes apart, one list per column. */
EXPORT(moments_float32)
void moments_float32(const char *values, size_t rows, size_t columns, size_t stride) {
  for (size_t i = 0; i < columns; i += 4) {
    moments low = load(i), high = load(i + 2);
    const char *at = values + i * sizeof(float);
    for (size_t r = 0; r < rows; r++, at += stride) {
      floats four;
      __builtin_memcpy(&four, at, sizeof four);
      low = add(low, (doubles){four[0], four[1]});
      high = add(high, (doubles){four[2], four[3]});
    }
    store(i, low);
    store(i + 2, high);
  }
}

/* Like `moments_float32`, but only adds the elements to `rest` and counts missing ones. */
EXPORT(sums_float32)
void sums_float32(const char *values, size_t rows, size_t columns, size_t stride) {
  const doubles one = {1, 1};
  for (size_t i = 0; i < columns; i += 4) {
    doubles *sum = (doubles *)(memory.rest + i), *missing = (doubles *)(memory.missing + i);
    doubles low = sum[0], high = sum[1], lacks_low = missing[0], lacks_high = missing[1];
    const char *at = values + i * sizeof(float);
    for (size_t r = 0; r < rows; r++, at += stride) {
      floats four;
      __builtin_memcpy(&four, at, sizeof four);
      doubles a = {four[0], four[1]}, b = {four[2], four[3]};
      longs no_a = a != a, no_b = b != b;
      low += (doubles)((longs)a & ~no_a);
      high += (doubles)((longs)b & ~no_b);
      lacks_low += (doubles)((longs)one & no_a);
      lacks_high += (doubles)((longs)one & no_b);
    }
    sum[0] = low, sum[1] = high, missing[0] = lacks_low, missing[1] = lacks_high;
  }
}

EXPORT(moments_float64)
void moments_float64(const char *values, size_t rows, size_t columns, size_t stride) {
  for (size_t i = 0; i < columns; i += 4) {
    moments low = load(i), high = load(i + 2);
    const char *at = values + i * sizeof(double);
    for (size_t r = 0; r < rows; r++, at += stride) {
      doubles two[2];
      __builtin_memcpy(two, at, sizeof two);
      low = add(low, two[0]);
      high = add(high, two[1]);
    }
    store(i, low);
    store(i + 2, high);
  }
}
