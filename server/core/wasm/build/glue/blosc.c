/* The caller has checked the 16-byte header. Both functions return the number of bytes written; a negative
   number is an error, and 0 too when encoding. */
#include "blosc.h"
#include "export.h"

EXPORT(blosc_decode) int module_blosc_decode(const uint8_t *from, size_t length, uint8_t *to, size_t capacity) {
  size_t decoded;
  if (blosc_cbuffer_validate(from, length, &decoded) != 0 || decoded > capacity) return -1;
  return blosc_decompress_ctx(from, to, capacity, 1);
}

EXPORT(blosc_encode)
int module_blosc_encode(const uint8_t *from, size_t length, uint8_t *to, size_t capacity, int compressor, int level,
                        int shuffle, size_t typesize, size_t blocksize) {
  const char *name = NULL;
  if (blosc_compcode_to_compname(compressor, &name) < 0) return -1;
  return blosc_compress_ctx(level, shuffle, typesize, length, from, to, capacity, name, blocksize, 1);
}
