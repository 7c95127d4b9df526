/* Allocates memory of the module for the caller. Returns 0 if memory is exhausted. */
#include <stdlib.h>
#include "export.h"

EXPORT(alloc) void *module_alloc(size_t size) { return malloc(size); }
EXPORT(resize) void *module_resize(void *block, size_t size) { return realloc(block, size); }
EXPORT(release) void module_release(void *block) { free(block); }
