import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { attributesOf, type Row, rowOf } from '../../../core/store/attribute-values.ts';

/** Attribute names that no JavaScript object treats in a special way. */
const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__');
const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.maxSafeInteger(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value')),
    fc.dictionary(name, tie('value')),
  ),
}));

describe('rows as DynamoDB has them', () => {
  it('each type has its own member, and numbers are text', () => {
    expect(attributesOf({ s: '', n: 1.5, b: false, z: null, l: ['a', 2], m: { inner: [true] } })).toEqual({
      s: { S: '' },
      n: { N: '1.5' },
      b: { BOOL: false },
      z: { NULL: true },
      l: { L: [{ S: 'a' }, { N: '2' }] },
      m: { M: { inner: { L: [{ BOOL: true }] } } },
    });
  });

  it('leaves out what is undefined', () => {
    expect(attributesOf({ a: undefined, b: [undefined, 1], c: { d: undefined } })).toEqual({
      b: { L: [{ N: '1' }] },
      c: { M: {} },
    });
  });

  it('a row comes back as it was stored, through JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value), (row) => {
        // DynamoDB has no negative zero, nor has JSON.
        const plain = JSON.parse(JSON.stringify(row)) as Row;
        expect(rowOf(JSON.parse(JSON.stringify(attributesOf(row))))).toEqual(plain);
      }),
    );
  });

  it.each([
    ['not a number', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a symbol', Symbol('a')],
  ])('refuses a value that is %s', (_what, bad) => {
    expect(() => attributesOf({ row: { deep: [bad] } })).toThrow(/cannot be stored/);
  });

  it('refuses a type that no row of the service has', () => {
    expect(() => rowOf({ a: { SS: ['x'] } as never })).toThrow('type SS');
  });
});
