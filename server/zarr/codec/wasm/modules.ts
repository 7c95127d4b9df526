/** The two modules of this thread. */
import { createWasmModule } from './module.js';

export const codecs = createWasmModule('codecs', [
  'blosc_decode',
  'blosc_encode',
  'lz4_bound',
  'lz4_decode',
  'lz4_encode',
  'ranks_float32',
  'ranks_float64',
  'zstd_bound',
  'zstd_content_size',
  'zstd_decode',
  'zstd_decode_bound',
  'zstd_decode_until',
  'zstd_encode',
  'zstd_min_level',
]);

export const archive = createWasmModule('archive', [
  'bzip2_close',
  'bzip2_encode',
  'bzip2_input_left',
  'bzip2_open',
  'bzip2_room_left',
  'bzip2_step',
  'lzma_close',
  'lzma_decode_open',
  'lzma_encode_open',
  'lzma_input_left',
  'lzma_room_left',
  'lzma_step',
]);
