/* Implements zlib's functions for c-blosc with libdeflate. gzip and zlib chunks do not use this module. */
#include "libdeflate.h"
#include "zlib.h"

static struct libdeflate_decompressor *inflater(void) {
  static struct libdeflate_decompressor *kept;
  if (kept == NULL) kept = libdeflate_alloc_decompressor();
  if (kept == NULL) __builtin_trap();
  return kept;
}

static struct libdeflate_compressor *deflater(int level) {
  static struct libdeflate_compressor *kept;
  static int keptLevel;
  if (kept != NULL && keptLevel == level) return kept;
  libdeflate_free_compressor(kept);
  kept = libdeflate_alloc_compressor(level);
  keptLevel = level;
  if (kept == NULL) __builtin_trap();
  return kept;
}

int compress2(Bytef *to, uLongf *toLength, const Bytef *from, uLong length, int level) {
  size_t written = libdeflate_zlib_compress(deflater(level), from, length, to, *toLength);
  *toLength = written;
  return written == 0 ? Z_BUF_ERROR : Z_OK;
}

int uncompress(Bytef *to, uLongf *toLength, const Bytef *from, uLong length) {
  size_t written = 0;
  enum libdeflate_result result = libdeflate_zlib_decompress(inflater(), from, length, to, *toLength, &written);
  *toLength = written;
  return result == LIBDEFLATE_SUCCESS ? Z_OK : Z_DATA_ERROR;
}
