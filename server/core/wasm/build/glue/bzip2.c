/* Runs streams in steps: the caller provides output space repeatedly until the stream ends. */
#include <stdlib.h>
#include "bzlib.h"
#include "export.h"

static bz_stream stream;
static int isOpen;

void bz_internal_error(int code) { __builtin_trap(); }

EXPORT(bzip2_close) void module_bzip2_close(void) {
  if (isOpen) BZ2_bzDecompressEnd(&stream);
  isOpen = 0;
}

EXPORT(bzip2_open) int module_bzip2_open(const char *from, unsigned length) {
  module_bzip2_close();
  stream = (bz_stream){0};
  int status = BZ2_bzDecompressInit(&stream, 0, 0);
  isOpen = status == BZ_OK;
  stream.next_in = (char *)from;
  stream.avail_in = length;
  return status;
}

/* Returns BZ_OK (0) if more output space or input is needed, BZ_STREAM_END (4) at the end, a negative number for an error. */
EXPORT(bzip2_step) int module_bzip2_step(char *to, unsigned capacity) {
  stream.next_out = to;
  stream.avail_out = capacity;
  return BZ2_bzDecompress(&stream);
}

EXPORT(bzip2_room_left) unsigned module_bzip2_room_left(void) { return stream.avail_out; }
EXPORT(bzip2_input_left) unsigned module_bzip2_input_left(void) { return stream.avail_in; }

/* Returns the number of bytes written, or a negative error. */
EXPORT(bzip2_encode)
int module_bzip2_encode(char *from, unsigned length, char *to, unsigned capacity, int level) {
  unsigned written = capacity;
  int status = BZ2_bzBuffToBuffCompress(to, &written, from, length, level, 0, 0);
  return status == BZ_OK ? (int)written : status;
}
