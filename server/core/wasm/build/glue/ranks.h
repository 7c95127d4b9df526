/* For FLOAT elements, whose keys are INT and WORD (unsigned), LANES in a vector. NAME makes names unique. */
typedef FLOAT NAME(floats) __attribute__((vector_size(16)));
typedef INT NAME(ints) __attribute__((vector_size(16)));
typedef WORD NAME(words) __attribute__((vector_size(16)));

#define floats NAME(floats)
#define ints NAME(ints)
#define words NAME(words)
#define ALL(value) ((ints){0} + (value))
#define GREATEST ((INT)((WORD)-1 >> 1))
#define CHOOSE(mask, a, b) (((ints)(mask) & (a)) | (~(ints)(mask) & (b)))
#define SIGN_BITS(key) (((key) >> (8 * sizeof(INT) - 1)) & GREATEST)

static ints NAME(count_upto)(const ints *keys, size_t count, ints greatest) {
  ints found = ALL(0);
#pragma clang loop unroll_count(8)
  for (size_t i = 0; i < count; i++) found -= keys[i] <= greatest;
  return found;
}

static int NAME(is_any)(ints mask) {
  INT any = 0;
  for (int lane = 0; lane < LANES; lane++) any |= mask[lane];
  return any != 0;
}

static double NAME(value_of)(INT key) {
  union { INT bits; FLOAT value; } one = {key ^ SIGN_BITS(key)};
  return one.value;
}

/*
 * `values`: `count` rows of `columns` elements, one list per column; `columns` is a multiple of LANES.
 * `keys`: memory for `count` vectors.
 * `present`: for each list, the number of values that are not NaN.
 * `found`: for each list and quantile, the values of the ranks below and above (present - 1) * q; NaN without values.
 */
static void NAME(ranks)(const FLOAT *values, ints *keys, size_t count, size_t columns, const double *quantiles,
                        size_t quantile_count, double *present, double *found) {
  for (size_t first = 0; first < columns; first += LANES) {
    ints least = ALL(GREATEST), greatest = ALL(~GREATEST), length = ALL(0);
    for (size_t i = 0; i < count; i++) {
      /* Adding 0 turns -0 into 0, whose key would be greater. */
      floats value = *(const floats *)(values + i * columns + first) + (FLOAT)0;
      ints is_present = value == value;
      ints key = (ints)value;
      key ^= SIGN_BITS(key);
      length -= is_present;
      greatest = __builtin_elementwise_max(greatest, CHOOSE(is_present, key, ALL(~GREATEST)));
      key = CHOOSE(is_present, key, ALL(GREATEST));
      least = __builtin_elementwise_min(least, key);
      keys[i] = key;
    }
    for (int lane = 0; lane < LANES; lane++) present[first + lane] = (double)length[lane];
    for (size_t q = 0; q < quantile_count; q++) {
      ints rank = ALL(0);
      for (int lane = 0; lane < LANES; lane++)
        if (length[lane] > 1) rank[lane] = (INT)((double)(length[lane] - 1) * quantiles[q]);
      /* The key is between `low` and `high`; `before` keys are less than `low`, `until` keys are at most `high`. */
      ints low = least, high = greatest, before = ALL(0), until = length;
      while (NAME(is_any)((low < high) & (until - before > 1))) {
        ints middle = low + (ints)((words)(high - low) >> 1);
        ints upto = NAME(count_upto)(keys, count, middle);
        ints is_low = upto > rank;
        high = CHOOSE(is_low, middle, high);
        until = CHOOSE(is_low, upto, until);
        low = CHOOSE(is_low, low, middle + 1);
        before = CHOOSE(is_low, before, upto);
      }
      ints key = ALL(~GREATEST), next = ALL(GREATEST), upto = ALL(0);
      for (size_t i = 0; i < count; i++)
        key = __builtin_elementwise_max(key, CHOOSE(keys[i] <= high, keys[i], ALL(~GREATEST)));
      for (size_t i = 0; i < count; i++) {
        ints is_upto = keys[i] <= key;
        upto -= is_upto;
        next = __builtin_elementwise_min(next, CHOOSE(is_upto, ALL(GREATEST), keys[i]));
      }
      for (int lane = 0; lane < LANES; lane++) {
        double *pair = found + 2 * ((first + lane) * quantile_count + q);
        INT above = rank[lane] + 1;
        pair[0] = length[lane] > 0 ? NAME(value_of)(key[lane]) : __builtin_nan("");
        pair[1] = above >= upto[lane] && above < length[lane] ? NAME(value_of)(next[lane]) : pair[0];
      }
    }
  }
}

#undef floats
#undef ints
#undef words
#undef ALL
#undef GREATEST
#undef CHOOSE
#undef SIGN_BITS
