#!/bin/bash
# Changes the unpacked sources in $1. Each change names how many lines it must meet, so that a new upstream version
# that no longer fits stops the build: half of the zstd change decodes to the right size and wrong bytes.
set -euo pipefail
cd "$1"

change() { # FILE COUNT PATTERN REPLACEMENT (extended regular expressions)
  local count
  count=$(grep -cE -- "$3" "$1" || true)
  [ "$count" = "$2" ] || { echo "$1: $count lines match '$3', expected $2" >&2; exit 1; }
  sed -i -E "s~$3~$4~g" "$1"
}

# zstd takes its bit containers from size_t; WebAssembly has 64-bit registers beside its 32-bit addresses. Only for the
# decoder, which is compiled with ZSTD_WIDE: the encoder packs its tables into size_t.
mem=libzstd/lib/common/mem.h
change $mem 1 '^MEM_STATIC unsigned MEM_32bits\(void\) \{.*' \
  '#ifdef ZSTD_WIDE\ntypedef U64 BIT_word;\nMEM_STATIC unsigned MEM_32bits(void) { return 0; }\nMEM_STATIC unsigned MEM_64bits(void) { return 1; }\n#else\ntypedef size_t BIT_word;\nMEM_STATIC unsigned MEM_32bits(void) { return sizeof(size_t) == 4; }'
change $mem 1 '^MEM_STATIC unsigned MEM_64bits\(void\) \{ return sizeof.*' '&\n#endif'
change $mem 1 '^MEM_STATIC size_t MEM_readLEST\(const void\* memPtr\)$' 'MEM_STATIC BIT_word MEM_readLEST(const void* memPtr)'
change $mem 1 '^MEM_STATIC size_t MEM_readLEST\(const void\* memPtr\);' ''
change $mem 1 'return \(size_t\)MEM_readLE64\(memPtr\);' 'return (BIT_word)MEM_readLE64(memPtr);'
change $mem 1 '^MEM_STATIC void MEM_writeLEST\(void\* memPtr, size_t val\)$' 'MEM_STATIC void MEM_writeLEST(void* memPtr, BIT_word val)'
change $mem 1 '^MEM_STATIC void MEM_writeLEST\(void\* memPtr, size_t val\);' ''

bits=libzstd/lib/common/bitstream.h
change $bits 2 '^    size_t ( *)bitContainer;' '    BIT_word \1bitContainer;'
change $bits 6 '\+= \(size_t\)\(\(\(const BYTE' '+= (BIT_word)(((const BYTE'
change $bits 3 'size_t BIT_get(Lower|Upper|Middle)Bits\(size_t bitContainer' 'size_t BIT_get\1Bits(BIT_word bitContainer'

huf=libzstd/lib/decompress/huf_decompress.c
change $huf 1 '^static size_t HUF_initFastDStream' 'static U64 HUF_initFastDStream'
change $huf 1 'size_t const value = MEM_readLEST\(ip\) \| 1;' 'U64 const value = MEM_readLEST(ip) | 1;'
change $huf 1 'limitPtr = bit->start \+ sizeof\(size_t\);' 'limitPtr = bit->start + sizeof(bit->bitContainer);'

# Addresses stay 32 bits wide: a guard against their overflow must not go with the containers.
change libzstd/lib/decompress/zstd_decompress_block.c 2 'MEM_32bits\(\) && \(size_t\)\(oend - op\)' \
  'sizeof(size_t) == 4 \&\& (size_t)(oend - op)'

change libdeflate/common_defs.h 1 '^typedef size_t machine_word_t;' 'typedef uint64_t machine_word_t;'

# A forged header may ask for a dictionary of 4 GiB; glue/lzma.c sets the ceiling.
change xz-utils/src/liblzma/lz/lz_decoder.c 1 '^	if \(lz_options.dict_size < 4096\)' \
  '	extern size_t lz_dictionary_ceiling;\n	if (lz_options.dict_size > lz_dictionary_ceiling)\n		lz_options.dict_size = lz_dictionary_ceiling;\n	if (lz_options.dict_size < 4096)'
