/** A text or number field that keeps what the user types while other state changes. */
import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';

type TypedFieldProps = InputHTMLAttributes & {
  /** The text to show while the user does not edit the field. */
  readonly text: string;
  /** Receives the field after Enter or on blur. Returns false to keep a rejected text for correction. */
  readonly enter: (field: HTMLInputElement) => boolean | Promise<boolean>;
};

/**
 * An input element. A new `text` replaces its text only after the user has confirmed or left the field, so that a
 * picture that arrives meanwhile does not discard typed text.
 */
export function TypedField({ text, enter, ...attributes }: TypedFieldProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const finish = async (field: HTMLInputElement) => {
    const entered = field.value;
    if (await enter(field)) setTyped((latest) => (latest === entered ? undefined : latest));
  };
  return (
    <input
      {...attributes}
      value={typed ?? text}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => void finish(currentTarget)}
      onBlur={() => setTyped(undefined)}
    />
  );
}
