/* xz, LZMA alone and raw filter chains, in steps as in bzip2.c. A chain is passed as 10 integers per filter (see
   FIELDS); -1 means absent. */
#include <string.h>
#include "lzma.h"
#include "export.h"

enum { FORMAT_XZ = 1, FORMAT_ALONE = 2, FORMAT_RAW = 3 };
enum { ID, PRESET, DICT_SIZE, LC, LP, PB, MODE, NICE_LEN, MF, DEPTH_OR_DISTANCE, FIELDS };
enum { ID_LZMA1 = 1, ID_LZMA2 = 0x21, ID_DELTA = 3 };

static lzma_stream stream = LZMA_STREAM_INIT;
static lzma_filter chain[LZMA_FILTERS_MAX + 1];
static lzma_options_lzma lzmaOptions[LZMA_FILTERS_MAX];
static lzma_options_delta deltaOptions[LZMA_FILTERS_MAX];
static lzma_options_bcj bcjOptions[LZMA_FILTERS_MAX];

/* Used by the patched lz_decoder.c: a dictionary never needs to be larger than the whole result. */
size_t lz_dictionary_ceiling = SIZE_MAX;

static void set_lzma(lzma_options_lzma *options, const int32_t *f) {
  if (f[DICT_SIZE] != -1) options->dict_size = (uint32_t)f[DICT_SIZE];
  if (f[LC] != -1) options->lc = (uint32_t)f[LC];
  if (f[LP] != -1) options->lp = (uint32_t)f[LP];
  if (f[PB] != -1) options->pb = (uint32_t)f[PB];
  if (f[MODE] != -1) options->mode = (lzma_mode)f[MODE];
  if (f[NICE_LEN] != -1) options->nice_len = (uint32_t)f[NICE_LEN];
  if (f[MF] != -1) options->mf = (lzma_match_finder)f[MF];
  if (f[DEPTH_OR_DISTANCE] != -1) options->depth = (uint32_t)f[DEPTH_OR_DISTANCE];
}

/* The encoder's tables grow with the dictionary, and a dictionary larger than the input has no effect. */
static void shrink_dictionary(lzma_options_lzma *options, size_t length) {
  uint32_t enough = length < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)length;
  if (options->dict_size > enough) options->dict_size = enough;
}

static lzma_ret set_chain(const int32_t *filters, int count) {
  if (count < 1 || count > LZMA_FILTERS_MAX) return LZMA_OPTIONS_ERROR;
  for (int i = 0; i < count; i++) {
    const int32_t *f = filters + i * FIELDS;
    if (f[ID] == ID_LZMA1 || f[ID] == ID_LZMA2) {
      if (lzma_lzma_preset(&lzmaOptions[i], f[PRESET] == -1 ? LZMA_PRESET_DEFAULT : (uint32_t)f[PRESET]))
        return LZMA_OPTIONS_ERROR;
      set_lzma(&lzmaOptions[i], f);
      chain[i].id = f[ID] == ID_LZMA1 ? LZMA_FILTER_LZMA1 : LZMA_FILTER_LZMA2;
      chain[i].options = &lzmaOptions[i];
    } else if (f[ID] == ID_DELTA) {
      memset(&deltaOptions[i], 0, sizeof deltaOptions[i]);
      deltaOptions[i].type = LZMA_DELTA_TYPE_BYTE;
      deltaOptions[i].dist = f[DEPTH_OR_DISTANCE] == -1 ? 1 : (uint32_t)f[DEPTH_OR_DISTANCE];
      chain[i].id = LZMA_FILTER_DELTA;
      chain[i].options = &deltaOptions[i];
    } else {
      bcjOptions[i].start_offset = f[DEPTH_OR_DISTANCE] == -1 ? 0 : (uint32_t)f[DEPTH_OR_DISTANCE];
      chain[i].id = (lzma_vli)f[ID];
      chain[i].options = &bcjOptions[i];
    }
  }
  chain[count].id = LZMA_VLI_UNKNOWN;
  chain[count].options = NULL;
  return LZMA_OK;
}

EXPORT(lzma_close) void module_lzma_close(void) { lzma_end(&stream); }

static int opened(lzma_ret status, const uint8_t *from, size_t length) {
  stream.next_in = from;
  stream.avail_in = length;
  if (status != LZMA_OK) module_lzma_close();
  return status;
}

/* `most` is the maximum output size. Limits the dictionary instead of the memory, because liblzma's memory limit would
   count the dictionary size in the header, not the allocated one. */
EXPORT(lzma_decode_open)
int module_lzma_decode_open(int format, const int32_t *filters, int count, size_t most, const uint8_t *from,
                            size_t length) {
  module_lzma_close();
  lz_dictionary_ceiling = most;
  lzma_ret status = LZMA_OPTIONS_ERROR;
  if (format == FORMAT_XZ)
    status = lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK);
  if (format == FORMAT_ALONE) status = lzma_alone_decoder(&stream, UINT64_MAX);
  if (format == FORMAT_RAW) {
    status = set_chain(filters, count);
    if (status == LZMA_OK) status = lzma_raw_decoder(&stream, chain);
  }
  return opened(status, from, length);
}

/* Without filters (`count` 0), `preset` determines all options. */
EXPORT(lzma_encode_open)
int module_lzma_encode_open(int format, int check, int preset, const int32_t *filters, int count, const uint8_t *from,
                            size_t length) {
  module_lzma_close();
  int32_t whole[FIELDS];
  for (int i = 0; i < FIELDS; i++) whole[i] = -1;
  whole[ID] = format == FORMAT_ALONE ? ID_LZMA1 : ID_LZMA2;
  whole[PRESET] = preset;
  lzma_ret status = count == 0 ? set_chain(whole, 1) : set_chain(filters, count);
  for (int i = 0; i < LZMA_FILTERS_MAX && status == LZMA_OK && chain[i].id != LZMA_VLI_UNKNOWN; i++)
    if (chain[i].options == &lzmaOptions[i]) shrink_dictionary(&lzmaOptions[i], length);
  if (status == LZMA_OK) {
    if (format == FORMAT_XZ) status = lzma_stream_encoder(&stream, chain, (lzma_check)check);
    else if (format == FORMAT_RAW) status = lzma_raw_encoder(&stream, chain);
    else if (chain[0].id == LZMA_FILTER_LZMA1 && chain[1].id == LZMA_VLI_UNKNOWN)
      status = lzma_alone_encoder(&stream, chain[0].options);
    else status = LZMA_OPTIONS_ERROR;
  }
  return opened(status, from, length);
}

/* Returns LZMA_OK (0) if more output space is needed, LZMA_STREAM_END (1) at the end, otherwise an error: LZMA_BUF_ERROR
   (10) for truncated input. */
EXPORT(lzma_step) int module_lzma_step(uint8_t *to, size_t capacity) {
  stream.next_out = to;
  stream.avail_out = capacity;
  lzma_ret status;
  do status = lzma_code(&stream, LZMA_FINISH);
  while (status == LZMA_OK && stream.avail_out > 0);
  return status;
}

EXPORT(lzma_room_left) size_t module_lzma_room_left(void) { return stream.avail_out; }
EXPORT(lzma_input_left) size_t module_lzma_input_left(void) { return stream.avail_in; }
