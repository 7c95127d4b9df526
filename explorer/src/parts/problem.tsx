/** Shows an error in the component that failed, with a suggested fix. */
import { isZarrqlError } from 'zarrql-client';
import { wantsToken } from '../gateway/client.js';
import { CancelledError } from '../gateway/use-load.js';

const advice: Readonly<Record<string, string>> = {
  LIMIT_EXCEEDED: 'Zoom in, select less, or raise the limit of the gateway.',
  NOT_FOUND: 'It may have been deleted or renamed. Choose another node on the left.',
  BAD_SELECTION: 'Change the positions on the left.',
  UNSUPPORTED: 'The gateway cannot decode this. The metadata is shown below.',
  STORE_UNAVAILABLE: 'Check that the store can be reached from the gateway, then try again.',
  STORE_DENIED: 'The gateway has no access to this store. Check its credentials.',
  FORBIDDEN: 'Your token does not allow this. Enter another one.',
  UNAUTHENTICATED: 'The gateway requires an access token.',
  CONFLICT: 'The data changed while it was read. Try again.',
  CODEC_ERROR: 'A chunk is damaged. Other parts of the array may be intact.',
  CHECKSUM_MISMATCH: 'A chunk is damaged. Other parts of the array may be intact.',
  NETWORK: 'Check that the gateway is running, then try again.',
  TIMEOUT: 'Select less, or try again.',
  RATE_LIMITED: 'Wait a moment, then try again.',
};

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (error === undefined) return null;
  const code = isZarrqlError(error) ? error.code : undefined;
  const message = error instanceof Error ? error.message : 'An unknown error';
  const needsToken = code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
  return (
    <div class={error instanceof CancelledError ? 'problem mild' : 'problem'} role="alert">
      <p>
        {code !== undefined && <strong>{code} </strong>}
        {message}
      </p>
      {code !== undefined && advice[code] !== undefined && <p>{advice[code]}</p>}
      <p>
        {retry !== undefined && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}{' '}
        {needsToken && (
          <button type="button" onClick={() => (wantsToken.value = true)}>
            Enter a token
          </button>
        )}
      </p>
    </div>
  );
}
