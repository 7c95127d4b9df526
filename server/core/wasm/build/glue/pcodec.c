/*
 * Decoder and a small encoder of the standalone format of pcodec, format versions 0 to 3, from its description (docs/format.md of
 * its repository). No length in the input is trusted: a batch, which reads less
 * than PADDING bytes, is followed by a check of the position.
 */
#include <stdlib.h>
#include <string.h>
#include "export.h"

enum { BATCH = 256, LANES = 4, MOST_SIZE_LOG = 14, PADDING = 4096 };
/* What the encoder writes: chunks of this size, at most 2^BINS_LOG bins, from the quantiles of a sample. */
enum { CHUNK_NUMBERS = 1 << 18, BINS_LOG = 6, SAMPLE = 4096, MOST_ORDER = 2 };
/* Negative results of pcodec_decode. */
enum { TRUNCATED = -1, CORRUPT = -2, UNKNOWN = -3, OTHER_TYPE = -4, TOO_MANY = -5, NO_MEMORY = -6, LARGE_TABLES = -7 };
enum { CLASSIC, INT_MULT, FLOAT_MULT, FLOAT_QUANT };
enum { UNSIGNED, SIGNED, FLOATS };

typedef struct {
  const uint8_t *from;
  /* Position and length in bits. */
  uint64_t bit, bits;
} Reader;

typedef struct {
  unsigned kind;
  int numbers;
  /* The factor or number of bits of the mode. */
  uint64_t base;
} Mode;

typedef struct {
  int is_lookback, in_second;
  /* Number of latents that are stored as they are. */
  uint32_t count;
  uint64_t window;
} Delta;

/* Table states that may still be built: tables of many small chunks could take much longer than the numbers. */
static uint64_t states_left;

static void *blocks[32];
static int block_count;

/* Memory that is zero, and freed at the end of pcodec_decode. */
static void *take(size_t size) {
  if (block_count == sizeof(blocks) / sizeof(*blocks)) return NULL;
  void *block = calloc(1, size);
  if (block != NULL) blocks[block_count++] = block;
  return block;
}

static void release_blocks(int kept) {
  while (block_count > kept) free(blocks[--block_count]);
}

static inline uint64_t word_at(const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof(word));
  return word;
}

/* 64 bits from any position. */
static inline uint64_t wide_at(const uint8_t *from, uint64_t bit) {
  const uint8_t *at = from + (bit >> 3);
  unsigned shift = bit & 7;
  return word_at(at) >> shift | (uint64_t)at[8] << 1 << (63 - shift);
}

/* @param width at most 64 */
static inline uint64_t bits_at(const uint8_t *from, uint64_t bit, unsigned width) {
  return width == 0 ? 0 : wide_at(from, bit) << (64 - width) >> (64 - width);
}

static int is_short(const Reader *reader) { return reader->bit > reader->bits; }

/* Beyond the end, reads zeros and does not move far. */
static uint64_t read_bits(Reader *reader, unsigned width) {
  uint64_t value = reader->bit + width > reader->bits ? 0 : bits_at(reader->from, reader->bit, width);
  reader->bit += width;
  return value;
}

/* Skips the rest of a byte. Returns whether its bits are zero. */
static int end_byte(Reader *reader) {
  return read_bits(reader, (8 - (reader->bit & 7)) & 7) == 0 && !is_short(reader);
}

typedef struct {
  uint8_t *to;
  uint64_t bit;
} Writer;

/* Appends bits; the bytes after the position are zero. @param width at most 64 */
static inline void write_bits(Writer *writer, uint64_t value, unsigned width) {
  uint8_t *at = writer->to + (writer->bit >> 3);
  unsigned shift = writer->bit & 7;
  uint64_t word = word_at(at) | value << shift;
  memcpy(at, &word, sizeof(word));
  if (shift + width > 64) at[8] = value >> (64 - shift);
  writer->bit += width;
}

static void fill_byte(Writer *writer) { writer->bit = (writer->bit + 7) & ~(uint64_t)7; }

