/**
 * Selections as text, as people write them: `time=2021-03, lat=-5..5, lon=~181, depth=#0`, or NumPy's basic indexing by
 * position: `0, 10:20, ..., ::-1`. The server, the SDK and the explorer share this grammar.
 *
 *     selection  = ( part *( "," part ) [ "," ] )     empty text selects everything
 *     part       = [ name "=" ] value                 all parts have names, or none has
 *     value      = "..."                              without names only, at most once
 *                | integer                            a label if the dimension has a coordinate, otherwise a position
 *                | "#" integer                        a position
 *                | start ":" stop [ ":" step ]        positions, as in Python; brackets around it are optional
 *                | "[" integer *( "," integer ) "]"   positions
 *                | label                              with a name only, as the following
 *                | "~" label                          the nearest label
 *                | "(" label *( "," label ) ")"       several labels
 *                | [ label ] ".." [ label ]           the labels in a range, with both ends included
 *     name,label = text without quotes, brackets and `,=#~`, or in quotes of either kind, doubled within the text
 *
 * One pass over the text, without regular expressions that could backtrack.
 */

/** Maximum length of a text in characters. */
export const MAX_SELECTION_TEXT = 4096;

/** A label as written. How it is compared depends on the coordinate. */
export interface TextLabel {
  readonly text: string;
  /** Whether it was in quotes: then it is never a position. */
  readonly isQuoted: boolean;
  /** Where it begins, from 1. */
  readonly column: number;
}

export type TextPositions =
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly start?: number; readonly stop?: number; readonly step?: number }
  | { readonly kind: 'indices'; readonly indices: readonly number[] };

export type TextLabels =
  | { readonly kind: 'label'; readonly label: TextLabel }
  | { readonly kind: 'near'; readonly label: TextLabel }
  | { readonly kind: 'labels'; readonly labels: readonly TextLabel[] }
  /** At least one end is set. */
  | { readonly kind: 'between'; readonly from: TextLabel | undefined; readonly to: TextLabel | undefined };

export type TextDim = TextPositions | TextLabels;

export interface NamedTextDim {
  readonly dim: string;
  readonly by: TextDim;
  /** Where the part begins, from 1. */
  readonly column: number;
}

export type TextSelection =
  | { readonly kind: 'all' }
  | { readonly kind: 'dims'; readonly dims: readonly (TextPositions | { readonly kind: 'ellipsis' })[] }
  | { readonly kind: 'named'; readonly named: readonly NamedTextDim[] };

/** Text that is no selection. The message names the column. */
export class SelectionTextError extends Error {
  /** @param column where the text is wrong, from 1 */
  constructor(
    problem: string,
    readonly column: number,
  ) {
    super(`column ${column}: ${problem}`);
    this.name = 'SelectionTextError';
  }
}

/** @throws SelectionTextError */
export function parseSelectionText(text: string): TextSelection {
  if (text.length > MAX_SELECTION_TEXT)
    throw new SelectionTextError(
      `the selection has ${text.length} characters; at most ${MAX_SELECTION_TEXT} are allowed`,
      MAX_SELECTION_TEXT + 1,
    );
  return new SelectionParser(text).parse();
}

/** A variable and a selection: `sst[time=2021-03, lat=-5..5]`, or `/a/b/sst` for all of it. */
export interface SliceText {
  readonly path: string;
  readonly selection: TextSelection;
}

/** @throws SelectionTextError. Columns are those of the whole text */
export function parseSliceText(text: string): SliceText {
  const open = text.indexOf('[');
  const path = (open < 0 ? text : text.slice(0, open)).trim();
  if (path === '')
    throw new SelectionTextError('expected the path of a variable, such as sst[time=2021-03]', 1);
  if (open < 0) return { path, selection: { kind: 'all' } };
  const end = text.trimEnd().length - 1;
  if (text[end] !== ']') throw new SelectionTextError('expected "]" at the end', end + 2);
  // Spaces in place of the path keep the columns.
  const selection = parseSelectionText(' '.repeat(open + 1) + text.slice(open + 1, end));
  return { path, selection };
}

