import { describe, expect, it } from 'vitest';
import { messageRange } from './message-range.ts';

const nothing = { message: undefined, offset: undefined, limit: undefined, signalOffset: 0 };

describe('messageRange', () => {
  it('is the first page of the usual length unless told otherwise', () => {
    expect(messageRange(nothing, 100)).toEqual({ offset: 0, limit: 100, signalOffset: 0 });
    const given = { ...nothing, offset: 7, limit: 3, signalOffset: 2 };
    expect(messageRange(given, 100)).toEqual({ offset: 7, limit: 3, signalOffset: 2 });
  });

  it('takes one message alone, from any of its signals on', () => {
    const one = { ...nothing, message: 'Engine', signalOffset: 5 };
    expect(messageRange(one, 100)).toMatchObject({ message: 'Engine', signalOffset: 5 });
  });

  it.each(['offset', 'limit'])('refuses %s beside one message', (field) => {
    expect(() => messageRange({ ...nothing, message: 'Engine', [field]: 1 }, 100)).toThrow(
      expect.objectContaining({ details: { field, reason: 'conflicts_with_message' } }),
    );
  });
});
