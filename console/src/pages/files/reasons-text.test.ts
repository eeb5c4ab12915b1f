import { describe, expect, it } from 'vitest';
import { reasonsText } from './reasons-text.ts';

describe('reasonsText', () => {
  it('names the reasons that happened', () => {
    expect(reasonsText({ bus_off: 4, not_sendable: 0, queue_full: 1 })).toBe(
      'bus off 4, queue full 1',
    );
    expect(reasonsText({ bus_off: 0 })).toBe('');
  });
});
