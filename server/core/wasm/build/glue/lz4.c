/* Raw blocks. The caller handles the size that precedes them. */
#include "lz4.h"
#include "export.h"

EXPORT(lz4_decode) int module_lz4_decode(const char *from, int length, char *to, int capacity) {
  return LZ4_decompress_safe(from, to, length, capacity);
}

EXPORT(lz4_bound) int module_lz4_bound(int length) { return LZ4_compressBound(length); }

EXPORT(lz4_encode) int module_lz4_encode(const char *from, int length, char *to, int capacity, int acceleration) {
  return LZ4_compress_fast(from, to, length, capacity, acceleration);
}
