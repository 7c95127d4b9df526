import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/core/bytes/json.js';
import {
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonReader,
  OPEN_OBJECT,
  parseJson,
  parseJsonText,
  parseJsonSteps,
} from '../../../server/core/bytes/parse-json.js';
import { printJson, compactSteps } from '../../../server/core/bytes/print-json.js';
import { LimitError, MetadataError } from '../../../server/core/errors.js';
import { runToEnd } from '../../../server/core/turns.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(encode(text));

describe('numbers', () => {
  test.each<[string, JsonValue]>([
    ['0', 0],
    ['-1', -1],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['12345678901234567168.0', 12345678901234567168],
    ['5e-324', 5e-324],
    ['1e400', Infinity],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', NaN],
  ])('%s', (text, value) => {
    expect(parse(text)).toBe(value);
    expect(parse(`[${text}, 1]`)).toEqual([value, 1]);
  });

  test('the sign of zero is preserved', () => {
    expect(Object.is(parse('-0'), -0)).toBe(true);
    expect(Object.is(parse('-0.0'), -0)).toBe(true);
    expect(Object.is(parse('0'), 0)).toBe(true);
  });

  test('an integer has at most 4300 digits, the limit of Python', () => {
    expect(parse('9'.repeat(4300))).toBe(10n ** 4300n - 1n);
    expect(() => parse(`[1, ${'9'.repeat(65_536)}]`)).toThrow(
      'an integer has 65536 digits; at most 4300 are supported (line 1, column 5)',
    );
  });

  test.each(['9'.repeat(50_000_000), `0.${'9'.repeat(65_537)}`, `1e${'9'.repeat(65_537)}`])(
    'digits are bounded: %#',
    (text) =>
      expect(() => parse(`[1, ${text}]`)).toThrow('a number has more than 65536 digits (line 1, column 5)'),
  );

  test('a float may have many digits', () => {
    expect(parse(`0.${'3'.repeat(65_536)}`)).toBe(1 / 3);
  });

  test.each(['01', '-01', '1.', '.5', '+1', '1e', '0x10', '--1', '-', 'nan', 'inf', '-NaN', '00', '1_000'])(
    '%s is rejected',
    (text) => expect(() => parse(text)).toThrow(MetadataError),
  );
});

describe('strings', () => {
  test.each<[string, string]>([
    ['""', ''],
    ['"a\\"b\\\\c\\/d\\b\\f\\n\\r\\t"', 'a"b\\c/d\b\f\n\r\t'],
    ['"\\u00e9\\ud83d\\ude00"', 'é😀'],
    ['"é漢😀"', 'é漢😀'],
    ['"\\ud800"', '\ud800'],
    [
      '"a string of more than thirty-two characters, twice as long"',
      'a string of more than thirty-two characters, twice as long',
    ],
  ])('%s', (text, value) => expect(parse(text)).toBe(value));

  test('short strings with the same hash are distinguished', () => {
    expect(parse('["ab","ba","ab","AaAa","BBBB","AaBB","ab"]')).toEqual([
      'ab',
      'ba',
      'ab',
      'AaAa',
      'BBBB',
      'AaBB',
      'ab',
    ]);
  });

  test.each(['"', '"a', '"\\x"', '"\\u12g4"', '"\\', '"\n"', '"\t"', "'a'"])('%j is rejected', (text) =>
    expect(() => parse(text)).toThrow(MetadataError),
  );
});

describe('objects', () => {
  test('keys of Object.prototype are ordinary keys', () => {
    const value = parse('{"__proto__": {"polluted": 1}, "constructor": 2, "hasOwnProperty": 3}');
    expect(Object.entries(value ?? {})).toEqual([
      ['__proto__', expect.anything()],
      ['constructor', 2],
      ['hasOwnProperty', 3],
    ]);
    expect('polluted' in {}).toBe(false);
    expect('toString' in Object(parse('{}'))).toBe(false);
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a":null,"b":1,"a":null}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":1,"\\u0061":2}',
  ])('a duplicate key is rejected: %s', (text) => expect(() => parse(text)).toThrow(/is repeated/));

  test.each([
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    '[1,]',
    '[1 2]',
    '[',
    ']',
    '{"a":1]',
    '[1}',
  ])('%s is rejected', (text) => expect(() => parse(text)).toThrow(MetadataError));
});

