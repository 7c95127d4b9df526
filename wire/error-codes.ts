/** `extensions.code` of the errors that a gateway reports. There are no other codes. */

/** Codes of errors in stores, metadata, selections and values. */
const zarrErrorCodes = [
  'NOT_FOUND',
  'BAD_SELECTION',
  'BAD_INPUT',
  'INVALID_METADATA',
  'UNSUPPORTED',
  'CODEC_ERROR',
  'CHECKSUM_MISMATCH',
  'LIMIT_EXCEEDED',
  'STORE_UNAVAILABLE',
  'STORE_DENIED',
  'READ_ONLY',
  'ALREADY_EXISTS',
  'CONFLICT',
  'ABORTED',
] as const;

/** All codes: those of the engine and those of the gateway. */
export const errorCodes = [...zarrErrorCodes, 'UNAUTHENTICATED', 'FORBIDDEN', 'INTERNAL'] as const;

export type ZarrErrorCode = (typeof zarrErrorCodes)[number];
export type ErrorCode = (typeof errorCodes)[number];
