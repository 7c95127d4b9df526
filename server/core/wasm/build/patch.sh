#!/bin/bash
# Patches the unpacked sources in $1. Each change states the number of lines that it must match, so that the build fails
# for an incompatible upstream version. A partially applied zstd patch would decode wrong bytes of the right size.
set -euo pipefail
cd "$1"

change() { # FILE COUNT PATTERN REPLACEMENT (extended regular expressions)
  local count
  count=$(grep -cE -- "$3" "$1" || true)
  [ "$count" = "$2" ] || { echo "$1: $count lines match '$3', expected $2" >&2; exit 1; }
  sed -i -E "s@$3@$4@g" "$1"
}

# zstd uses size_t for its bit containers and for the words in which it compares matches. WebAssembly has 64-bit
# registers, although its addresses have 32 bits.
mem=libzstd/lib/common/mem.h
change $mem 1 '^MEM_STATIC unsigned MEM_32bits\(void\) \{.*' \
  'typedef U64 BIT_word;\nMEM_STATIC unsigned MEM_32bits(void) { return 0; }'
change $mem 1 '^MEM_STATIC unsigned MEM_64bits\(void\) \{ return sizeof.*' \
  'MEM_STATIC unsigned MEM_64bits(void) { return 1; }'
change $mem 1 '^MEM_STATIC size_t MEM_readLEST\(const void\* memPtr\)$' 'MEM_STATIC BIT_word MEM_readLEST(const void* memPtr)'
change $mem 1 '^MEM_STATIC size_t MEM_readLEST\(const void\* memPtr\);' ''
change $mem 1 'return \(size_t\)MEM_readLE64\(memPtr\);' 'return (BIT_word)MEM_readLE64(memPtr);'
change $mem 1 '^MEM_STATIC void MEM_writeLEST\(void\* memPtr, size_t val\)$' 'MEM_STATIC void MEM_writeLEST(void* memPtr, BIT_word val)'
change $mem 1 '^MEM_STATIC void MEM_writeLEST\(void\* memPtr, size_t val\);' ''

bits=libzstd/lib/common/bitstream.h
change $bits 2 '^    size_t ( *)bitContainer;' '    BIT_word \1bitContainer;'
change $bits 6 '\+= \(size_t\)\(\(\(const BYTE' '+= (BIT_word)(((const BYTE'
change $bits 2 'size_t BIT_get(Upper|Middle)Bits\(size_t bitContainer' 'size_t BIT_get\1Bits(BIT_word bitContainer'
change $bits 1 'size_t BIT_getLowerBits\(size_t bitContainer' 'BIT_word BIT_getLowerBits(BIT_word bitContainer'
change $bits 1 'bitContainer \|= value << bitC' 'bitContainer |= (BIT_word)value << bitC'

huf=libzstd/lib/decompress/huf_decompress.c
change $huf 1 '^static size_t HUF_initFastDStream' 'static U64 HUF_initFastDStream'
change $huf 1 'size_t const value = MEM_readLEST\(ip\) \| 1;' 'U64 const value = MEM_readLEST(ip) | 1;'
change $huf 1 'limitPtr = bit->start \+ sizeof\(size_t\);' 'limitPtr = bit->start + sizeof(bit->bitContainer);'

# An entry of a Huffman table stores its bits at the upper end of a word of the same width as the container.
change libzstd/lib/common/huf.h 1 '^typedef size_t HUF_CElt;' 'typedef U64 HUF_CElt;'
change libzstd/lib/common/huf.h 1 '\(HUF_CTABLE_SIZE_ST\(maxSymbolValue\) \* sizeof\(size_t\)\)' \
  '(HUF_CTABLE_SIZE_ST(maxSymbolValue) * sizeof(HUF_CElt))'
entry=libzstd/lib/compress/huf_compress.c
change $entry 2 '^static size_t HUF_getValue(Fast)?\(' 'static HUF_CElt HUF_getValue\1('
change $entry 1 'elt & ~\(size_t\)0xFF' 'elt \& ~(HUF_CElt)0xFF'
change $entry 1 '^static void HUF_setValue\(HUF_CElt\* elt, size_t value\)' 'static void HUF_setValue(HUF_CElt* elt, HUF_CElt value)'
change $entry 1 'HUF_BITS_IN_CONTAINER \(sizeof\(size_t\) \* 8\)' 'HUF_BITS_IN_CONTAINER (sizeof(HUF_CElt) * 8)'
change $entry 1 '^    size_t bitContainer\[2\];' '    HUF_CElt bitContainer[2];'
change $entry 1 'size_t const bitContainer = bitC' 'HUF_CElt const bitContainer = bitC'