describe('documents', () => {
  test.each(['', '  ', 'tru', 'nulll', '1 2', '{} x', '\u00a01'])('%j is rejected', (text) =>
    expect(() => parse(text)).toThrow(MetadataError),
  );

  test('errors state line and column', () => {
    expect(() => parse('{\n  "a": 1,\n  "b" 2\n}')).toThrow(/line 3, column 7/);
    expect(() => parse('{\r\n"a": 1, "a": 2}')).toThrow(/line 2, column 9/);
    expect(() => parse('x')).toThrow(/line 1, column 1/);
  });

  test('a byte order mark is skipped at the beginning only', () => {
    expect(parse('\ufeff{"a":"\ufeffb"}')).toEqual({ a: '\ufeffb' });
    expect(() => parse('\ufeff\ufeff1')).toThrow(MetadataError);
  });

  test('bytes that are not UTF-8 are rejected', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/UTF-8/);
  });

  test('depth is bounded, without overflowing the stack', () => {
    expect(() => parse('['.repeat(64) + ']'.repeat(64))).not.toThrow();
    expect(() => parse('['.repeat(65) + ']'.repeat(65))).toThrow(/nested/);
    expect(() => parse('[{"a":'.repeat(100_000))).toThrow(/nested/);
    // Closing a list reduces the depth again.
    expect(() => parse(`[${'[[]],'.repeat(1000)}1]`)).not.toThrow();
  });

  test('size is bounded', () => {
    expect(() => parseJson(encode('"12345678"'), { maxBytes: 9 })).toThrow(LimitError);
    expect(parseJson(encode('"1234567"'), { maxBytes: 9 })).toBe('1234567');
  });

  test('agrees with JSON.parse for numbers of at most 15 digits', () => {
    const safe = fc.jsonValue().filter((value) => !/\d{16,}/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // Compared as text, because parsed objects have no prototype.
        expect(JSON.stringify(parseJsonText(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

// Parsing in pieces, skipping values and removing white space.

/** Parses in pieces of about this number of bytes. */
function inPieces(text: string, step: number): JsonValue {
  const reader = new JsonReader(encode(text));
  for (;;) {
    const value = reader.value(reader.at + step);
    if (value === undefined) continue;
    reader.end();
    return value;
  }
}

/** The result: the parsed value as JSON text, or the error. */
function outcome(parse: () => JsonValue): string {
  try {
    return printJson(parse());
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

const json = fc.json({ maxDepth: 5, stringUnit: 'binary' });
/** Random sequences of JSON tokens, including NaN and -Infinity. Most of them are invalid. */
const nearlyJson = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9\\n"',
      '"b\\"c"',
      '1',
      '-0',
      '2.0',
      '1e3',
      '12345678901234567890',
      'NaN',
      '-Infinity',
      'true',
      'null',
      ' ',
      '\n',
      '"',
      '\\',
      'é',
    ),
    { maxLength: 30 },
  ) // prettier-ignore
  .map((parts) => parts.join(''));

test('parsing in pieces of any size equals JSON.parse', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 20 }), (text, units) => {
      const value: unknown = JSON.parse(text);
      // Printed and parsed again, because objects of the reader have no prototype.
      expect(JSON.parse(printJson(inPieces(text, units)))).toEqual(value);
    }),
  );
});

test('parsing in pieces of any size gives the same result or error as parsing at once', () => {
  fc.assert(
    fc.property(fc.oneof(nearlyJson, json), fc.integer({ min: 1, max: 9 }), (text, units) => {
      expect(outcome(() => inPieces(text, units))).toBe(outcome(() => parseJsonText(text)));
    }),
    { numRuns: 2000 },
  );
});

test('parsing bytes in steps equals parsing at once', () => {
  const text = JSON.stringify({
    long: 'é'.repeat(300_000),
    list: Array.from({ length: 20_000 }, (_, i) => i),
  });
  expect(runToEnd(parseJsonSteps(encode(text)))).toEqual(parseJson(encode(text)));
  expect(() => runToEnd(parseJsonSteps(new Uint8Array([0x22, 0xff, 0x22])))).toThrow('not valid UTF-8');
  expect(() => runToEnd(parseJsonSteps(encode('[1]'), { maxBytes: 2 }))).toThrow('are allowed');
});

test.each(['"' + '\\n'.repeat(100_000) + '"', `"${'x'.repeat(100_000)}"`, `{"${'k'.repeat(100_000)}":1}`])(
  'a long string or key is parsed in pieces: %#',
  (text) => {
    const reader = new JsonReader(encode(text));
    let pieces = 1;
    let value: JsonValue | undefined;
    while ((value = reader.value(reader.at + 1000)) === undefined) pieces++;
    expect(pieces).toBeGreaterThan(90);
    expect(value).toEqual(JSON.parse(text));
  },
);

test('an object has a bounded number of keys', () => {
  const text = `{${Array.from({ length: 2 ** 18 + 1 }, (_, i) => `"${i}":0`).join(',')}}`;
  expect(() => parseJsonText(text)).toThrow('more than 262144 keys');
});

test('a value is skipped completely, wherever a piece ends', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('', ',', ']', '}', ' ', '\n,'), fc.integer({ min: 1, max: 9 }), (text, rest, step) => {
      const value = JSON.stringify(JSON.parse(text));
      const bytes = encode(value + rest);
      const reader = new JsonReader(bytes);
      while (!reader.skip(reader.at + step));
      expect(reader.at).toBe(encode(value).length);
    }),
  ); // prettier-ignore
});