static int read_delta(Reader *reader, int version, Delta *delta) {
  unsigned kind = version < 3 ? 1 : read_bits(reader, 4);
  if (kind == 1) {
    delta->count = read_bits(reader, 3);
    if (version >= 3) {
      delta->in_second = read_bits(reader, 1);
      if (delta->count == 0) return CORRUPT;
    }
  } else if (kind == 2) {
    unsigned window_log = read_bits(reader, 5) + 1, count_log = read_bits(reader, 4);
    delta->in_second = read_bits(reader, 1);
    if (count_log > window_log) return CORRUPT;
    *delta = (Delta){1, delta->in_second, 1u << count_log, (uint64_t)1 << window_log};
  } else if (kind != 0)
    return UNKNOWN;
  return is_short(reader) ? TRUNCATED : 0;
}

#define LATENT uint16_t
#define BITS 16
#define OFFSET_BITS 5
#define NAME(name) name##_uint16
#include "pcodec-latents.h"
#undef LATENT
#undef BITS
#undef OFFSET_BITS
#undef NAME

#define LATENT uint32_t
#define BITS 32
#define OFFSET_BITS 6
#define NAME(name) name##_uint32
#include "pcodec-latents.h"
#undef LATENT
#undef BITS
#undef OFFSET_BITS
#undef NAME

#define LATENT uint64_t
#define BITS 64
#define OFFSET_BITS 7
#define NAME(name) name##_uint64
#include "pcodec-latents.h"
#undef LATENT
#undef BITS
#undef OFFSET_BITS
#undef NAME

static float float_of_uint32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint32_t bits_of_uint32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double float_of_uint64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint64_t bits_of_uint64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/* Halves, for which WebAssembly has no type: single floats have all of their values and the exact products of two. */
static float float_of_uint16(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, digits = bits & 0x3ff;
  if (exponent == 31) return float_of_uint32(sign | 0x7f800000 | digits << 13);
  if (exponent != 0) return float_of_uint32(sign | (exponent + 112) << 23 | digits << 13);
  float value = (float)digits * 0x1p-24f;
  return sign ? -value : value;
}

