import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('A duration', () => {
  it.each([
    ['0s', 0],
    ['1us', 1e3],
    ['0.000001s', 1e3],
    ['12.5s', 12.5e9],
    ['2min', 120e9],
    ['24h', 86_400e9],
  ])('is a number and a unit: %s', (text, ns) => {
    expect(parseDuration(text)).toBe(ns);
  });

  it.each(['', '5', 's', '-1s', '1 s', '1e3ms', '1.s', '1ns', '1S', '1234567890123s'])(
    'is nothing else: %s',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});
