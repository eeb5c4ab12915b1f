import { describe, expect, it } from 'vitest';
import { messageRange } from './message-range.ts';

const usual = { offset: 0, limit: 100, signal_offset: 0 };
const nothing: ReadonlySet<string> = new Set();

describe('messageRange', () => {
  it('is the page that is asked for', () => {
    const request = { offset: 7, limit: 3, signal_offset: 2 };
    const range = { offset: 7, limit: 3, signalOffset: 2 };
    expect(messageRange(request, new Set(Object.keys(request)))).toEqual(range);
    expect(messageRange(request, nothing)).toEqual(range);
  });

  it('takes one message alone, from any of its signals on', () => {
    const one = { ...usual, message: 'Engine', signal_offset: 5 };
    expect(messageRange(one, new Set(['message', 'signal_offset']))).toEqual({
      offset: 0,
      limit: 100,
      message: 'Engine',
      signalOffset: 5,
    });
  });

  it.each(['offset', 'limit'])('refuses %s beside one message', (field) => {
    const both = new Set(['message', field]);
    expect(() => messageRange({ ...usual, message: 'Engine' }, both)).toThrow(
      expect.objectContaining({ details: { field, reason: 'conflicts_with_message' } }),
    );
  });
});
