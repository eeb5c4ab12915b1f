import { describe, expect, it } from 'vitest';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import { withKeptArguments } from './kept-arguments.ts';

describe('withKeptArguments', () => {
  it('adds what was given to the details of a failure', () => {
    const error = withKeptArguments(
      ['channel'],
      { channel: 'a/0', id: 1 },
      invalidArgument('id', 'id is bad'),
    );
    expect(error.toRecord()).toMatchObject({
      code: 'invalid_argument',
      message: 'id is bad',
      details: { field: 'id', channel: 'a/0' },
    });
  });

  it('leaves alone what the failure says itself', () => {
    const failure = new BusbarError('channel_not_open', { details: { channel: 'said' } });
    expect(withKeptArguments(['channel'], { channel: 'given' }, failure)).toBe(failure);
  });

  it.each([[undefined], [null], [{}], [{ channel: [7] }], ['text']])(
    'has nothing to add from %j',
    (input) => {
      const failure = new BusbarError('invalid_argument');
      expect(withKeptArguments(['channel'], input, failure)).toBe(failure);
    },
  );

  it('makes a defect a failure like any other', () => {
    const cause = new TypeError('x');
    const error = withKeptArguments(['channel'], { channel: 'a/0' }, cause);
    expect(error).toMatchObject({ code: 'internal_error', cause, details: { channel: 'a/0' } });
  });
});
