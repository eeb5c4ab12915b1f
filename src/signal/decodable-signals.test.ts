import { describe, expect, it } from 'vitest';
import { decodableSignals } from './decodable-signals.ts';
import { aMessage, aSignal, when } from './testing/models.ts';

const message = aMessage([
  aSignal({ name: 'Good' }),
  aSignal({ name: 'Huge', length: 1000 }),
  aSignal({ name: 'Steep', factor: '1E+5000' }),
  aSignal({ name: 'Limited', minimum: '0', maximum: '1E+5000' }),
  aSignal({ name: 'Float', kind: 'float32', length: 16 }),
  aSignal({ name: 'BelowHuge', multiplexing: when('Huge', 1) }),
  aSignal({ name: 'BelowNothing', multiplexing: when('Absent', 1) }),
  aSignal({ name: 'Circle', multiplexing: when('Circle', 1) }),
  aSignal({ name: 'BelowGood', multiplexing: when('Good', 1) }),
]);

describe('the signals of a message that can be decoded', () => {
  it('are told apart from those that cannot, each with why', () => {
    const { names, omitted } = decodableSignals(
      message,
      message.signals.map(({ name }) => name),
    );
    expect(names).toEqual(['Good', 'BelowGood']);
    expect(omitted.map(({ signal, reason }) => [signal, reason])).toEqual([
      ['Huge', 'Huge must have 1 to 512 bits'],
      ['Steep', expect.stringContaining('Steep.factor must be a decimal number')],
      ['Limited', expect.stringContaining('Limited.maximum must be a decimal number')],
      ['Float', 'Float is float32 and must have 32 bits'],
      ['BelowHuge', expect.stringContaining('Huge must have 1 to 512 bits')],
      ['BelowNothing', expect.stringContaining('Absent')],
      ['Circle', expect.stringContaining('depends on itself')],
    ]);
  });

  it('are only asked for where they are wanted', () => {
    expect(decodableSignals(message, ['BelowGood'])).toEqual({
      names: ['BelowGood'],
      omitted: [],
    });
  });
});
