import { describe, expect, it } from 'vitest';
import { ratesBetween, serverKey, sessionKey } from './modbus-state.ts';

const at = (atMs: number, counts: Readonly<Record<string, number>>) => ({
  atMs,
  counts: new Map(Object.entries(counts)),
});

describe('ratesBetween', () => {
  it('tells requests in a second, whatever time has gone by', () => {
    const rates = ratesBetween(at(1000, { a: 10, b: 5 }), at(3000, { a: 30, b: 5 }));
    expect([...rates]).toEqual([
      ['a', 10],
      ['b', 0],
    ]);
  });

  it('knows none at first, of what is new, and of what began anew', () => {
    expect(ratesBetween(null, at(1000, { a: 1 })).size).toBe(0);
    expect(ratesBetween(at(1000, { a: 9 }), at(2000, { a: 1, b: 1 })).size).toBe(0);
    expect(ratesBetween(at(1000, { a: 1 }), at(1000, { a: 1 })).size).toBe(0);
  });

  it('takes a server that was started again for another, and a session for none', () => {
    const server = { address: null, endpoint: 'tcp:127.0.0.1:502', started_at_us: 1 };
    expect(serverKey(server)).not.toBe(serverKey({ ...server, started_at_us: 2 }));
    expect(sessionKey(server.endpoint)).not.toBe(serverKey(server));
  });
});
