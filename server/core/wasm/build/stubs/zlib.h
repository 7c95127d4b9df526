/* The two functions of zlib that c-blosc calls; glue/deflate.c implements them on libdeflate. */
#ifndef STUB_ZLIB_H
#define STUB_ZLIB_H
#define ZLIB_VERSION "libdeflate"
#define Z_OK 0
#define Z_DATA_ERROR (-3)
#define Z_BUF_ERROR (-5)
typedef unsigned char Bytef;
typedef unsigned long uLong;
typedef unsigned long uLongf;
int compress2(Bytef *to, uLongf *toLength, const Bytef *from, uLong length, int level);
int uncompress(Bytef *to, uLongf *toLength, const Bytef *from, uLong length);
#endif
