/** A field for labels: dates (`2001-03`), numbers and names. */
import { useState } from 'preact/hooks';
import { useLoad } from '../gateway/use-load.js';
import { TypedField } from '../parts/typed-field.js';
import { findLabel, typedPart } from './find-label.js';
import { findRemoteLabel, labelAt } from './find-remote-label.js';
import { shortDate } from './labels.js';
import type { Coordinate, Dimension } from './model.js';

interface LabelFieldProps {
  readonly dim: Dimension;
  readonly index: number;
  readonly set: (index: number) => void;
  /** Put before the name of the field for assistive technologies. */
  readonly prefix?: string;
}

/**
 * Shows the label of the position, and looks up the typed label: in the browser or, for long coordinates, on the
 * gateway.
 */
export function LabelField({ dim, index, set, prefix = '' }: LabelFieldProps) {
  const { labels, coordinate } = dim;
  if (labels !== undefined)
    return (
      <LabelInput
        name={`${prefix}${labels.kind === 'date' ? 'Date' : 'Label'} along ${dim.key}`}
        text={labels.text(index)}
        range={`${labels.text(0)} to ${labels.text(labels.size - 1)}`}
        size={labels.size}
        find={(typed) => Promise.resolve(findLabel(labels, typed))}
        set={set}
      />
    );
  return coordinate === undefined ? null : (
    <RemoteLabelField dim={dim} coordinate={coordinate} index={index} set={set} prefix={prefix} />
  );
}

function RemoteLabelField({
  dim,
  coordinate,
  index,
  set,
  prefix,
}: Required<LabelFieldProps> & { readonly coordinate: Coordinate }) {
  const [lookup, setLookup] = useState<AbortController | undefined>();
  const { data } = useLoad(
    JSON.stringify([coordinate, index]),
    async (signal) => ({ index, text: shortDate(await labelAt(coordinate, index, signal)) }),
    60,
  );
  return (
    <LabelInput
      name={`${prefix}${coordinate.isDate ? 'Date' : 'Label'} along ${dim.key}`}
      text={data?.index === index ? data.text : '…'}
      range={`the labels of ${dim.key}`}
      size={dim.size}
      find={(typed) => {
        lookup?.abort();
        const next = new AbortController();
        setLookup(next);
        return findRemoteLabel(coordinate, typed, next.signal);
      }}
      set={set}
    />
  );
}

interface LabelInputProps {
  readonly name: string;
  readonly text: string;
  /** Description of the valid labels, for messages. */
  readonly range: string;
  /** Number of positions: `#3` is one of them. */
  readonly size: number;
  readonly find: (typed: string) => Promise<number | undefined>;
  readonly set: (index: number) => void;
}

function LabelInput({ name, text, range, size, find, set }: LabelInputProps) {
  const [wrong, setWrong] = useState<string | undefined>();
  const look = async (typed: string) => {
    try {
      const part = typedPart(typed, size);
      const index = typeof part === 'string' ? await find(part) : part;
      setWrong(index === undefined ? `“${typed}” is not among ${range}.` : undefined);
      if (index === undefined) return false;
      set(index);
      return true;
    } catch (error) {
      setWrong(error instanceof Error ? error.message : `“${typed}” was not found.`);
      return false;
    }
  };
  return (
    <>
      <TypedField
        type="text"
        class="label"
        text={text}
        aria-label={name}
        aria-invalid={wrong !== undefined}
        title={`From ${range}; #3 is a position`}
        enter={({ value }) => look(value)}
      />
      {wrong !== undefined && (
        <span class="field-problem" role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}