/* Rounds to the nearest half, ties to even. */
static uint16_t bits_of_uint16(float value) {
  uint32_t bits = bits_of_uint32(value), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7c00 | (size >> 13 & 0x3ff) | ((size >> 13 & 0x3ff) == 0 ? 0x200 : 0);
  if (size >= 0x477ff000) return sign | 0x7c00;
  /* The sum has the digits of a subnormal half at its end. */
  if (size < 0x38800000) return sign | (uint16_t)bits_of_uint32(float_of_uint32(size) + 0.5f);
  return sign | (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
}

/* Lookbacks have 32 bits for all numbers. */
typedef Variable_uint32 Lookbacks;

#define LATENT uint16_t
#define BITS 16
#define FLOAT float
#define DIGITS 11
#define OFFSET_BITS 5
#define NAME(name) name##_uint16
#include "pcodec-numbers.h"
#include "pcodec-write.h"
#undef LATENT
#undef BITS
#undef OFFSET_BITS
#undef FLOAT
#undef DIGITS
#undef NAME

#define LATENT uint32_t
#define BITS 32
#define FLOAT float
#define DIGITS 24
#define OFFSET_BITS 6
#define NAME(name) name##_uint32
#include "pcodec-numbers.h"
#include "pcodec-write.h"
#undef LATENT
#undef BITS
#undef OFFSET_BITS
#undef FLOAT
#undef DIGITS
#undef NAME

#define LATENT uint64_t
#define BITS 64
#define FLOAT double
#define DIGITS 53
#define OFFSET_BITS 7
#define NAME(name) name##_uint64
#include "pcodec-numbers.h"
#include "pcodec-write.h"

/* Types: 1 and 2 unsigned, 3 and 4 signed, 5 and 6 floats, of 4 and 8 bytes; 7 to 9 the same of 2 bytes. */
static int numbers_of(int type) { return type >= 7 ? type - 7 : (type - 1) / 2; }
static int bytes_of(int type) { return type >= 7 ? 2 : type & 1 ? 4 : 8; }

static int decode_file(Reader *reader, int type, uint8_t *to, uint32_t capacity) {
  static const char magic[4] = {'p', 'c', 'o', '!'};
  for (int i = 0; i < 4; i++)
    if (read_bits(reader, 8) != (uint8_t)magic[i]) return CORRUPT;
  int version = read_bits(reader, 8);
  /* Files of the first versions have no version of the standalone format, but that of the wrapped one. */
  if (version > 2) return UNKNOWN;
  if (version == 2) {
    /* The number of numbers, if known: a hint. */
    read_bits(reader, read_bits(reader, 6) + 1);
    if (!end_byte(reader)) return is_short(reader) ? TRUNCATED : CORRUPT;
    version = read_bits(reader, 8);
    if (version > 3) return UNKNOWN;
  }
  int numbers = numbers_of(type), item_bytes = bytes_of(type);
  states_left = (1 << 18) + 8 * (uint64_t)capacity;
  int kept = block_count;
  uint32_t done = 0;
  for (;;) {
    int own = read_bits(reader, 8);
    if (is_short(reader)) return TRUNCATED;
    if (own == 0) return done;
    if (own != type) return OTHER_TYPE;
    uint32_t count = read_bits(reader, 24) + 1;
    if (count > capacity - done) return TOO_MANY;
    uint8_t *at = to + (size_t)done * item_bytes;
    int status = item_bytes == 2   ? decode_chunk_uint16(reader, version, numbers, (uint16_t *)at, count)
                 : item_bytes == 4 ? decode_chunk_uint32(reader, version, numbers, (uint32_t *)at, count)
                                   : decode_chunk_uint64(reader, version, numbers, (uint64_t *)at, count);
    release_blocks(kept);
    if (status != 0) return status == CORRUPT && is_short(reader) ? TRUNCATED : status;
    done += count;
  }
}

/*
 * Decodes a file of numbers of one type to `to`, which is aligned and has space for `capacity` numbers.
 * Returns their number, or a negative error; with bytes after the end, CORRUPT.
 */
EXPORT(pcodec_decode)
int module_pcodec_decode(const uint8_t *from, uint32_t length, int type, uint8_t *to, uint32_t capacity) {
  int status = NO_MEMORY;
  /* Reads beyond the end must stay in the memory. What they read is not used. */
  if ((uint64_t)(uintptr_t)from + length + PADDING > (uint64_t)__builtin_wasm_memory_size(0) << 16) {
    uint8_t *padded = take((size_t)length + PADDING);
    if (padded != NULL) memcpy(padded, from, length);
    from = padded;
  }
  if (from != NULL) {
    Reader reader = {from, 0, (uint64_t)length * 8};
    status = decode_file(&reader, type, to, capacity);
    if (status >= 0 && reader.bit != reader.bits) status = CORRUPT;
  }
  release_blocks(0);
  return status;
}

/* Bytes that pcodec_encode needs at most: less than two bits per number and 2 KiB per chunk more than the numbers. */
EXPORT(pcodec_bound) uint32_t module_pcodec_bound(uint32_t count, int type) {
  uint64_t bytes = (uint64_t)count * (bytes_of(type) + 2) + ((uint64_t)count / CHUNK_NUMBERS + 2) * 4096;
  return bytes > UINT32_MAX ? 0 : bytes;
}

/*
 * Writes numbers as format version 2, in the mode Classic, with bins of equal weights.
 * `to` has space for pcodec_bound bytes. `order`: that of the delta encoding, or -1 to choose one.
 * Returns the number of bytes, or a negative error.
 */
EXPORT(pcodec_encode)
int module_pcodec_encode(const uint8_t *from, uint32_t count, int type, uint8_t *to, int order) {
  Writer writer = {to, 0};
  memset(to, 0, module_pcodec_bound(count, type));
  for (const char *magic = "pco!"; *magic; magic++) write_bits(&writer, *magic, 8);
  write_bits(&writer, 2, 8);
  write_bits(&writer, 31, 6);
  write_bits(&writer, count, 32);
  fill_byte(&writer);
  write_bits(&writer, 2, 8);
  int numbers = numbers_of(type), item_bytes = bytes_of(type), status = 0;
  for (uint32_t at = 0; at < count && status == 0; at += CHUNK_NUMBERS) {
    uint32_t some = count - at < CHUNK_NUMBERS ? count - at : CHUNK_NUMBERS;
    const uint8_t *part = from + (size_t)at * item_bytes;
    write_bits(&writer, type, 8);
    write_bits(&writer, some - 1, 24);
    status = item_bytes == 2   ? encode_chunk_uint16(&writer, numbers, (const uint16_t *)part, some, order)
             : item_bytes == 4 ? encode_chunk_uint32(&writer, numbers, (const uint32_t *)part, some, order)
                               : encode_chunk_uint64(&writer, numbers, (const uint64_t *)part, some, order);
    release_blocks(0);
  }
  return status != 0 ? status : (int)(writer.bit >> 3) + 1;
}
