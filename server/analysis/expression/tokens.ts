/** Splits the text of an expression into tokens. */
import { defined } from '../../../wire/guards.js';
import { InputError } from '../../zarr/index.js';

export type Token = {
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number;
} & (
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'sign'; readonly sign: string }
  | { readonly kind: 'end' }
);

/** Maximum length of an expression in bytes of UTF-8. */
export const MAX_EXPRESSION_BYTES = 1024;

/** Sticky: each token starts where the last one ended. */
const forms = {
  space: /\s+/uy,
  number: /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/uy,
  name: /[\p{L}_][\p{L}\p{M}\p{N}_]*/uy,
  /** A doubled quote represents one quote. */
  quoted: /`(?:[^`]|``)+`/uy,
  text: /'(?:[^']|'')*'|"(?:[^"]|"")*"/uy,
  sign: /\*\*|\/\/|==|!=|<<|>>|<=|>=|&&|\|\||[-+*/%<>(),=^&|~!?:;[\]{}@.]/uy,
} as const;

/** @throws InputError for text that is too long, or an unexpected character */
export function tokensOf(text: string): Token[] {
  const size = Buffer.byteLength(text);
  if (size > MAX_EXPRESSION_BYTES)
    throw new InputError(
      `the expression has ${size} bytes; at most ${MAX_EXPRESSION_BYTES} bytes are allowed`,
    );
  const tokens: Token[] = [];
  let at = 0;
  const take = (form: keyof typeof forms): string | undefined => {
    forms[form].lastIndex = at;
    const match = forms[form].exec(text)?.[0];
    at += match?.length ?? 0;
    return match;
  };
  while (at < text.length) {
    const column = at + 1;
    if (take('space') !== undefined) continue;
    const number = take('number');
    if (number !== undefined) {
      tokens.push({ kind: 'number', value: numberOf(number), column });
      continue;
    }
    const name = take('name');
    if (name !== undefined) {
      tokens.push({ kind: 'name', name, quoted: false, column });
      continue;
    }
    const quoted = take('quoted');
    if (quoted !== undefined) {
      tokens.push({ kind: 'name', name: unquoted(quoted), quoted: true, column });
      continue;
    }
    const literal = take('text');
    if (literal !== undefined) {
      tokens.push({ kind: 'text', text: unquoted(literal), column });
      continue;
    }
    const sign = take('sign');
    if (sign === undefined) throw unexpectedCharacter(text, at);
    tokens.push({ kind: 'sign', sign, column });
  }
  tokens.push({ kind: 'end', column: text.length + 1 });
  return tokens;
}

function numberOf(text: string): number | bigint {
  return /^\d+$/.test(text) ? BigInt(text) : Number(text);
}

function unquoted(text: string): string {
  const quote = text.slice(0, 1);
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

function unexpectedCharacter(text: string, at: number): InputError {
  const character = String.fromCodePoint(defined(text.codePointAt(at)));
  const reason =
    character === '`'
      ? 'starts a quoted name, but the name is empty or the closing quote is missing'
      : character === "'" || character === '"'
        ? 'starts a text, but the closing quote is missing'
        : 'is not allowed here';
  return errorAt(at + 1, `${JSON.stringify(character)} ${reason}`);
}

/** @param column see `Token` */
export function errorAt(column: number, problem: string): InputError {
  return new InputError(`expression, column ${column}: ${problem}`);
}
