/*
 * Chunks of numbers whose latents have the type LATENT of BITS bits, and whose floats have DIGITS binary digits. FLOAT
 * computes with them; float_of and bits_of convert. NAME makes names unique.
 */
/* Integers of a float variable: exact up to 2^DIGITS, then one step per float. */
static FLOAT NAME(whole)(LATENT latent) {
  int is_negative = latent < MIDDLE;
  LATENT size = is_negative ? MIDDLE - 1 - latent : latent - MIDDLE;
  LATENT exact = (LATENT)1 << DIGITS;
  FLOAT value = size < exact ? (FLOAT)size : NAME(float_of)((LATENT)(NAME(bits_of)((FLOAT)exact) + (size - exact)));
  return is_negative ? -value : value;
}

/* The product, with the payload of NaN kept as processors do, which WebAssembly does not promise. */
static LATENT NAME(times)(FLOAT value, FLOAT base) {
  if (value != value) return NAME(bits_of)(value) | (LATENT)1 << (DIGITS - 2);
  return NAME(bits_of)((FLOAT)(value * base));
}

/* The bits of a float in the order of the values. */
static LATENT NAME(ordered)(LATENT bits) { return bits & MIDDLE ? (LATENT)~bits : (LATENT)(bits ^ MIDDLE); }
static LATENT NAME(unordered)(LATENT latent) { return latent & MIDDLE ? (LATENT)(latent ^ MIDDLE) : (LATENT)~latent; }

static int NAME(is_normal)(LATENT bits) {
  LATENT exponent = (LATENT)(bits << 1) >> DIGITS;
  return exponent != 0 && exponent != (((LATENT)1 << (BITS - DIGITS)) - 1);
}

/* Joins the latents of a batch to numbers, as their bits. */
static void NAME(join)(const Mode *mode, LATENT *to, const LATENT *second, uint32_t count) {
  LATENT base = (LATENT)mode->base;
  switch (mode->kind) {
  case INT_MULT:
    for (uint32_t i = 0; i < count; i++) to[i] = to[i] * base + second[i];
    break;
  case FLOAT_MULT: {
    FLOAT factor = NAME(float_of)(NAME(unordered)(base));
    for (uint32_t i = 0; i < count; i++)
      to[i] = (LATENT)(NAME(ordered)(NAME(times)(NAME(whole)(to[i]), factor)) + second[i]) ^ MIDDLE;
    break;
  }
  case FLOAT_QUANT: {
    LATENT most = (LATENT)(((LATENT)1 << base) - 1), cut = MIDDLE >> base;
    for (uint32_t i = 0; i < count; i++)
      to[i] = (LATENT)(to[i] << base) + (to[i] >= cut ? second[i] : (LATENT)(most - second[i]));
    break;
  }
  }
  switch (mode->numbers) {
  case SIGNED:
    for (uint32_t i = 0; i < count; i++) to[i] ^= MIDDLE;
    break;
  case FLOATS:
    for (uint32_t i = 0; i < count; i++) to[i] = NAME(unordered)(to[i]);
    break;
  }
}

/* Decodes the metadata and the page of a chunk of `count` numbers. */
static int NAME(decode_chunk)(Reader *reader, int version, int numbers, LATENT *to, uint32_t count) {
  static LATENT second[BATCH];
  static uint32_t lookbacks[BATCH];
  Mode mode = {.kind = read_bits(reader, 4), .numbers = numbers};
  Delta delta = {0};
  if (mode.kind == INT_MULT || mode.kind == FLOAT_MULT) mode.base = NAME(read)(reader, BITS);
  if (mode.kind == FLOAT_QUANT) mode.base = read_bits(reader, 8);
  int status = read_delta(reader, version, &delta);
  if (status != 0) return status;
  if (mode.kind > FLOAT_QUANT || (mode.kind == INT_MULT && version == 0)) return UNKNOWN;
  if (mode.kind != CLASSIC && (mode.kind == INT_MULT) == (numbers == FLOATS)) return CORRUPT;
  if (mode.kind == FLOAT_MULT && !NAME(is_normal)(NAME(unordered)((LATENT)mode.base))) return CORRUPT;
  if (mode.kind == FLOAT_QUANT && mode.base >= DIGITS) return CORRUPT;
  Lookbacks back = {0};
  NAME(Variable) first = {0}, other = {0};
  int has_second = mode.kind != CLASSIC;
  if (delta.is_lookback) {
    if ((status = open_uint32(reader, &back)) != 0) return status;
    if (back.bins > 0 && (back.least_lower < 1 || back.most_lower > delta.window)) return CORRUPT;
  }
  if ((status = NAME(open)(reader, &first)) != 0) return status;
  if (has_second && (status = NAME(open)(reader, &other)) != 0) return status;
  if (!end_byte(reader)) return CORRUPT;
  const Delta *used = delta.count > 0 ? &delta : NULL;
  uint32_t stored = count > delta.count ? count - delta.count : 0;
  if (delta.is_lookback && (status = start_uint32(reader, &back, NULL, stored)) != 0) return status;
  if ((status = NAME(start)(reader, &first, used, count)) != 0) return status;
  if (has_second && (status = NAME(start)(reader, &other, delta.in_second ? used : NULL, count)) != 0) return status;
  if (!end_byte(reader)) return CORRUPT;
  for (uint32_t at = 0; at < count; at += BATCH) {
    uint32_t some = count - at < BATCH ? count - at : BATCH;
    if (delta.is_lookback) {
      uint32_t own = at >= stored ? 0 : stored - at < some ? stored - at : some;
      unpack_uint32(reader, &back, lookbacks, own);
    }
    status = NAME(decode_batch)(reader, &first, lookbacks, used, to + at, at, some, count);
    if (status != 0) return status;
    if (has_second) {
      status = NAME(decode_batch)(reader, &other, lookbacks, used, second, at, some, count);
      if (status != 0) return status;
    }
    if (is_short(reader)) return TRUNCATED;
    NAME(join)(&mode, to + at, second, some);
  }
  return end_byte(reader) ? 0 : CORRUPT;
}
