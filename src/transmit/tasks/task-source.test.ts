import { describe, expect, it } from 'vitest';
import type { ErrorDetails } from '../../base/errors/busbar-error.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { MessageEncoder } from '../../signal/encode/message-encoder.ts';
import { aMessage, aSignal, when } from '../../signal/testing/models.ts';
import { checkedOwners, refuseOwned } from './task-source.ts';

const encoder = new MessageEncoder(
  aMessage([
    aSignal({ name: 'Page', length: 8, isSwitch: true }),
    aSignal({ name: 'Oil', startBit: 8, length: 8, multiplexing: when('Page', 1) }),
    aSignal({ name: 'Alive', startBit: 16, length: 4 }),
    aSignal({ name: 'Beyond', startBit: 60, length: 8 }),
    aSignal({ name: 'Torque', startBit: 24, length: 32, kind: 'float32' }),
  ]),
);

const refusal = (run: () => unknown): { code: string; details: ErrorDetails } => {
  try {
    run();
  } catch (thrown) {
    const { code, details } = BusbarError.from(thrown);
    return { code, details };
  }
  throw new Error('Not refused');
};

describe('a counter', () => {
  it.each([
    ['Beyond', 'outside_message'],
    ['Oil', 'multiplexed'],
    ['Torque', 'not_integer'],
  ])('cannot be %s', (signal, reason) => {
    expect(refusal(() => checkedOwners(encoder, { signal }, undefined))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'counter.signal', reason },
    });
  });

  it('has the largest value of its bits, unless told', () => {
    expect(checkedOwners(encoder, { signal: 'Alive' }, undefined).counter?.max).toBe(15n);
    expect(checkedOwners(encoder, { signal: 'Alive', max: '14' }, undefined).counter?.max).toBe(
      14n,
    );
  });
});

describe('signals that a task owns', () => {
  const owners = checkedOwners(encoder, { signal: 'Page' }, undefined);

  it.each(['Page', 'Oil'])('cannot be set, nor can those that they select: %s', (name) => {
    expect(refusal(() => refuseOwned(encoder, owners, { [name]: '1' }))).toMatchObject({
      code: 'signal_not_writable',
      details: { field: `signals.${name}`, owner: 'counter' },
    });
  });

  it('leave the others writable', () => {
    expect(() => refuseOwned(encoder, owners, { Alive: '1' })).not.toThrow();
  });
});
