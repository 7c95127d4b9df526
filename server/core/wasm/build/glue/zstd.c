/* One decoding and one encoding context for the lifetime of the module. Returns sizes as doubles, errors as -1 - code. */
#define ZSTD_STATIC_LINKING_ONLY
#include "zstd.h"
#include "zstd_errors.h"
#include "export.h"

#define UNKNOWN (-1.0)
#define CORRUPT (-2.0)

static ZSTD_DCtx *decoder(void) {
  static ZSTD_DCtx *context;
  if (context == NULL) context = ZSTD_createDCtx();
  if (context == NULL) __builtin_trap();
  return context;
}

static ZSTD_CCtx *encoder(void) {
  static ZSTD_CCtx *context;
  if (context == NULL) context = ZSTD_createCCtx();
  if (context == NULL) __builtin_trap();
  return context;
}

static double sizeOrError(size_t result) {
  return ZSTD_isError(result) ? -1.0 - (double)ZSTD_getErrorCode(result) : (double)result;
}

/* The total content size declared in the headers of all frames. */
EXPORT(zstd_content_size) double module_zstd_content_size(const void *from, size_t length) {
  unsigned long long size = ZSTD_findDecompressedSize(from, length);
  if (size == ZSTD_CONTENTSIZE_UNKNOWN) return UNKNOWN;
  if (size == ZSTD_CONTENTSIZE_ERROR) return CORRUPT;
  return (double)size;
}

/* The maximum decoded size of all frames, from their number of blocks. */
EXPORT(zstd_decode_bound) double module_zstd_decode_bound(const void *from, size_t length) {
  unsigned long long size = ZSTD_decompressBound(from, length);
  return size == ZSTD_CONTENTSIZE_ERROR ? CORRUPT : (double)size;
}

EXPORT(zstd_decode) double module_zstd_decode(const void *from, size_t length, void *to, size_t capacity) {
  return sizeOrError(ZSTD_decompressDCtx(decoder(), to, capacity, from, length));
}

/* See patch.sh: set if decoding a block stopped at `ZSTD_enough`. */
extern const unsigned char *ZSTD_enough;
extern int ZSTD_hasEnough;

/*
 * Decodes at least the first `wanted` bytes of the content, and returns their number. Decodes all frames if the first
 * one has a checksum, which covers the whole content, or is shorter.
 */
EXPORT(zstd_decode_until)
double module_zstd_decode_until(const void *from, size_t length, void *to, size_t capacity, size_t wanted) {
  ZSTD_frameHeader header;
  size_t missing = ZSTD_getFrameHeader(&header, from, length);
  if (missing != 0 || header.frameType != ZSTD_frame || header.checksumFlag ||
      header.frameContentSize == ZSTD_CONTENTSIZE_UNKNOWN || header.frameContentSize < wanted)
    return module_zstd_decode(from, length, to, capacity);
  ZSTD_DCtx *context = decoder();
  size_t read = 0, made = 0;
  size_t code = ZSTD_decompressBegin(context);
  ZSTD_enough = (unsigned char *)to + wanted;
  ZSTD_hasEnough = 0;
  while (made < wanted && !ZSTD_isError(code)) {
    size_t piece = ZSTD_nextSrcSizeToDecompress(context);
    if (piece == 0 || piece > length - read) {
      code = -(size_t)ZSTD_error_srcSize_wrong;
      break;
    }
    code = ZSTD_decompressContinue(context, (char *)to + made, capacity - made, (const char *)from + read, piece);
    read += piece;
    if (ZSTD_hasEnough) {
      /* zstd reports an error if the last block of a frame ends early. It is expected here. */
      made = wanted;
      code = 0;
    } else if (!ZSTD_isError(code)) made += code;
  }
  ZSTD_enough = (unsigned char *)-1;
  return ZSTD_isError(code) ? sizeOrError(code) : (double)made;
}

EXPORT(zstd_bound) double module_zstd_bound(size_t length) { return sizeOrError(ZSTD_compressBound(length)); }

EXPORT(zstd_min_level) int module_zstd_min_level(void) { return ZSTD_minCLevel(); }

EXPORT(zstd_encode)
double module_zstd_encode(const void *from, size_t length, void *to, size_t capacity, int level, int checksum) {
  ZSTD_CCtx *context = encoder();
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  size_t code = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  if (!ZSTD_isError(code)) code = ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
  if (ZSTD_isError(code)) return sizeOrError(code);
  return sizeOrError(ZSTD_compress2(context, to, capacity, from, length));
}

/* For c-blosc, see stubs/quiet.h. */
size_t shared_zstd_decompress(void *to, size_t capacity, const void *from, size_t length) {
  return ZSTD_decompressDCtx(decoder(), to, capacity, from, length);
}

size_t shared_zstd_compress(void *to, size_t capacity, const void *from, size_t length, int level) {
  return ZSTD_compressCCtx(encoder(), to, capacity, from, length, level);
}