test('numbers equal those of JSON.parse', () => {
  const digits = fc.bigInt({ min: 0n, max: 10n ** 20n }).map(String);
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.option(digits),
      fc.option(fc.integer({ min: -330, max: 310 })),
    )
    .map(
      ([sign, whole, part, power]) => `${sign}${whole}.${part ?? '5'}${power === null ? '' : `e${power}`}`,
    );
  fc.assert(
    fc.property(fc.oneof(number, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), (text) => {
      expect(Number(parse(text))).toBe(JSON.parse(text));
    }),
    { numRuns: 2000 },
  );
});

test('keys and spans of an object are found without parsing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (object) => {
      const bytes = encode(`\ufeff ${JSON.stringify(object, null, 1)} `);
      const reader = new JsonReader(bytes);
      reader.take(OPEN_OBJECT);
      for (const [i, [key, value]] of Object.entries(object).entries()) {
        if (i > 0) reader.take(COMMA);
        expect(reader.key()).toBe(JSON.parse(JSON.stringify(key)));
        reader.take(COLON);
        reader.peek();
        const start = reader.at;
        reader.skip(Infinity);
        const text = Buffer.from(bytes.subarray(start, reader.at)).toString();
        expect(text.replaceAll(/\s/g, '')).toBe(JSON.stringify(value, null, 1).replaceAll(/\s/g, ''));
      }
      reader.take(CLOSE_OBJECT);
      reader.end();
    }),
  );
});

test('strings that are remembered in the same slot are distinguished', () => {
  const strings = [
    'aXb',
    'aYb',
    'aXb',
    'a',
    '',
    'aXXb',
    'é',
    'aXb',
    '\u0001',
    'A',
    'aéb',
    'aXb',
    'AaAa',
    'BBBB',
  ];
  const reader = new JsonReader(encode(strings.map((text) => JSON.stringify(text)).join(' ')));
  expect(strings.map(() => reader.key())).toEqual(strings);
});

test('a key that is read alone has a limited length', () => {
  expect(() => new JsonReader(encode(`"${'k'.repeat(65_537)}"`)).key()).toThrow('more than 65536 bytes');
});

test.each([
  [[0x22, 0x80, 0x80, 0x80, 0x80, 0x80, 0x22]],
  [[0x22, 0xf0, 0x9f, 0x98, 0x22]],
  [[0x22, 0xed, 0xa0, 0x80, 0x22]],
  [[0x22, 0xc0, 0xaf, 0x22]],
])('a string that is not UTF-8 is rejected wherever a piece ends: %j', (list) => {
  for (let step = 1; step < 8; step++) {
    const reader = new JsonReader(Uint8Array.from(list));
    const parse = (): void => {
      while (reader.value(reader.at + step) === undefined);
    };
    expect(parse).toThrow('not valid UTF-8');
  }
});

test('a location beyond the first megabytes is stated in bytes', () => {
  const text = `[${' '.repeat(9 * 2 ** 20)}x]`;
  expect(() => parseJsonText(text)).toThrow(`(byte ${text.length - 2})`);
});

test('text with a lone surrogate is rejected', () => {
  expect(() => parseJsonText('"\ud800"')).toThrow('lone surrogate');
});

test('compact text equals JSON.stringify', () => {
  fc.assert(
    fc.property(json, (text) => {
      const value: unknown = JSON.parse(text);
      const indented = encode(JSON.stringify(value, null, 2));
      expect(Buffer.from(runToEnd(compactSteps(indented))).toString()).toBe(JSON.stringify(value));
    }),
  );
});
