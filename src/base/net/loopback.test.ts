import { describe, expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])('holds for %s', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each(['0.0.0.0', '10.0.0.1', '128.0.0.1', '::', 'fe80::1', '::ffff:10.0.0.1'])(
    'does not hold for %s',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );
});
