/*
 * Elements of given ranks, for several lists side by side: one list in each lane of a vector. A list is searched by
 * bisection of its keys, integers in the order of the values, so that no branch depends on a value.
 */
#include <stddef.h>
#include <stdint.h>
#include "export.h"

#define FLOAT float
#define INT int32_t
#define WORD uint32_t
#define LANES 4
#define NAME(name) name##_float32
#include "ranks.h"
#undef FLOAT
#undef INT
#undef WORD
#undef LANES
#undef NAME

#define FLOAT double
#define INT int64_t
#define WORD uint64_t
#define LANES 2
#define NAME(name) name##_float64
#include "ranks.h"

EXPORT(ranks_float32)
void ranks32(const float *values, void *keys, size_t count, size_t columns, const double *quantiles,
             size_t quantile_count, double *present, double *found) {
  ranks_float32(values, keys, count, columns, quantiles, quantile_count, present, found);
}

EXPORT(ranks_float64)
void ranks64(const double *values, void *keys, size_t count, size_t columns, const double *quantiles,
             size_t quantile_count, double *present, double *found) {
  ranks_float64(values, keys, count, columns, quantiles, quantile_count, present, found);
}
