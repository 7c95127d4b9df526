/** A field for labels: dates (`2001-03`), numbers and names. */
import { useState } from 'preact/hooks';
import { useLoad } from '../gateway/use-load.js';
import { findLabel } from './find-label.js';
import { findRemoteLabel, labelAt } from './find-remote-label.js';
import { shortDate } from './labels.js';
import type { Coordinate, Dimension } from './model.js';

interface LabelFieldProps {
  readonly dim: Dimension;
  readonly index: number;
  readonly set: (index: number) => void;
}

/** Shows the label of the position, and looks up the typed label: here or, for long coordinates, on the gateway. */
export function LabelField({ dim, index, set }: LabelFieldProps) {
  const { labels, coordinate } = dim;
  if (labels !== undefined)
    return (
      <LabelInput
        name={`${labels.kind === 'date' ? 'Date' : 'Label'} along ${dim.key}`}
        index={index}
        text={labels.text(index)}
        range={`${labels.text(0)} to ${labels.text(labels.size - 1)}`}
        find={(typed) => Promise.resolve(findLabel(labels, typed))}
        set={set}
      />
    );
  return coordinate === undefined ? null : (
    <RemoteLabelField dim={dim} coordinate={coordinate} index={index} set={set} />
  );
}

function RemoteLabelField({
  dim,
  coordinate,
  index,
  set,
}: LabelFieldProps & { readonly coordinate: Coordinate }) {
  const [lookup, setLookup] = useState<AbortController | undefined>();
  const { data } = useLoad(
    JSON.stringify([coordinate, index]),
    async (signal) => ({ index, text: shortDate(await labelAt(coordinate, index, signal)) }),
    60,
  );
  return (
    <LabelInput
      name={`${coordinate.isDate ? 'Date' : 'Label'} along ${dim.key}`}
      index={index}
      text={data?.index === index ? data.text : '…'}
      range={`the labels of ${dim.key}`}
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
  readonly index: number;
  readonly text: string;
  /** The expected labels. */
  readonly range: string;
  readonly find: (typed: string) => Promise<number | undefined>;
  readonly set: (index: number) => void;
}

function LabelInput({ name, index, text, range, find, set }: LabelInputProps) {
  const [wrong, setWrong] = useState<string | undefined>();
  const look = async (input: HTMLInputElement) => {
    const typed = input.value;
    try {
      const found = await find(typed);
      setWrong(found === undefined ? `“${typed}” is not among ${range}.` : undefined);
      if (found === index) input.value = text;
      else if (found !== undefined) set(found);
    } catch (error) {
      setWrong(error instanceof Error ? error.message : `“${typed}” was not found.`);
    }
  };
  return (
    <>
      <input
        type="text"
        class="label"
        key={`${index} ${text}`}
        defaultValue={text}
        aria-label={name}
        aria-invalid={wrong !== undefined}
        title={`From ${range}`}
        onChange={({ currentTarget }) => void look(currentTarget)}
      />
      {wrong !== undefined && (
        <span class="field-problem" role="alert">
          {wrong}
        </span>
      )}
    </>
  );
}
