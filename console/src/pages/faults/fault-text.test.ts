import { describe, expect, it } from 'vitest';
import type { GatewayFault } from '../../api/schema.ts';
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
    [{}, 'from the first frame on, every one, without end'],
    [{ start: 10, every: 2, count: 5 }, 'from the 10th frame on, every 2nd, 5 times at most'],
    [{ start: 11, every: 3, count: 1 }, 'from the 11th frame on, every 3rd, once at most'],
    [{ start: 21, every: 12 }, 'from the 21st frame on, every 12th, without end'],
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
