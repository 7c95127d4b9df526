/* Replaces c-blosc's shuffle.c, which detects the features of the processor. In WebAssembly they are fixed. */
#include <string.h>
#include "bitshuffle-generic.h"
#include "bitshuffle-sse2.h"
#include "shuffle-sse2.h"
#include "shuffle.h"

void blosc_internal_shuffle(const size_t typesize, const size_t blocksize, const uint8_t *from, const uint8_t *to) {
  blosc_internal_shuffle_sse2(typesize, blocksize, from, (uint8_t *)to);
}

void blosc_internal_unshuffle(const size_t typesize, const size_t blocksize, const uint8_t *from, const uint8_t *to) {
  blosc_internal_unshuffle_sse2(typesize, blocksize, from, (uint8_t *)to);
}

typedef int64_t (*transposition)(void *from, void *to, size_t elements, size_t typesize, void *scratch);

/* A block is stored unchanged if its number of elements is not a multiple of 8, and so are bytes after the last element. */
static int transpose_bits(transposition run, size_t typesize, size_t blocksize, const uint8_t *from, uint8_t *to,
                          const uint8_t *scratch) {
  size_t elements = blocksize / typesize;
  if (elements % 8 != 0) {
    memcpy(to, from, blocksize);
    return (int)elements;
  }
  int result = (int)run((void *)from, to, elements, typesize, (void *)scratch);
  size_t done = elements * typesize;
  memcpy(to + done, from + done, blocksize - done);
  return result;
}

static int64_t to_bits(void *from, void *to, size_t elements, size_t typesize, void *scratch) {
  return blosc_internal_bshuf_trans_bit_elem_sse2(from, to, elements, typesize, scratch);
}

static int64_t from_bits(void *from, void *to, size_t elements, size_t typesize, void *scratch) {
  return blosc_internal_bshuf_untrans_bit_elem_sse2(from, to, elements, typesize, scratch);
}

int blosc_internal_bitshuffle(const size_t typesize, const size_t blocksize, const uint8_t *const from,
                              const uint8_t *to, const uint8_t *scratch) {
  return transpose_bits(to_bits, typesize, blocksize, from, (uint8_t *)to, scratch);
}

int blosc_internal_bitunshuffle(const size_t typesize, const size_t blocksize, const uint8_t *const from,
                                const uint8_t *to, const uint8_t *scratch) {
  return transpose_bits(from_bits, typesize, blocksize, from, (uint8_t *)to, scratch);
}
