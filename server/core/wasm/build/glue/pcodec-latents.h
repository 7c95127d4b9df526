/*
 * Latents of the type LATENT of BITS bits, whose bins state their offset's width in OFFSET_BITS bits: their bins, their
 * state in a page, and the delta encoding. NAME makes names unique.
 */
#define MIDDLE ((LATENT)1 << (BITS - 1))

/* A state of the tANS decoder, with the bin of its symbol. */
typedef struct {
  LATENT lower;
  uint16_t next;
  uint8_t bits;
  uint8_t offset_bits;
} NAME(State);

/* How the latents of one variable are stored. */
typedef struct {
  NAME(State) *table;
  unsigned size_log;
  unsigned bins;
  unsigned most_offset_bits;
  uint32_t least_lower, most_lower;
  uint32_t states[LANES];
  /* Number of latents in the state of the delta encoding; 0 without one. */
  uint32_t delta_count;
  LATENT *delta;
  /* For lookbacks: all latents of the chunk. */
  LATENT *history;
} NAME(Variable);

static LATENT NAME(read)(Reader *reader, unsigned bits) { return (LATENT)read_bits(reader, bits); }

/* Reads the bins of a variable, and builds its table. */
static int NAME(open)(Reader *reader, NAME(Variable) *variable) {
  unsigned size_log = read_bits(reader, 4);
  unsigned bins = read_bits(reader, 15);
  if (size_log > MOST_SIZE_LOG || bins > 1u << size_log || (bins == 1 && size_log > 0)) return CORRUPT;
  unsigned size = 1u << size_log;
  if (size > states_left) return LARGE_TABLES;
  states_left -= size;
  /* Memory for one more bin, because a variable without values has none. */
  uint32_t *weights = take(sizeof(uint32_t) * (bins + 1));
  LATENT *lowers = take(sizeof(LATENT) * (bins + 1));
  uint8_t *offsets = take(bins + 1);
  uint16_t *symbols = take(sizeof(uint16_t) * size);
  variable->table = take(sizeof(NAME(State)) * size);
  if (!weights || !lowers || !offsets || !symbols || !variable->table) return NO_MEMORY;
  uint32_t sum = 0;
  variable->least_lower = UINT32_MAX;
  for (unsigned i = 0; i < bins; i++) {
    weights[i] = read_bits(reader, size_log) + 1;
    lowers[i] = NAME(read)(reader, BITS);
    offsets[i] = read_bits(reader, OFFSET_BITS);
    if (offsets[i] > BITS) return is_short(reader) ? TRUNCATED : CORRUPT;
    sum += weights[i];
    if (offsets[i] > variable->most_offset_bits) variable->most_offset_bits = offsets[i];
    if ((uint32_t)lowers[i] < variable->least_lower) variable->least_lower = (uint32_t)lowers[i];
    if ((uint32_t)lowers[i] > variable->most_lower) variable->most_lower = (uint32_t)lowers[i];
  }
  if (bins == 0) {
    weights[0] = sum = 1;
    lowers[0] = offsets[0] = 0;
  }
  if (is_short(reader)) return TRUNCATED;
  if (sum != size) return CORRUPT;
  /* Spreads the symbols by an odd stride of about three fifths of the table. */
  uint32_t stride = 3 * size / 5 | 1;
  for (uint32_t i = 0, step = 0; i < (bins == 0 ? 1 : bins); i++)
    for (uint32_t n = 0; n < weights[i]; n++, step++) symbols[stride * step & (size - 1)] = i;
  for (uint32_t state = 0; state < size; state++) {
    uint32_t symbol = symbols[state], next = weights[symbol]++;
    unsigned bits = 0;
    for (; next < size; next *= 2) bits++;
    variable->table[state] = (NAME(State)){lowers[symbol], next - size, bits, offsets[symbol]};
  }
  variable->size_log = size_log;
  variable->bins = bins;
  return 0;
}

/* Reads the part of the head of a page that belongs to a variable. @param count latents of the chunk */
static int NAME(start)(Reader *reader, NAME(Variable) *variable, const Delta *delta, uint32_t count) {
  if (delta != NULL) {
    variable->delta_count = delta->count;
    uint32_t kept = delta->is_lookback ? delta->count + count : delta->count;
    variable->delta = take(sizeof(LATENT) * (kept + 1));
    if (!variable->delta) return NO_MEMORY;
    if (delta->is_lookback) variable->history = variable->delta;
    for (uint32_t i = 0; i < delta->count; i++) {
      variable->delta[i] = NAME(read)(reader, BITS);
      if (is_short(reader)) return TRUNCATED;
    }
  }
  for (int lane = 0; lane < LANES; lane++) variable->states[lane] = read_bits(reader, variable->size_log);
  if (is_short(reader)) return TRUNCATED;
  uint32_t stored = count > variable->delta_count ? count - variable->delta_count : 0;
  return variable->bins == 0 && stored > 0 ? CORRUPT : 0;
}

