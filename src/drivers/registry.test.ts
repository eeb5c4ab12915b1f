import { describe, expect, it } from 'vitest';
import { FakeClock } from '../base/clock/testing/fake-clock.ts';
import { Scheduler } from '../base/schedule/scheduler.ts';
import { FakeAlarm } from '../base/schedule/testing/fake-alarm.ts';
import { Broker } from '../broker/broker.ts';
import type { CreateDriver, Driver, DriverContext } from './driver.ts';
import { DriverRegistry } from './registry.ts';

const clock = new FakeClock();
const context: DriverContext = {
  clock,
  scheduler: new Scheduler({ clock, alarm: new FakeAlarm(clock), onError: () => undefined }),
  addresses: [],
  broker: new Broker(),
};

const fakeDriver = (kind: string, log: string[] = []): CreateDriver => {
  return ({ addresses }) => {
    log.push(`created ${kind} ${addresses}`);
    const driver: Driver = {
      kind,
      devices: async () => [],
      open: () => Promise.reject(new RangeError('nothing here')),
      close: async () => void log.push(`closed ${kind}`),
    };
    return driver;
  };
};

describe('DriverRegistry', () => {
  it('has the virtual driver built in', async () => {
    const registry = new DriverRegistry(() => context);
    expect(registry.kinds).toContain('virtual');
    const driver = await registry.get('virtual');
    expect(driver.kind).toBe('virtual');
    await registry.close();
  });

  it('makes a driver when it is first asked for, once, with its own context', async () => {
    const log: string[] = [];
    const registry = new DriverRegistry((kind) => ({ ...context, addresses: [`for-${kind}`] }), {
      a: fakeDriver('a', log),
      b: fakeDriver('b', log),
    });
    expect(log).toEqual([]);
    const [first, second] = await Promise.all([registry.get('a'), registry.get('a')]);
    expect(first).toBe(second);
    expect(log).toEqual(['created a for-a']);
  });

  it('closes what it made, and no more', async () => {
    const log: string[] = [];
    const registry = new DriverRegistry(() => context, {
      a: fakeDriver('a', log),
      b: fakeDriver('b', log),
    });
    await registry.get('b');
    await registry.close();
    await registry.close();
    expect(log).toEqual(['created b ', 'closed b']);
  });

  it('tries again after a driver could not be made', async () => {
    let attempts = 0;
    const registry = new DriverRegistry(() => context, {
      a: (given) => {
        attempts += 1;
        if (attempts === 1) throw new RangeError('not now');
        return fakeDriver('a')(given);
      },
    });
    await expect(registry.get('a')).rejects.toThrow('not now');
    await expect(registry.get('a')).resolves.toMatchObject({ kind: 'a' });
  });

  it.each(['nope', 'toString', ''])('does not know a driver %j', async (kind) => {
    const registry = new DriverRegistry(() => context, { a: fakeDriver('a') });
    await expect(registry.get(kind)).rejects.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'driver', allowed: ['a'] },
    });
  });
});