/** The integer of a label that may be a position: an unquoted integer. */
export function labelAsPosition({ text, isQuoted }: TextLabel): number | undefined {
  return isQuoted ? undefined : integerOf(text);
}

/** Largest position. No array has elements beyond it: larger bounds are clipped, and larger indices are out of range. */
const LARGEST = Number.MAX_SAFE_INTEGER;

function integerOf(text: string): number | undefined {
  const digits = text.startsWith('-') || text.startsWith('+') ? text.slice(1) : text;
  if (digits === '') return undefined;
  for (let i = 0; i < digits.length; i++) {
    const code = digits.charCodeAt(i);
    if (code < 48 || code > 57) return undefined;
  }
  return Math.max(-LARGEST, Math.min(LARGEST, Number(text)));
}

/** A part of the text without spaces around it. */
interface Span {
  readonly start: number;
  readonly end: number;
}

class SelectionParser {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): TextSelection {
    const whole = this.#trimmed({ start: 0, end: this.#text.length });
    if (whole.start === whole.end) return { kind: 'all' };
    const parts = this.#split(whole);
    const last = parts.at(-1);
    // NumPy allows a trailing comma, as in a[0,].
    if (parts.length > 1 && last !== undefined && last.start === last.end) parts.pop();
    const names = parts.map((part) => this.#equals(part));
    if (names.every((at) => at === undefined)) return this.#positional(parts);
    return { kind: 'named', named: parts.map((part, i) => this.#named(part, names[i])) };
  }

  #positional(parts: readonly Span[]): TextSelection {
    let ellipses = 0;
    const dims = parts.map((part) => {
      if (this.#textOf(part) === '...') {
        ellipses += 1;
        if (ellipses > 1) throw this.#error('"..." occurs more than once; only one is allowed', part);
        return { kind: 'ellipsis' } as const;
      }
      const by = this.#value(part);
      if (by.kind === 'index' || by.kind === 'slice' || by.kind === 'indices') return by;
      const index = by.kind === 'label' ? labelAsPosition(by.label) : undefined;
      if (index !== undefined) return { kind: 'index', index } as const;
      throw this.#error(
        `cannot parse ${this.#shown(part)}; write an index ("3", "-1"), ` +
          `a slice ("10:20", "::2") or "..." for each dimension, or the names of dimensions before labels: "time=2021-03"`,
        part,
      );
    });
    return { kind: 'dims', dims };
  }

