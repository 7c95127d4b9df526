/* Memory for lists side by side, one per column; defined in moments.c. Static, so that the memory does not grow. */
#ifndef COLUMNS_H
#define COLUMNS_H
#include <stddef.h>
#include <stdint.h>
#include "export.h"

typedef double doubles __attribute__((vector_size(16)));
typedef int64_t longs __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));
typedef int32_t ints __attribute__((vector_size(16)));

#define COLUMNS 2048
#define VALUE_BYTES (256 * 1024)

/* The state of each list, and memory for values from outside the module. */
extern struct columns {
  double origin[COLUMNS], rest[COLUMNS], squares[COLUMNS], missing[COLUMNS];
  char values[VALUE_BYTES];
} memory;
#endif