match=libzstd/lib/compress/zstd_compress_internal.h
change $match 2 'size_t const diff = MEM_readST\(pMatch\) \^ MEM_readST\(pIn\)' 'U64 const diff = MEM_read64(pMatch) ^ MEM_read64(pIn)'
change $match 1 'pInLimit - \(sizeof\(size_t\)-1\)' 'pInLimit - (sizeof(U64)-1)'
change $match 2 'pIn\+=sizeof\(size_t\); pMatch\+=sizeof\(size_t\);' 'pIn+=sizeof(U64); pMatch+=sizeof(U64);'
change libzstd/lib/common/bits.h 1 'unsigned ZSTD_NbCommonBytes\(size_t val\)' 'unsigned ZSTD_NbCommonBytes(U64 val)'

# Whether a match is inside the window is unpredictable, and WebAssembly's `select` is compiled to a branch here. A match
# outside the window, which may be an invalid address, is therefore read at `at` instead, and never counts.
double=libzstd/lib/compress/zstd_double_fast.c
change $double 1 '^#include "zstd_double_fast.h"$' '#include "zstd_double_fast.h"\
\
/* All ones where index > lowest. Hides the mask from the compiler, which would convert it to a branch. */\
static U32 withinMask(U32 index, U32 lowest) {\
  U32 mask = 0 - (U32)(index > lowest);\
  __asm__("" : "+r"(mask));\
  return mask;\
}\
static const BYTE *within(const BYTE *match, const BYTE *at, U32 mask) { return at + ((match - at) \& (S32)mask); }\
static int isMatch8(const BYTE *match, const BYTE *at, U32 mask) {\
  return ((MEM_read64(within(match, at, mask)) ^ MEM_read64(at)) | (U64)(S64)(S32)~mask) == 0;\
}\
static int isMatch4(const BYTE *match, const BYTE *at, U32 mask) {\
  return ((MEM_read32(within(match, at, mask)) ^ MEM_read32(at)) | ~mask) == 0;\
}'
change $double 1 'if \(idxl0 > prefixLowestIndex\) \{' '{'
change $double 1 'if \(idxs0 > prefixLowestIndex\) \{' '{'
change $double 1 'if \(idxl1 > prefixLowestIndex\) \{' '{'
change $double 1 'MEM_read64\(matchl0\) == MEM_read64\(ip\)' 'isMatch8(matchl0, ip, withinMask(idxl0, prefixLowestIndex))'
change $double 1 'MEM_read32\(matchs0\) == MEM_read32\(ip\)' 'isMatch4(matchs0, ip, withinMask(idxs0, prefixLowestIndex))'
change $double 1 'MEM_read64\(matchl1\) == MEM_read64\(ip1\)' 'isMatch8(matchl1, ip1, withinMask(idxl1, prefixLowestIndex))'

# Sequences after `ZSTD_enough` are not decoded: glue/zstd.c sets it to decode a prefix of a block.
block=libzstd/lib/decompress/zstd_decompress_block.c
change $block 1 '^#include "zstd_decompress_block.h"$' '#include "zstd_decompress_block.h"\
\
const BYTE *ZSTD_enough = (const BYTE *)-1;\
int ZSTD_hasEnough = 0;'
change $block 8 '^( *)op \+= oneSeqSize;$' '\1op += oneSeqSize;\
\1if (UNLIKELY(op >= ZSTD_enough)) {\
\1    ZSTD_hasEnough = 1;\
\1    return op - ostart;\
\1}'

# Addresses still have 32 bits, so the check for their overflow must not depend on the width of the containers.
change libzstd/lib/decompress/zstd_decompress_block.c 2 'MEM_32bits\(\) && \(size_t\)\(oend - op\)' \
  'sizeof(size_t) == 4 \&\& (size_t)(oend - op)'

change libdeflate/common_defs.h 1 '^typedef size_t machine_word_t;' 'typedef uint64_t machine_word_t;'

# A forged header may declare a dictionary of 4 GiB; glue/lzma.c sets the maximum.
change xz-utils/src/liblzma/lz/lz_decoder.c 1 '^	if \(lz_options.dict_size < 4096\)' \
  '	extern size_t lz_dictionary_ceiling;\n	if (lz_options.dict_size > lz_dictionary_ceiling)\n		lz_options.dict_size = lz_dictionary_ceiling;\n	if (lz_options.dict_size < 4096)'