/* Reads `count` latents, at most one batch: first all bins, then all offsets. */
static void NAME(unpack)(Reader *reader, NAME(Variable) *variable, LATENT *to, uint32_t count) {
  static uint8_t widths[BATCH + LANES];
  if (count == 0) return;
  const uint8_t *from = reader->from;
  uint64_t bit = reader->bit;
  const NAME(State) *table = variable->table;
  if (variable->bins > 1) {
    uint32_t s0 = variable->states[0], s1 = variable->states[1], s2 = variable->states[2], s3 = variable->states[3];
    uint32_t i = 0;
#define NEXT(lane, state)                                                        \
  {                                                                              \
    const NAME(State) *at = table + state;                                       \
    to[i + lane] = at->lower;                                                    \
    widths[i + lane] = at->offset_bits;                                          \
    state = at->next + ((uint32_t)(word >> shift) & ((1u << at->bits) - 1));     \
    shift += at->bits;                                                           \
  }
    /* Four states take at most 56 bits, so that one word has all of them. */
    for (; i + LANES <= count; i += LANES) {
      uint64_t word = word_at(from + (bit >> 3));
      unsigned shift = bit & 7, first = shift;
      NEXT(0, s0) NEXT(1, s1) NEXT(2, s2) NEXT(3, s3)
      bit += shift - first;
    }
    uint64_t word = word_at(from + (bit >> 3));
    unsigned shift = bit & 7, first = shift;
    if (i < count) NEXT(0, s0)
    if (i + 1 < count) NEXT(1, s1)
    if (i + 2 < count) NEXT(2, s2)
    bit += shift - first;
#undef NEXT
    variable->states[0] = s0, variable->states[1] = s1, variable->states[2] = s2, variable->states[3] = s3;
    if (variable->most_offset_bits == 0) {
    } else if (BITS < 64 || variable->most_offset_bits <= 57) {
      for (uint32_t j = 0; j < count; j++) {
        unsigned width = widths[j];
        to[j] += (LATENT)(word_at(from + (bit >> 3)) >> (bit & 7) & (((uint64_t)1 << width) - 1));
        bit += width;
      }
    } else
      for (uint32_t j = 0; j < count; j++) {
        to[j] += (LATENT)bits_at(from, bit, widths[j]);
        bit += widths[j];
      }
  } else {
    unsigned width = table->offset_bits;
    LATENT lower = table->lower, mask = width == BITS ? (LATENT)-1 : (LATENT)(((LATENT)1 << width) - 1);
    if (BITS < 64 || width <= 57)
      for (uint32_t j = 0; j < count; j++, bit += width)
        to[j] = lower + ((LATENT)(word_at(from + (bit >> 3)) >> (bit & 7)) & mask);
    else
      for (uint32_t j = 0; j < count; j++, bit += width) to[j] = lower + ((LATENT)wide_at(from, bit) & mask);
  }
  reader->bit = bit;
}

/* Decodes latents `from` to `from + count` of the `total` in a chunk. */
static int NAME(decode_batch)(Reader *reader, NAME(Variable) *variable, const uint32_t *lookbacks, const Delta *delta,
                              LATENT *to, uint32_t from, uint32_t count, uint32_t total) {
  /* The last latents are in the state of the delta encoding. */
  uint32_t stored = total > variable->delta_count ? total - variable->delta_count : 0;
  uint32_t own = from >= stored ? 0 : stored - from < count ? stored - from : count;
  NAME(unpack)(reader, variable, to, own);
  if (variable->delta == NULL) return 0;
  for (uint32_t i = 0; i < own; i++) to[i] ^= MIDDLE;
  if (variable->history == NULL) {
    for (uint32_t i = own; i < count; i++) to[i] = 0;
    for (uint32_t order = variable->delta_count; order-- > 0;) {
      LATENT moment = variable->delta[order];
      for (uint32_t i = 0; i < count; i++) {
        LATENT step = to[i];
        to[i] = moment;
        moment += step;
      }
      variable->delta[order] = moment;
    }
    return 0;
  }
  LATENT *history = variable->history;
  for (uint32_t i = 0; i < own; i++) {
    uint32_t at = variable->delta_count + from + i, back = lookbacks[i];
    if (back == 0 || back > delta->window) return CORRUPT;
    /* Before the state, the window has zeros. */
    history[at] = to[i] + (back <= at ? history[at - back] : 0);
  }
  for (uint32_t i = 0; i < count; i++) to[i] = history[from + i];
  return 0;
}