  #named(part: Span, at: number | undefined): NamedTextDim {
    if (at === undefined)
      throw this.#error(
        `expected NAME=VALUE, got ${this.#shown(part)}; write names for all dimensions or for none`,
        part,
      );
    const name = this.#trimmed({ start: part.start, end: at });
    const dim = this.#word(name, 'the name of a dimension').text;
    const value = this.#trimmed({ start: at + 1, end: part.end });
    if (value.start === value.end) throw this.#error(`expected a value after "${shortened(dim)}="`, value);
    if (this.#textOf(value) === '...') throw this.#error('"..." has no name; dimensions that are not named are selected entirely', value); // prettier-ignore
    return { dim, by: this.#value(value), column: part.start + 1 };
  }

  /** @param span not empty */
  #value(span: Span): TextDim {
    const first = this.#text[span.start];
    if (first === '#') {
      const index = integerOf(this.#textOf({ start: span.start + 1, end: span.end }));
      if (index === undefined) throw this.#error('expected an integer after "#"', { ...span, start: span.start + 1 }); // prettier-ignore
      return { kind: 'index', index };
    }
    if (first === '[') return this.#positions(this.#within(span, ']'));
    if (first === '(') {
      const labels = this.#split(this.#within(span, ')')).map((entry) => this.#label(entry));
      return { kind: 'labels', labels };
    }
    if (first === '~') return { kind: 'near', label: this.#label(this.#trimmed({ ...span, start: span.start + 1 })) }; // prettier-ignore
    const slice = this.#slice(span);
    if (slice !== undefined) return slice;
    const dots = this.#find('..', span);
    if (dots !== undefined) {
      // 0...5 would be 0 to 0.5, which nobody means.
      if (this.#text[dots + 2] === '.' && dots + 2 < span.end)
        throw this.#error(
          'a range has two dots; write "a..b", and a fraction with a digit before its point',
          {
            ...span,
            start: dots,
          },
        );
      const from = this.#end({ start: span.start, end: dots });
      const to = this.#end({ start: dots + 2, end: span.end });
      if (from === undefined && to === undefined) throw this.#error('expected a label before or after ".."', span); // prettier-ignore
      return { kind: 'between', from, to };
    }
    return { kind: 'label', label: this.#label(span) };
  }

  #end(span: Span): TextLabel | undefined {
    const trimmed = this.#trimmed(span);
    return trimmed.start === trimmed.end ? undefined : this.#label(trimmed);
  }

  /** The inside of brackets or parentheses. */
  #within(span: Span, close: string): Span {
    if (this.#text[span.end - 1] !== close || span.end - span.start < 2)
      throw this.#error(`expected ${close} at the end`, { start: span.end, end: span.end });
    const inside = this.#trimmed({ start: span.start + 1, end: span.end - 1 });
    if (inside.start === inside.end) throw this.#error('the list is empty', inside);
    return inside;
  }

  #positions(inside: Span): TextPositions {
    const slice = this.#slice(inside);
    if (slice !== undefined) return slice;
    const indices = this.#split(inside).map((entry) => {
      const index = integerOf(this.#textOf(entry));
      if (index === undefined) throw this.#error(`expected an integer, got ${this.#shown(entry)}; brackets contain positions, parentheses labels`, entry); // prettier-ignore
      return index;
    });
    return { kind: 'indices', indices };
  }

  /** START:STOP:STEP, each of which may be omitted. @returns undefined for anything else, such as a time of day */
  #slice(span: Span): TextPositions | undefined {
    const fields = this.#textOf(span).split(':');
    if (fields.length < 2 || fields.length > 3) return undefined;
    const numbers: (number | undefined)[] = [];
    for (const field of fields) {
      const text = field.trim();
      const number = text === '' ? undefined : integerOf(text);
      if (text !== '' && number === undefined) return undefined;
      numbers.push(number);
    }
    const [start, stop, step] = numbers;
    if (step === 0)
      throw this.#error(`the step in ${this.#shown(span)} must not be zero; use 1, -1, 2, ...`, span);
    return {
      kind: 'slice',
      ...(start === undefined ? {} : { start }),
      ...(stop === undefined ? {} : { stop }),
      ...(step === undefined ? {} : { step }),
    };
  }

  #label(span: Span): TextLabel {
    return this.#word(span, 'a label');
  }

  /** Text in quotes, or without any character that has a meaning. */
  #word(span: Span, wanted: string): TextLabel {
    const { start, end } = span;
    const column = start + 1;
    if (start >= end) throw this.#error(`expected ${wanted}`, span);
    const quote = this.#text[start];
    if (quote === '"' || quote === "'") {
      const close = this.#closing(start, end);
      if (close === undefined) throw this.#error(`the quote has no end; write ${quote} twice within quoted text`, span); // prettier-ignore
      if (close + 1 < end)
        throw this.#error('expected a comma after the quoted text', { start: close + 1, end });
      return { text: this.#text.slice(start + 1, close).replaceAll(quote + quote, quote), isQuoted: true, column }; // prettier-ignore
    }
    for (let i = start; i < end; i++)
      if (special.has(this.#text[i] ?? ''))
        throw this.#error(`unexpected ${JSON.stringify(this.#text[i])}; put ${wanted} that contains it in quotes`, { start: i, end }); // prettier-ignore
    return { text: this.#text.slice(start, end), isQuoted: false, column };
  }

  /** The position of the quote that ends a quoted text; undefined if there is none. */
  #closing(start: number, end: number): number | undefined {
    const quote = this.#text[start];
    for (let i = start + 1; i < end; i++) {
      if (this.#text[i] !== quote) continue;
      if (this.#text[i + 1] !== quote || i + 1 >= end) return i;
      i += 1;
    }
    return undefined;
  }

  /** Parts between commas outside quotes and brackets, without spaces. */
  #split(whole: Span): Span[] {
    const parts: Span[] = [];
    let start = whole.start;
    for (const { at, depth } of this.#outside(whole))
      if (depth === 0 && this.#text[at] === ',') {
        parts.push(this.#part({ start, end: at }));
        start = at + 1;
      }
    parts.push(this.#trimmed({ start, end: whole.end }));
    return parts;
  }

  #part(span: Span): Span {
    const part = this.#trimmed(span);
    if (part.start === part.end) throw this.#error('expected a value before the comma', span);
    return part;
  }

  /** The last "=" outside quotes and brackets: an unquoted name may contain "=", an unquoted value does not. */
  #equals(part: Span): number | undefined {
    let found: number | undefined;
    for (const { at, depth } of this.#outside(part)) if (depth === 0 && this.#text[at] === '=') found = at;
    return found;
  }

  #find(wanted: string, span: Span): number | undefined {
    for (const { at } of this.#outside(span))
      if (at + wanted.length <= span.end && this.#text.startsWith(wanted, at)) return at;
    return undefined;
  }

  /** The positions outside quotes, with the number of open brackets. A quote begins only where a name or value does. */
  *#outside({ start, end }: Span): Generator<{ readonly at: number; readonly depth: number }, void, void> {
    let depth = 0;
    let isStart = true;
    for (let at = start; at < end; at++) {
      const character = this.#text[at];
      if (isStart && (character === '"' || character === "'")) {
        at = this.#closing(at, end) ?? end;
        isStart = false;
        continue;
      }
      if (character === '[' || character === '(') depth += 1;
      if (character === ']' || character === ')') depth = Math.max(0, depth - 1);
      yield { at, depth };
      isStart = isSpace(character) ? isStart : character !== undefined && beforeQuote.has(character);
    }
  }

  #trimmed({ start, end }: Span): Span {
    let [from, to] = [start, end];
    while (from < to && isSpace(this.#text[from])) from += 1;
    while (to > from && isSpace(this.#text[to - 1])) to -= 1;
    return { start: from, end: to };
  }

  #textOf({ start, end }: Span): string {
    return this.#text.slice(start, end);
  }

  #shown(span: Span): string {
    return JSON.stringify(shortened(this.#textOf(span)));
  }

  #error(problem: string, { start }: Span): SelectionTextError {
    return new SelectionTextError(problem, start + 1);
  }
}

/** Characters that names and labels contain only in quotes. */
const special: ReadonlySet<string> = new Set([',', '[', ']', '(', ')', '#', '~', '"', "'"]);
/** Characters after which a quoted text may begin. */
const beforeQuote: ReadonlySet<string> = new Set([',', '=', '[', '(', '~', '.']);

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

const MAX_SHOWN = 60;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

/** A name or label as text, in quotes if necessary. */
export function wordText(text: string): string {
  const isPlain =
    text !== '' &&
    text.trim() === text &&
    !text.includes('=') &&
    !text.includes('..') &&
    !Array.from(text).some((character) => special.has(character) || character < ' ');
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

/** A part of a selection by position, such as `lat=[0:4]`. */
export function positionsText(dim: string, by: TextPositions): string {
  const { kind } = by;
  const value =
    kind === 'index'
      ? `#${by.index}`
      : kind === 'indices'
        ? `[${by.indices.join(', ')}]`
        : `[${by.start ?? ''}:${by.stop ?? ''}${by.step === undefined ? '' : `:${by.step}`}]`;
  return `${wordText(dim)}=${value}`;
}
