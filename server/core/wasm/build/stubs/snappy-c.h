/* The functions of snappy that c-blosc calls; glue/snappy.c decodes, and does not compress. */
#ifndef STUB_SNAPPY_C_H
#define STUB_SNAPPY_C_H
#include <stddef.h>
typedef enum { SNAPPY_OK = 0, SNAPPY_INVALID_INPUT = 1 } snappy_status;
snappy_status snappy_compress(const char *from, size_t length, char *to, size_t *toLength);
size_t snappy_max_compressed_length(size_t length);
snappy_status snappy_uncompress(const char *from, size_t length, char *to, size_t *toLength);
#endif
