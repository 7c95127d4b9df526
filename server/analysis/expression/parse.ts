/**
 * The grammar of expressions. Operators have Python's precedence, from weak to strong: or; and; not;
 * comparisons, which do not chain; |; &; << >>; + -; * / %; signs and ~; **, which is right-associative.
 */
import { isFunctionName, type Node, type OperationName, expressionOperations } from './syntax.js';
import { errorAt, type Token, tokensOf } from './tokens.js';
import { insteadOf, operationHint } from './unknown-function.js';

/** Maximum nesting of parentheses, calls, signs, `not` and powers. */
const MAX_DEPTH = 32;

const comparisons: ReadonlyMap<string, OperationName> = new Map([
  ['==', 'equal'],
  ['!=', 'notEqual'],
  ['<', 'less'],
  ['<=', 'lessOrEqual'],
  ['>', 'greater'],
  ['>=', 'greaterOrEqual'],
]);
const shifts: ReadonlyMap<string, OperationName> = new Map([
  ['<<', 'shiftLeft'],
  ['>>', 'shiftRight'],
]);
const sums: ReadonlyMap<string, OperationName> = new Map([
  ['+', 'add'],
  ['-', 'subtract'],
]);
const products: ReadonlyMap<string, OperationName> = new Map([
  ['*', 'multiply'],
  ['/', 'divide'],
  ['%', 'remainder'],
]);
const constants: ReadonlyMap<string, number> = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['pi', Math.PI],
]);

const hints: ReadonlyMap<string, string> = new Map([
  ['//', 'use floor(a / b)'],
  ['=', 'compare with =='],
  ['&&', 'use "and"'],
  ['||', 'use "or"'],
  ['!', 'use "not"'],
  ['^', 'write powers with **, and xor(a, b)'],
  ['.', 'quote names with characters other than letters, digits and _ in backticks'],
  ['?', 'use where(condition, a, b)'],
]);

/** @throws InputError, which states the column unless the text is too long */
export function parseExpression(text: string): Node {
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;

  const current = (): Token => tokens[at] ?? { kind: 'end', column: text.length + 1 };
  const isSign = (sign: string): boolean => {
    const token = current();
    return token.kind === 'sign' && token.sign === sign;
  };
  const isWord = (word: string): boolean => {
    const token = current();
    return token.kind === 'name' && !token.quoted && token.name === word;
  };

  function deeper<T>(parse: () => T): T {
    if (++depth > MAX_DEPTH)
      throw errorAt(current().column, `the expression is nested deeper than ${MAX_DEPTH} levels`);
    const parsed = parse();
    depth -= 1;
    return parsed;
  }

  /** Parses left-associative operators of equal precedence. */
  function leftToRight(next: () => Node, operationOf: () => OperationName | undefined): Node {
    let left = next();
    for (;;) {
      const operation = operationOf();
      if (operation === undefined) return left;
      const { column } = current();
      at += 1;
      left = { kind: 'call', operation, operands: [left, next()], column };
    }
  }

  const signIn = (table: ReadonlyMap<string, OperationName>): OperationName | undefined => {
    const token = current();
    return token.kind === 'sign' ? table.get(token.sign) : undefined;
  };

  const either = (): Node => leftToRight(both, () => (isWord('or') ? 'or' : undefined));
  const both = (): Node => leftToRight(negation, () => (isWord('and') ? 'and' : undefined));

  function negation(): Node {
    if (!isWord('not')) return comparison();
    const { column } = current();
    at += 1;
    return { kind: 'call', operation: 'not', operands: [deeper(negation)], column };
  }

  function comparison(): Node {
    const left = bitOr();
    const operation = signIn(comparisons);
    if (operation === undefined) return left;
    const { column } = current();
    at += 1;
    const right = bitOr();
    if (signIn(comparisons) !== undefined)
      throw errorAt(current().column, 'comparisons do not chain; write "a < b and b < c"');
    return { kind: 'call', operation, operands: [left, right], column };
  }

  const bitOr = (): Node => leftToRight(bitAnd, () => (isSign('|') ? 'bitOr' : undefined));
  const bitAnd = (): Node => leftToRight(shift, () => (isSign('&') ? 'bitAnd' : undefined));
  const shift = (): Node => leftToRight(sum, () => signIn(shifts));
  const sum = (): Node => leftToRight(product, () => signIn(sums));
  const product = (): Node => leftToRight(signed, () => signIn(products));

  function signed(): Node {
    const { column } = current();
    if (isSign('+')) {
      at += 1;
      return deeper(signed);
    }
    if (!isSign('-') && !isSign('~')) return powers();
    const operation = isSign('-') ? 'negate' : 'bitNot';
    at += 1;
    return { kind: 'call', operation, operands: [deeper(signed)], column };
  }

  function powers(): Node {
    const base = primary();
    const { column } = current();
    if (!isSign('**')) return base;
    at += 1;
    return { kind: 'call', operation: 'power', operands: [base, deeper(signed)], column };
  }

  function primary(): Node {
    const token = current();
    const { column } = token;
    at += 1;
    if (token.kind === 'number' || token.kind === 'text') return token;
    if (token.kind === 'name') return named(token.name, token.quoted, column);
    at -= 1;
    if (!isSign('(')) throw expected('a number, a name, a function or "("');
    at += 1;
    const inner = deeper(either);
    close();
    return inner;
  }

  function named(name: string, quoted: boolean, column: number): Node {
    if (quoted) return { kind: 'name', name, column };
    if (isSign('(')) return call(name, column);
    if (name === 'and' || name === 'or' || name === 'not') {
      at -= 1;
      throw expected('a number, a name, a function or "("');
    }
    const value = constants.get(name);
    return value === undefined ? { kind: 'name', name, column } : { kind: 'number', value, column };
  }

  function call(name: string, column: number): Node {
    if (!isFunctionName(name))
      throw errorAt(column, `unknown function "${name.slice(0, 40)}"${insteadOf(name)}`);
    at += 1;
    const operands: Node[] = [];
    if (!isSign(')'))
      for (;;) {
        operands.push(deeper(either));
        if (!isSign(',')) break;
        at += 1;
      }
    close();
    const [least, most] = expressionOperations[name];
    if (operands.length < least || operands.length > most)
      throw errorAt(
        column,
        `${name} takes ${least === most ? least : `${least} to ${most}`} operands, not ${operands.length}${operands.length === 1 ? operationHint(name) : ''}`,
      );
    return { kind: 'call', operation: name, operands, column };
  }

  function close(): void {
    if (!isSign(')')) throw expected('an operator, "," or ")"');
    at += 1;
  }

  function expected(wanted: string): ReturnType<typeof errorAt> {
    const token = current();
    const hint = token.kind === 'sign' ? hints.get(token.sign) : undefined;
    return errorAt(
      token.column,
      `expected ${wanted}, found ${shown(token)}${hint === undefined ? '' : `; ${hint}`}`,
    );
  }

  const parsed = either();
  if (current().kind !== 'end') throw expected('an operator or the end');
  return parsed;
}

function shown(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end';
    case 'number':
      return String(token.value).slice(0, 40);
    case 'name':
      return `"${token.name.slice(0, 40)}"`;
    case 'text':
      return `the text "${token.text.slice(0, 40)}"`;
    case 'sign':
      return `"${token.sign}"`;
  }
}
