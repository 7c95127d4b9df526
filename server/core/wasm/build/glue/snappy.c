/* Decodes a block of snappy, from its description (format_description.txt of its repository). */
#include <stdint.h>
#include <string.h>
#include "snappy-c.h"

snappy_status snappy_compress(const char *from, size_t length, char *to, size_t *toLength) {
  return SNAPPY_INVALID_INPUT;
}

size_t snappy_max_compressed_length(size_t length) { return length; }

snappy_status snappy_uncompress(const char *text, size_t length, char *to, size_t *toLength) {
  const uint8_t *from = (const uint8_t *)text, *end = from + length;
  uint64_t total = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (from == end || shift > 28) return SNAPPY_INVALID_INPUT;
    total |= (uint64_t)(*from & 127) << shift;
    if (!(*from++ & 128)) break;
  }
  if (total > *toLength) return SNAPPY_INVALID_INPUT;
  size_t done = 0;
  while (from < end) {
    unsigned tag = *from++, kind = tag & 3;
    /* Bytes of the length of a literal, or of the distance of a copy. */
    unsigned more = kind == 0 ? (tag >> 2 < 60 ? 0 : (tag >> 2) - 59) : kind == 3 ? 4 : kind;
    if (more > (size_t)(end - from)) return SNAPPY_INVALID_INPUT;
    uint32_t number = 0;
    memcpy(&number, from, more);
    from += more;
    if (kind == 0) {
      uint64_t count = (more == 0 ? tag >> 2 : (uint64_t)number) + 1;
      if (count > (size_t)(end - from) || count > total - done) return SNAPPY_INVALID_INPUT;
      memcpy(to + done, from, count);
      from += count;
      done += count;
      continue;
    }
    size_t count = kind == 1 ? (tag >> 2 & 7) + 4 : (tag >> 2) + 1;
    size_t back = kind == 1 ? (tag >> 5) << 8 | number : number;
    if (back == 0 || back > done || count > total - done) return SNAPPY_INVALID_INPUT;
    /* A copy may overlap what it writes. */
    for (; count > 0; count--, done++) to[done] = to[done - back];
  }
  *toLength = done;
  return done == total ? SNAPPY_OK : SNAPPY_INVALID_INPUT;
}
