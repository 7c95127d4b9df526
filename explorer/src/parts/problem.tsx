/** Shows an error in the component that failed, with advice for frequent codes. */
import { useEffect, useRef } from 'preact/hooks';
import { isZarrqlError } from 'zarrql-client';
import { wantsToken, enterToken } from '../gateway/client.js';
import { CancelledError } from '../gateway/use-load.js';

const advice: Readonly<Record<string, string>> = {
  LIMIT_EXCEEDED: 'Zoom in, select less, or raise the limit of the gateway.',
  NOT_FOUND: 'The node may have been deleted or renamed. Select another one on the left.',
  BAD_SELECTION: 'Change the positions on the left.',
  UNSUPPORTED: 'The gateway cannot decode these values. The metadata is shown below.',
  STORE_UNAVAILABLE: 'Check that the store can be reached from the gateway, then try again.',
  STORE_DENIED: 'The gateway has no access to this store. Check its credentials.',
  FORBIDDEN: 'Your token lacks permission. Enter another token.',
  UNAUTHENTICATED: 'The gateway requires an access token.',
  CONFLICT: 'The data changed while it was read. Try again.',
  CODEC_ERROR: 'A chunk is damaged. Other parts of the array may be intact.',
  CHECKSUM_MISMATCH: 'A chunk is damaged. Other parts of the array may be intact.',
  NETWORK: 'Check that the gateway is running, then try again.',
  TIMEOUT: 'Select less, or try again.',
};

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (error === undefined) return null;
  const code = isZarrqlError(error) ? error.code : undefined;
  const message = error instanceof Error ? error.message : 'Unknown error';
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

/** Prompts for the access token. The tab stores the token until it is closed. */
export function TokenDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const isWanted = wantsToken.value;
  useEffect(() => {
    if (isWanted && dialog.current?.open === false) dialog.current.showModal();
    if (!isWanted) dialog.current?.close();
  }, [isWanted]);
  return (
    <dialog ref={dialog} aria-labelledby="token-title" onClose={() => (wantsToken.value = false)}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          enterToken(field.current?.value ?? '');
        }}
      >
        <h2 id="token-title">Access token</h2>
        <p>This gateway requires a token. The page stores it until you close this tab.</p>
        <label>
          Token <input ref={field} type="password" name="token" autocomplete="off" required />
        </label>
        <p>
          <button type="submit">Use token</button>{' '}
          <button type="button" onClick={() => (wantsToken.value = false)}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
