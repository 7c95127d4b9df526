/** A field for labels: dates (`2001-03`), numbers and names. */
import { useState } from 'preact/hooks';
import { type Label, typedDocument } from 'zarrql-client';
import { client } from '../gateway/client.js';
import { useLoad } from '../gateway/use-load.js';
import { TypedField } from '../parts/typed-field.js';
import { findLabel, typedPart } from './find-label.js';
import { shortDate } from './labels.js';
import type { Coordinate, Dimension } from './model.js';

// Finds labels in coordinates that are too long to load, using the gateway.

interface FoundData {
  readonly store: {
    readonly dataset: {
      readonly variable: {
        readonly slice: {
          readonly dimensions: readonly {
            readonly start: number | string | bigint | null;
            readonly size: number | string | bigint;
          }[];
        } | null;
      } | null;
    } | null;
  } | null;
}

const findDocument = typedDocument<
  FoundData,
  { store: string; group: string; name: string; label: string | number }
>(
  'FindLabel',
  'query FindLabel($store: String!, $group: String!, $name: String!, $label: JSON!) { store(name: $store) { dataset(path: $group) { variable(name: $name) { slice(select: { named: [{ dim: $name, by: { between: { from: $label, to: $label } } }] }) { dimensions { start size } } } } } }',
);

/**
 * The first position with the label, or with a date that starts with it; else the nearest position of a number or date.
 * @returns undefined if nothing matches
 * @throws ZarrqlError
 */
async function findRemoteLabel(
  coordinate: Coordinate,
  typed: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const text = typed.trim();
  const label = coordinate.isNumber ? Number(text) : text;
  if (text === '' || Number.isNaN(label)) return undefined;
  const exact = await firstWith(coordinate, label, signal);
  if (exact !== undefined || (!coordinate.isNumber && !coordinate.isDate)) return exact;
  const nearest = await labelAt(coordinate, { at: label, method: 'nearest' }, signal);
  return firstWith(coordinate, coordinate.isNumber ? Number(nearest) : nearest, signal);
}

async function firstWith(
  { store, group, name }: Coordinate,
  label: string | number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const data = await client.request(findDocument, { store, group, name, label }, { signal });
  const dimension = data.store?.dataset?.variable?.slice?.dimensions[0];
  if (dimension === undefined || Number(dimension.size) === 0) return undefined;
  return Number(dimension.start);
}

/** Requests the label of a position, as text. */
async function labelAt(
  { store, group, name }: Coordinate,
  at: number | { readonly at: Label; readonly method: 'nearest' },
  signal: AbortSignal,
): Promise<string> {
  const variable = client.store(store).dataset(group).variable(name);
  const value = (await variable.slice({ [name]: at }, { coordinates: false, signal })).toJSON();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

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
