/** Failures of Redis. Callers continue without it: no request fails because of one. */

/**
 * Why a command failed: there is no connection, the certificate of the server is not trusted, no reply within the deadline, the credentials were rejected, the
 * server accepts no writes, has no memory, is still loading its data, or reported another error.
 */
export type RedisFailure =
  'unreachable' | 'certificate' | 'timeout' | 'refused' | 'readOnly' | 'outOfMemory' | 'loading' | 'error';

export class RedisError extends Error {
  override readonly name = 'RedisError';
  readonly failure: RedisFailure;

  /** @param code first word of the reply; the rest of errors, and their causes, can contain secrets */
  constructor(failure: RedisFailure, code = '') {
    super(`Redis: ${descriptions[failure]}${code === '' ? '' : ` (${code})`}`);
    this.failure = failure;
  }
}

const descriptions: Readonly<Record<RedisFailure, string>> = {
  unreachable: 'no connection',
  certificate: 'the certificate of the server is not trusted, or is for another name',
  timeout: 'no reply within the deadline',
  refused: 'the credentials were rejected',
  readOnly: 'the server accepts no writes',
  outOfMemory: 'the server has no memory left',
  loading: 'the server is loading its data',
  error: 'the server reported an error',
};

/** The first word of an error reply. */
const failuresByCode: Readonly<Record<string, RedisFailure>> = {
  NOAUTH: 'refused',
  WRONGPASS: 'refused',
  NOPERM: 'refused',
  READONLY: 'readOnly',
  MISCONF: 'readOnly',
  NOREPLICAS: 'readOnly',
  OOM: 'outOfMemory',
  LOADING: 'loading',
  BUSY: 'loading',
  MASTERDOWN: 'loading',
};

/** The code of an error reply: `WRONGTYPE`. */
export function replyCodeOf(error: unknown): string {
  // Errors of scripts contain the reply of the command inside them.
  const [, code = ''] = error instanceof Error ? (/(?:^|-)([A-Z]{2,})\b/.exec(error.message) ?? []) : [];
  return code.slice(0, 20);
}

/** Classifies an error of the client library. */
export function redisFailureOf(error: unknown): RedisFailure {
  if (!(error instanceof Error)) return 'error';
  if (error.message === 'Command timed out') return 'timeout';
  if (error.name !== 'ReplyError') return isUntrusted(error) ? 'certificate' : 'unreachable';
  if (/invalid (username-)?password|AUTH.*without any password/i.test(error.message)) return 'refused';
  return failuresByCode[replyCodeOf(error)] ?? 'error';
}

/** Whether TLS failed because of the certificate, by the codes of OpenSSL and of Node. */
function isUntrusted(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)/.test(code);
}

/** Whether the server does not respond to any command, so that further ones need not be sent. */
export function isOutage(failure: RedisFailure): boolean {
  return ['unreachable', 'certificate', 'timeout', 'refused', 'loading'].includes(failure);
}
