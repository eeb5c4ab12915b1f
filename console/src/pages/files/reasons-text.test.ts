import { describe, expect, it } from 'vitest';
import { reasonsText } from './reasons-text.ts';

describe('reasonsText', () => {
  it('names the reasons that happened', () => {
    expect(reasonsText({ bus_off: 4, not_sendable: 0, queue_full: 1 })).toBe(
      '4 × bus off, 1 × queue full',
    );
    expect(reasonsText({ bus_off: 0 })).toBe('');
  });
});
