/* Raw deflate both ways, the two checksums, and gzip and zlib for encoding. Headers are read by the caller, who may
   have a faster CRC-32. */
#include "libdeflate.h"
#include "zlib.h"
#include "export.h"

static size_t used, made;

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

/* 0: done; 1: not deflate; 3: more than `capacity`. */
EXPORT(inflate) int module_inflate(const void *from, size_t length, void *to, size_t capacity) {
  used = made = 0;
  return libdeflate_deflate_decompress_ex(inflater(), from, length, to, capacity, &used, &made);
}

/* Of the last `inflate` that returned 0: bytes read and bytes written. */
EXPORT(inflate_used) size_t module_inflate_used(void) { return used; }
EXPORT(inflate_made) size_t module_inflate_made(void) { return made; }

EXPORT(crc32) uint32_t module_crc32(uint32_t start, const void *from, size_t length) {
  return libdeflate_crc32(start, from, length);
}

EXPORT(adler32) uint32_t module_adler32(uint32_t start, const void *from, size_t length) {
  return libdeflate_adler32(start, from, length);
}

EXPORT(gzip_bound) size_t module_gzip_bound(int level, size_t length) {
  return libdeflate_gzip_compress_bound(deflater(level), length);
}

EXPORT(gzip_encode) size_t module_gzip_encode(int level, const void *from, size_t length, void *to, size_t capacity) {
  return libdeflate_gzip_compress(deflater(level), from, length, to, capacity);
}

EXPORT(zlib_bound) size_t module_zlib_bound(int level, size_t length) {
  return libdeflate_zlib_compress_bound(deflater(level), length);
}

EXPORT(zlib_encode) size_t module_zlib_encode(int level, const void *from, size_t length, void *to, size_t capacity) {
  return libdeflate_zlib_compress(deflater(level), from, length, to, capacity);
}

/* For c-blosc. */
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
