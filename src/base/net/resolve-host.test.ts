import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock/testing/fake-clock.ts';
import { addressesOf } from './resolve-host.ts';

describe('addressesOf', () => {
  it('gives IPv4 first, and IPv6 as the system spells it', async () => {
    const clock = new FakeClock();
    const found = await addressesOf('both', clock, async () => [
      { address: '2001:0DB8::0001', family: 6 },
      { address: '192.0.2.1', family: 4 },
    ]);
    expect(found).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('knows no address of a name that the resolver refuses', async () => {
    const refused = addressesOf('nowhere', new FakeClock(), async () => {
      throw new Error('ENOTFOUND');
    });
    expect(await refused).toEqual([]);
  });

  it('gives a resolver that does not answer five seconds', async () => {
    const clock = new FakeClock();
    let isOver = false;
    const asked = addressesOf('slow', clock, () => new Promise(() => undefined));
    void asked.then(() => {
      isOver = true;
    });
    clock.advanceUs(4_999_000);
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.advanceUs(1000);
    expect(await asked).toEqual([]);
  });
});
