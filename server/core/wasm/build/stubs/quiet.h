/* Included in every file of c-blosc. Removes printing, because stdio requires WASI imports. Traps if memory is exhausted,
   because c-blosc does not check allocations, and writing to address 0 of a WebAssembly memory does not trap. */
#ifndef QUIET_H
#define QUIET_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void *alloc_or_trap(size_t size) {
  void *block = malloc(size);
  if (block == NULL) __builtin_trap();
  return block;
}

static inline int align_or_trap(void **block, size_t alignment, size_t size) {
  *block = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
  if (*block == NULL) __builtin_trap();
  return 0;
}

#define fprintf(...) ((void)0)
#define printf(...) ((void)0)
#define sprintf(...) (0)
#define getenv(name) ((char *)0)
#define malloc(size) alloc_or_trap(size)
#define posix_memalign(block, alignment, size) align_or_trap(block, alignment, size)

/* One zstd context for the module instead of one per block. */
#define ZSTD_compress shared_zstd_compress
#define ZSTD_decompress shared_zstd_decompress
#endif
