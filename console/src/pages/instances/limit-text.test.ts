import { describe, expect, it } from 'vitest';
import { countText, memoryText } from './limit-text.ts';

describe('limits of instances', () => {
  it('are those that the service tells, and left out before', () => {
    const memory = { memory_budget_bytes: 28_262, daemon_memory_budget_bytes: 28_262 };
    expect(memoryText(memory, 256 * 1024 ** 2)).toBe(
      '27.6 KiB; all instances: 27.6 KiB of 256 MiB',
    );
    expect(memoryText(memory, null)).toBe('27.6 KiB; all instances: 27.6 KiB');
    expect([countText(1, 16), countText(1, null)]).toEqual(['1 of 16', '1']);
  });
});
