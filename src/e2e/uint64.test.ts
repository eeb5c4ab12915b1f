import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Uint64 } from './uint64.ts';

const wraps = 2n ** 64n;
const edges = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n, wraps - 1n];
const anyValue = fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, wraps - 1n));

const changed = (value: bigint, change: (made: Uint64) => void): bigint => {
  const made = Uint64.of(value);
  change(made);
  return made.toBigInt();
};

describe('Uint64', () => {
  it('computes as integers of 64 bits do', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        const operand = Uint64.of(other);
        expect(changed(one, (made) => made.add(operand))).toBe((one + other) % wraps);
        expect(changed(one, (made) => made.subtract(operand))).toBe((one - other + wraps) % wraps);
        expect(changed(one, (made) => made.xor(operand))).toBe(one ^ other);
        expect(changed(one, (made) => made.increment())).toBe((one + 1n) % wraps);
        expect(changed(one, (made) => made.copy(operand))).toBe(other);
        expect(Uint64.of(one).isBelow(operand)).toBe(one < other);
        expect(Uint64.of(one).equals(operand)).toBe(one === other);
      }),
    );
  });

  it.each([0, 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER])('holds the number %d', (value) => {
    expect(Uint64.of(value).toNumber()).toBe(value);
    expect(Uint64.of(value).toBigInt()).toBe(BigInt(value));
  });

  it('takes the lowest 64 bits of what is larger or negative', () => {
    expect(Uint64.of(-1).toBigInt()).toBe(wraps - 1n);
    expect(Uint64.of(-1n).toBigInt()).toBe(wraps - 1n);
    expect(Uint64.of(wraps + 5n).toBigInt()).toBe(5n);
    expect(Uint64.of(2 ** 60).toBigInt()).toBe(2n ** 60n);
  });

  it('keeps small integers in its halves, whatever it is made of', () => {
    const { high, low } = Uint64.of(wraps - 1n);
    expect([high, low]).toEqual([-1, -1]);
  });
});
