/* The SSE2 intrinsics that c-blosc uses, implemented with WebAssembly's 128-bit instructions. */
#ifndef STUB_EMMINTRIN_H
#define STUB_EMMINTRIN_H
#include <wasm_simd128.h>

typedef v128_t __m128i;
typedef v128_t __m128;
typedef long long __m64;

#define _mm_loadu_si128(from) wasm_v128_load(from)
#define _mm_load_si128(from) wasm_v128_load(from)
#define _mm_storeu_si128(to, v) wasm_v128_store((to), (v))
#define _mm_storel_epi64(to, v) wasm_v128_store64_lane((to), (v), 0)
#define _mm_storel_pi(to, v) wasm_v128_store64_lane((to), (v), 0)
#define _mm_storeh_pi(to, v) wasm_v128_store64_lane((to), (v), 1)
#define _mm_cmpeq_epi32(a, b) wasm_i32x4_eq((a), (b))
#define _mm_movemask_epi8(v) ((int)wasm_i8x16_bitmask(v))
#define _mm_slli_epi16(v, n) wasm_i16x8_shl((v), (n))
#define _mm_unpacklo_epi8(a, b) \
  wasm_i8x16_shuffle((a), (b), 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define _mm_unpackhi_epi8(a, b) \
  wasm_i8x16_shuffle((a), (b), 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define _mm_unpacklo_epi16(a, b) wasm_i16x8_shuffle((a), (b), 0, 8, 1, 9, 2, 10, 3, 11)
#define _mm_unpackhi_epi16(a, b) wasm_i16x8_shuffle((a), (b), 4, 12, 5, 13, 6, 14, 7, 15)
#define _mm_unpacklo_epi32(a, b) wasm_i32x4_shuffle((a), (b), 0, 4, 1, 5)
#define _mm_unpackhi_epi32(a, b) wasm_i32x4_shuffle((a), (b), 2, 6, 3, 7)
#define _mm_unpacklo_epi64(a, b) wasm_i64x2_shuffle((a), (b), 0, 2)
#define _mm_unpackhi_epi64(a, b) wasm_i64x2_shuffle((a), (b), 1, 3)
#define _mm_shuffle_epi32(v, order) \
  wasm_i32x4_shuffle((v), (v), (order) & 3, ((order) >> 2) & 3, ((order) >> 4) & 3, ((order) >> 6) & 3)
#define _mm_shufflelo_epi16(v, order)                                                                    \
  wasm_i16x8_shuffle((v), (v), (order) & 3, ((order) >> 2) & 3, ((order) >> 4) & 3, ((order) >> 6) & 3, \
                     4, 5, 6, 7)
#define _mm_shufflehi_epi16(v, order)                                                              \
  wasm_i16x8_shuffle((v), (v), 0, 1, 2, 3, 4 + ((order) & 3), 4 + (((order) >> 2) & 3),           \
                     4 + (((order) >> 4) & 3), 4 + (((order) >> 6) & 3))
#endif
