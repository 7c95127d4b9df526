/** RAW: the bytes of the values without a header. */
import { numpyTypestr } from '../../zarr/index.js';
import { binaryFile, withoutBytes } from './binary-file.js';
import type { FileForm } from './form.js';

export const rawFile = {
  name: 'RAW',
  extension: '.bin',
  mediaType: 'application/octet-stream',
  isText: false,
  description: 'the bytes of the values without a header, little-endian in C order, as in `base64`',
  types: 'types of fixed size',
  open(slice) {
    if (slice.dtype.name !== 'struct' && numpyTypestr(slice.dtype) === undefined) throw withoutBytes(slice);
    return binaryFile(slice, new Uint8Array(0));
  },
} as const satisfies FileForm;
