import { describe, expect, it } from 'vitest';
import { aMessage, aSignal } from '../../signal/testing/models.ts';
import { checkChosenPatterns, parseChosenPatterns } from './chosen-patterns.ts';

const message = {
  ...aMessage([aSignal({ name: 'Speed' }), aSignal({ name: 'Gear' })]),
  name: 'Engine',
};
const check = (pattern: string) => checkChosenPatterns(parseChosenPatterns([pattern]), [message]);

describe('patterns of the signals of a table', () => {
  it.each(['Engine.Speed', '*.Speed', 'En*ne.S*d', '*.*'])('%s', (pattern) => {
    expect(() => check(pattern)).not.toThrow();
  });

  it.each([
    ['Motor.*', 'message_not_found', null],
    ['Engin.Speed', 'message_not_found', 'Engine'],
    ['Engine.Sped', 'signal_not_found', 'Engine.Speed'],
  ])('refuses %s, with the nearest name', (pattern, code, nearest) => {
    const details = expect.objectContaining({ field: 'signals', nearest });
    expect(() => check(pattern)).toThrow(expect.objectContaining({ code, details }));
  });

  it.each(['Speed', '.Speed', 'Engine.', '.'])('refuses %s, which lacks a name', (pattern) => {
    const details = expect.objectContaining({ reason: 'invalid_pattern', pattern });
    expect(() => check(pattern)).toThrow(expect.objectContaining({ details }));
  });
});
