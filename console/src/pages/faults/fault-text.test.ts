import { describe, expect, it } from 'vitest';
import type { GatewayFault } from '../../api/client.ts';
import { effectText, triggerText } from './fault-text.ts';

const rule = (part: Partial<GatewayFault>): GatewayFault => ({
  id: 'r',
  task: 't',
  enabled: false,
  kind: 'drop',
  start: 1,
  every: 1,
  count: 0,
  fired: 0,
  ...part,
});

describe('a fault rule in words', () => {
  it.each([
    [{}, 'every frame'],
    [{ start: 10, every: 2, count: 5 }, 'every 2nd frame, from the 10th on, 5 times at most'],
    [{ start: 11, every: 3, count: 1 }, 'every 3rd frame, from the 11th on, once'],
    [{ start: 21, every: 12 }, 'every 12th frame, from the 21st on'],
  ])('says when it fires', (part, text) => {
    expect(triggerText(rule(part))).toBe(text);
  });

  it('says what it does', () => {
    expect(effectText(rule({ kind: 'xor_byte', byte_offset: 3, mask: 15 }))).toBe(
      'Flips bits 0x0F of byte 3',
    );
    expect(effectText(rule({ kind: 'counter_jump', value: '2' }))).toBe('Moves the counter by 2');
  });
});
