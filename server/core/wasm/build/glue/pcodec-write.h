/* Writes chunks of numbers whose latents have the type LATENT of BITS bits. NAME makes names unique. */

typedef struct {
  LATENT lowers[1 << BINS_LOG];
  uint8_t widths[1 << BINS_LOG];
  unsigned size_log;
  /* Bits of all latents, estimated from a sample. */
  double bits;
} NAME(Bins);

static int NAME(compare)(const void *a, const void *b) {
  LATENT x = *(const LATENT *)a, y = *(const LATENT *)b;
  return x < y ? -1 : x > y;
}

static unsigned NAME(width)(LATENT value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

/* Bins between quantiles of a sample. The last ones are repeated up to a power of two, so that all weights are 1. */
static void NAME(plan_bins)(const LATENT *latents, uint32_t count, NAME(Bins) *bins) {
  static LATENT sample[SAMPLE];
  uint32_t samples = count < SAMPLE ? count : SAMPLE;
  LATENT least = latents[0], most = latents[0];
  for (uint32_t i = 1; i < count; i++) {
    if (latents[i] < least) least = latents[i];
    if (latents[i] > most) most = latents[i];
  }
  for (uint32_t i = 0; i < samples; i++) sample[i] = latents[(uint64_t)i * count / samples];
  qsort(sample, samples, sizeof(LATENT), NAME(compare));
  unsigned found = 0;
  for (unsigned i = 0; i < 1u << BINS_LOG; i++) {
    LATENT lower = i == 0 ? least : sample[(uint64_t)i * samples >> BINS_LOG];
    if (found == 0 || lower > bins->lowers[found - 1]) bins->lowers[found++] = lower;
  }
  bins->bits = 0;
  for (bins->size_log = 0; found > 1u << bins->size_log;) bins->size_log++;
  for (unsigned i = 0; i < 1u << bins->size_log; i++) {
    if (i >= found) bins->lowers[i] = bins->lowers[found - 1];
    LATENT upper = i + 1 < found ? bins->lowers[i + 1] - 1 : most;
    bins->widths[i] = NAME(width)(upper - bins->lowers[i]);
  }
  for (uint32_t i = 0, bin = 0; i < samples; i++) {
    while (bin + 1 < found && sample[i] >= bins->lowers[bin + 1]) bin++;
    bins->bits += (bins->widths[bin] + bins->size_log) * ((double)count / samples);
  }
}

/* The first bin with the value, by bisection. */
static unsigned NAME(bin_of)(const NAME(Bins) *bins, LATENT value) {
  unsigned at = 0;
  for (unsigned step = (1u << bins->size_log) >> 1; step > 0; step >>= 1)
    if (bins->lowers[at + step] <= value && bins->lowers[at + step] != bins->lowers[at]) at += step;
  return at;
}

static void NAME(to_deltas)(LATENT *latents, uint32_t count) {
  for (uint32_t i = count; i-- > 1;) latents[i] -= latents[i - 1];
}

static int NAME(encode_chunk)(Writer *writer, int numbers, const LATENT *from, uint32_t count, int order) {
  LATENT *latents = take(sizeof(LATENT) * (size_t)count), *best = take(sizeof(LATENT) * (size_t)count);
  uint8_t *symbols = take((size_t)count + LANES);
  if (latents == NULL || best == NULL || symbols == NULL) return NO_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    latents[i] = numbers == UNSIGNED ? from[i] : numbers == SIGNED ? from[i] ^ MIDDLE : NAME(ordered)(from[i]);
  LATENT moments[8];
  NAME(Bins) bins, planned;
  unsigned chosen = 0, last = order < 0 ? MOST_ORDER : order;
  /* Of the latents, the first `o` are moments, and the others deltas of order `o`. */
  for (unsigned o = 0; o <= last && o < count; o++) {
    if (o > 0) {
      moments[o - 1] = latents[o - 1];
      NAME(to_deltas)(latents + o - 1, count - o + 1);
    }
    if (order >= 0 && o < last && o + 1 < count) continue;
    LATENT *own = latents + o;
    if (o > 0)
      for (uint32_t i = 0; i < count - o; i++) own[i] ^= MIDDLE;
    NAME(plan_bins)(own, count - o, &planned);
    if (o == 0 || planned.bits < bins.bits || order >= 0) {
      bins = planned;
      chosen = o;
      memcpy(best, own, sizeof(LATENT) * (count - o));
    }
    if (o > 0)
      for (uint32_t i = 0; i < count - o; i++) own[i] ^= MIDDLE;
  }
  uint32_t stored = count - chosen, mask = (1u << bins.size_log) - 1, stride = 3 * (mask + 1) / 5 | 1;
  write_bits(writer, CLASSIC, 4);
  write_bits(writer, chosen, 3);
  write_bits(writer, bins.size_log, 4);
  write_bits(writer, mask + 1, 15);
  for (unsigned i = 0; i <= mask; i++) {
    write_bits(writer, 0, bins.size_log);
    write_bits(writer, bins.lowers[i], BITS);
    write_bits(writer, bins.widths[i], OFFSET_BITS);
  }
  fill_byte(writer);
  for (uint32_t i = 0; i < stored; i++) symbols[i] = NAME(bin_of)(&bins, best[i]);
  for (unsigned i = 0; i < chosen; i++) write_bits(writer, moments[i], BITS);
  /* A state is the place of its symbol in the table, and leads to any other state. */
  for (unsigned lane = 0; lane < LANES; lane++) write_bits(writer, stride * symbols[lane] & mask, bins.size_log);
  fill_byte(writer);
  for (uint32_t at = 0; at < stored; at += BATCH) {
    uint32_t end = stored - at < BATCH ? stored : at + BATCH;
    if (bins.size_log > 0)
      for (uint32_t i = at; i < end; i++) write_bits(writer, stride * symbols[i + LANES] & mask, bins.size_log);
    for (uint32_t i = at; i < end; i++)
      write_bits(writer, (LATENT)(best[i] - bins.lowers[symbols[i]]), bins.widths[symbols[i]]);
  }
  fill_byte(writer);
  return 0;
}
