import { useEffect, useRef } from 'preact/hooks';
import { enterToken, wantsToken } from '../gateway/client.js';

/** Prompts for the access token, once per tab. */
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
        <p>This gateway requires a token. It is kept in this tab until you close it.</p>
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
