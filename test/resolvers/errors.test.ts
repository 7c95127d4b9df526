import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createErrorFormatter, errorTable } from '../../server/resolvers/errors.js';
import * as engine from '../../server/zarr/index.js';

/** Every class of the engine that can be thrown. */
const classes = Object.entries(engine).flatMap(([name, value]) =>
  typeof value === 'function' && value.prototype instanceof engine.ZarrError
    ? [[name, value as unknown as new (detail: string, options: object) => engine.ZarrError] as const]
    : [],
);

const formatter = (logged: unknown[] = []) =>
  createErrorFormatter({ hints: true, logHidden: (id, error) => logged.push([id, error]) });

describe('the table', () => {
  test('has a row for each class, and all are visible', () => {
    expect(classes.length).toBeGreaterThanOrEqual(14);
    for (const [name, Class] of classes) {
      const error = new Class('what was wrong', { where: { store: 's', path: '/p', key: 'k' } });
      const shown = formatter()(new GraphQLError('', { originalError: error }));
      expect(shown.message, name).toBe('what was wrong (store "s", path "/p", key "k")');
      expect(shown.extensions, name).toEqual({ code: error.code, store: 's', path: '/p', key: 'k' });
      expect(errorTable[error.code].hidden).toBe(false);
    }
  });

  test('has statuses for whole requests', () => {
    for (const { status } of Object.values(errorTable)) expect(status).toBeGreaterThanOrEqual(400);
    expect(errorTable.INTERNAL).toEqual({ status: 500, hidden: true, isOurs: true });
  });
});

describe('an error', () => {
  test('of a limit states the excess', () => {
    const excess = [{ limit: 'maxChunks', allowed: 10, needed: 1e300 }];
    const { extensions } = formatter()(new engine.LimitError('too much', { excess, fits: { size: 3 } }));
    expect(extensions).toEqual({
      code: 'LIMIT_EXCEEDED',
      fits: { size: 3 },
      // Status of a request that failed as a whole.
      http: { status: 413, spec: true },
      limit: 'maxChunks',
      allowed: 10,
      needed: 2n ** 63n - 1n,
    });
  });

  test('that is cancelled is ABORTED', () => {
    expect(formatter()(AbortSignal.abort().reason).extensions['code']).toBe('ABORTED');
  });

  test('keeps only its location in the document when it is wrapped', () => {
    const wrapped = new GraphQLError('x', {
      path: ['a', 1],
      originalError: new engine.InputError('bad', { cause: new Error('secret') }),
    });
    const shown = formatter()(wrapped);
    expect(shown.path).toEqual(['a', 1]);
    expect(shown.originalError).toBeUndefined();
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  test('that is unexpected is hidden and logged once', () => {
    const logged: unknown[] = [];
    const show = formatter(logged);
    for (const thrown of [new TypeError('secret'), 'secret', undefined, { message: 'secret' }]) {
      const shown = show(thrown);
      expect(show(shown)).toBe(shown);
      expect(shown.extensions['code']).toBe('INTERNAL');
      expect(JSON.stringify(shown)).not.toContain('secret');
    }
    const wrapped = new GraphQLError('secret', { originalError: new Error('secret') });
    expect(show(wrapped)).toBe(show(wrapped));
    expect(logged).toHaveLength(5);
  });

  test('of graphql itself is BAD_INPUT, without hints if they are disabled', () => {
    const error = new GraphQLError('No field "a". Did you mean "b" or "c"?', {
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
    expect(formatter()(error).extensions['code']).toBe('BAD_INPUT');
    const quiet = createErrorFormatter({ hints: false, logHidden() {} });
    expect(quiet(error).message).toBe('No field "a".');
  });
});
