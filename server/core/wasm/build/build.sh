#!/bin/bash
# Builds codecs.wasm and archive.wasm with their manifest and licences, on Debian 12, as root (it installs a compiler).
# The results are committed, so installing and testing the package does not require this script. Takes half a minute.
#   build.sh [WORK]     WORK: folder for sources and objects; default: a temporary folder
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$here")
work=${1:-$(mktemp -d)}
work=$(mkdir -p "$work" && cd "$work" && pwd)

tools='clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 dpkg-dev'
dpkg -s $tools >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $tools
bash "$here/source.sh" "$work"
bash "$here/patch.sh" "$work"

cc=(clang-19 --target=wasm32-wasi -O3 -DNDEBUG -msimd128 -fvisibility=hidden -ffunction-sections -fdata-sections -w)
link=(-mexec-model=reactor -nostartfiles
  -Wl,--no-entry,--gc-sections,--strip-all,--stack-first,-z,stack-size=262144
  # Slightly less than 4 GiB, so that addresses plus small offsets do not overflow 32 bits.
  -Wl,--initial-memory=4194304,--max-memory=4278190080)
rm -rf "$work/objects"

compile() { # MODULE FLAGS... -- FILES...
  local module=$1 flags=()
  shift
  while [ "$1" != -- ]; do flags+=("$1"); shift; done
  shift
  mkdir -p "$work/objects/$module"
  # Objects are named after the relative paths of their sources, so that the link order does not depend on the folder.
  printf '%s\0' "$@" | from="$work:$here" to="$work/objects/$module" xargs -0 -P "$(nproc)" -I{} bash -c \
    'file=$1; shift; name=${file#"${from%%:*}"/}; name=${name#"${from##*:}"/}; exec "$@" -c "$file" -o "$to/${name//\//_}.o"' \
    bash {} "${cc[@]}" "${flags[@]}"
}

b=$work/c-blosc/blosc l=$work/lz4/lib z=$work/libzstd/lib d=$work/libdeflate
quiet=(-include "$here/stubs/quiet.h" -I"$here/stubs")
compile codecs "${quiet[@]}" -D__SSE2__ -DHAVE_LZ4 -DHAVE_SNAPPY -DHAVE_ZLIB -DHAVE_ZSTD -I"$b" -I"$l" -I"$z" -- \
  "$b"/{blosc,blosclz,fastcopy,shuffle-sse2,shuffle-generic,bitshuffle-sse2,bitshuffle-generic}.c
# By default, lz4 enables its fast decoding loop on x86 only.
compile codecs -DLZ4_FAST_DEC_LOOP=1 -- "$l"/{lz4,lz4hc}.c
zstd=(-DXXH_NAMESPACE=ZSTD_ -DZSTD_LEGACY_SUPPORT=0 -DZSTD_DISABLE_ASM=1 -DZSTD_STRIP_ERROR_STRINGS=1 -DZSTD_NO_TRACE
  -DDYNAMIC_BMI2=0)
mapfile -t files < <(ls "$z"/{common,compress,decompress}/*.c | grep -vE '/(threading|pool|zstdmt_compress)\.c$')
compile codecs "${zstd[@]}" -- "${files[@]}"
compile codecs -I"$d" -- "$d"/lib/{deflate_compress,deflate_decompress,zlib_compress,zlib_decompress,adler32,utils}.c
compile codecs -I"$here/stubs" -D__SSE2__ -I"$b" -I"$l" -I"$z" -I"$d" -- "$here"/glue/{memory,blosc,blosc-shuffle,lz4,zstd,deflate,ranks,moments,extremes,pairs,pcodec,snappy}.c
clang-19 --target=wasm32-wasi "${link[@]}" "$work"/objects/codecs/*.o -o "$out/codecs.wasm"

p=$work/bzip2 x=$work/xz-utils/src
compile archive -DBZ_NO_STDIO -I"$p" -- "$p"/{blocksort,huffman,crctable,randtable,compress,decompress,bzlib}.c
lzma=(-DHAVE_CONFIG_H -DTUKLIB_SYMBOL_PREFIX=lzma_ -I"$here/stubs/lzma" -I"$x/common")
for part in api common check lz rangecoder lzma delta simple; do lzma+=("-I$x/liblzma/$part"); done
mapfile -t files < <(ls "$x"/liblzma/{common,check,lz,lzma,rangecoder,delta,simple}/*.c |
  grep -vE '_(mt|tablegen|small|cputhreads|physmem)\.c$|/(outqueue|file_info|auto_decoder|index_decoder|index_encoder|lzip_decoder|microlzma_.*|string_conversion|easy_.*_memusage)\.c$')
files+=("$x"/liblzma/common/index_encoder.c)
compile archive "${lzma[@]}" -- "${files[@]}"
compile archive -DBZ_NO_STDIO -I"$p" -I"$x/liblzma/api" -- "$here"/glue/{memory,bzip2,lzma}.c
clang-19 --target=wasm32-wasi "${link[@]}" "$work"/objects/archive/*.o -o "$out/archive.wasm"

rm -rf "$out/licences" && mkdir -p "$out/licences"
while read -r name _ texts; do
  [[ $name == '#'* ]] && continue
  for text in $texts; do echo "== $text"; cat "$work/$name/$text"; echo; done >"$out/licences/$name.txt"
done <"$here/versions.txt"
cp /usr/share/doc/wasi-libc/copyright "$out/licences/wasi-libc.txt"
chmod 644 "$out"/*.wasm
node "$here/manifest.mjs" "$out" "$here/versions.txt"
