import { describe, expect, it } from 'vitest';
import { aMessage, aSignal } from '../../signal/testing/models.ts';
import { SignalPatterns } from './signal-patterns.ts';

const message = {
  ...aMessage([aSignal({ name: 'Speed' }), aSignal({ name: 'Gear' })]),
  name: 'Engine',
};

describe('patterns of signals', () => {
  it.each([
    ['Engine.Speed', true],
    ['*.Speed', true],
    ['Engine.*', true],
    ['En*ne.S*d', true],
    ['*.*', true],
    ['Engine.Gear', false],
    ['*.Speeds', false],
    ['En*En*.Speed', false],
  ])('%s', (pattern, expected) => {
    expect(new SignalPatterns([pattern]).takes('Engine', 'Speed')).toBe(expected);
  });

  it.each([
    ['Motor.*', 'message_not_found', null],
    ['Engin.Speed', 'message_not_found', 'Engine'],
    ['Engine.Sped', 'signal_not_found', 'Engine.Speed'],
  ])('refuses %s, with the nearest name', (pattern, code, nearest) => {
    expect(() => new SignalPatterns([pattern]).check([message])).toThrow(
      expect.objectContaining({
        code,
        details: expect.objectContaining({ field: 'signals', nearest }),
      }),
    );
  });
});
