import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openToken, signToken } from '../../../server/transport/href/token.js';

const key = 'an unknown key';
const claims = { expires: 1000, recipe: { store: 's', path: '/a' } };

describe('a token', () => {
  test('returns the signed content until it expires', () => {
    const token = signToken(claims, key);
    expect(openToken(token, [key], 999)).toEqual({ kind: 'valid', claims, expires: 1000 });
    expect(openToken(token, [key], 1000)).toEqual({ kind: 'expired' });
  });

  test('is verified by every configured key and no other', () => {
    const token = signToken(claims, 'the key of last week');
    expect(openToken(token, [key, 'the key of last week'], 0).kind).toBe('valid');
    expect(openToken(token, [key], 0).kind).toBe('forged');
    expect(openToken(token, [], 0).kind).toBe('forged');
  });

  test('is invalid if any character is changed, added or removed', () => {
    const token = signToken(claims, key);
    const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=';
    for (let i = 0; i < token.length; i++) {
      expect(openToken(token.slice(0, i) + token.slice(i + 1), [key], 0).kind).toBe('forged');
      for (const character of characters) {
        const changed = token.slice(0, i) + character + token.slice(i + 1);
        if (changed !== token) expect(openToken(changed, [key], 0).kind).toBe('forged');
      }
    }
    for (const character of characters) expect(openToken(token + character, [key], 0).kind).toBe('forged');
  });

  test('an invented token is invalid', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (text) => {
        expect(openToken(text, [key], 0).kind).toBe('forged');
      }),
    );
    expect(openToken('A'.repeat(1_000_000), [key], 0).kind).toBe('forged');
  });
});
