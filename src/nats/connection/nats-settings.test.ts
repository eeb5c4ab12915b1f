import { describe, expect, it } from 'vitest';
import { parseServer } from './nats-settings.ts';

describe('the address of a NATS server', () => {
  it('has a scheme, a host and a port, by default 4222', () => {
    expect(parseServer('nats://lab')).toBe('nats://lab:4222');
    expect(parseServer('tls://nats.example.com:4333/')).toBe('tls://nats.example.com:4333');
    expect(parseServer('nats://[::1]:5222')).toBe('nats://[::1]:5222');
  });

  it.each([
    'lab:4222',
    'http://lab:4222',
    'nats://',
    'nats://lab:99999',
    'nats://user:pass@lab',
    'nats://token@lab',
    'nats://lab/path',
    'nats://lab?x=1',
    '',
  ])('is refused: %j', (text) => {
    expect(() => parseServer(text)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field: 'server' }),
      }),
    );
  });
});
