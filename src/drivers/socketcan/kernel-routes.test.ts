import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { KernelRoutes, rulesOf } from './kernel-routes.ts';
import type { LinkGateway, WantedRule } from './link-gateway.ts';

const end = (index: number | undefined, hasFd = true) => ({ index, hasFd });
const target = { sn: 'vcan1', port: 0 };
const job = { id: 0x1f0, mask: 0x700, extended: false, target, targetId: 0x600 };

describe('the rules of a route', () => {
  it('are one for each kind of frame, with the flags of the kind', () => {
    expect(rulesOf(job, end(4), end(5))).toEqual([
      { source: 4, target: 5, fd: false, filter: { id: 0x100, mask: 0xc0000700 }, setId: 0x600 },
      {
        source: 4,
        target: 5,
        fd: false,
        filter: { id: 0x40000100, mask: 0xc0000700 },
        setId: 0x40000600,
      },
      { source: 4, target: 5, fd: true, filter: { id: 0x100, mask: 0xc0000700 }, setId: 0x600 },
    ]);
  });

  it('keep the identifier where it is not to change', () => {
    const wide = { ...job, id: 0x18ff0000, mask: 0x1fff0000, extended: true, targetId: undefined };
    expect(rulesOf(wide, end(4, false), end(5))).toMatchObject([
      { filter: { id: 0x98ff0000, mask: 0xdfff0000 }, setId: undefined },
      { filter: { id: 0xd8ff0000, mask: 0xdfff0000 }, setId: undefined },
    ]);
  });

  it('are none while an interface is gone', () => {
    expect(rulesOf(job, end(undefined), end(5))).toEqual([]);
    expect(rulesOf(job, end(4), end(undefined))).toEqual([]);
  });
});

/** A kernel that delays every request. */
class SlowGateway {
  readonly rules = new Map<number, WantedRule>();
  refusal: Error | undefined;
  added = 0;

  async add(rule: WantedRule): Promise<number> {
    await soon();
    if (this.refusal) throw this.refusal;
    this.added += 1;
    this.rules.set(this.added, rule);
    return this.added;
  }

  async remove(number: number): Promise<void> {
    await soon();
    this.rules.delete(number);
  }

  async counts() {
    return new Map([...this.rules.keys()].map((number) => [number, { handled: 1, dropped: 0 }]));
  }
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const settled = async () => {
  for (let i = 0; i < 20; i++) await soon();
};

describe('routes of the kernel', () => {
  let gateway: SlowGateway;
  let clock: FakeClock;
  let routes: KernelRoutes;
  const one = { index: 4 as number | undefined, hasFd: true };
  const two = { index: 5 as number | undefined, hasFd: true };

  beforeEach(() => {
    gateway = new SlowGateway();
    clock = new FakeClock();
    routes = new KernelRoutes(gateway as unknown as LinkGateway, clock);
    one.index = 4;
    two.index = 5;
  });

  const places = () => [...gateway.rules.values()].map(({ source, target: to }) => [source, to]);
  const thrice = (place: readonly number[]) => [place, place, place];

  it('are there once after both ends have moved at the same time', async () => {
    const route = await routes.start(job, one, two);
    expect(places()).toEqual(thrice([4, 5]));
    one.index = 6;
    const first = routes.moveTo(one);
    two.index = 7;
    await Promise.all([first, routes.moveTo(two)]);
    expect(places()).toEqual(thrice([6, 7]));
    route.stop();
    await settled();
    expect(places()).toEqual([]);
  });

  it('leave nothing behind that are stopped while they move', async () => {
    const route = await routes.start(job, one, two);
    one.index = 6;
    const move = routes.moveTo(one);
    // The old rules are already removed, and the first new one is being added.
    for (let i = 0; i < 3; i++) await soon();
    route.stop();
    await move;
    await settled();
    expect(places()).toEqual([]);
  });

  it.each([0, 1, 2, 3])(
    'leave nothing behind whose channel is closed while they start, after %i answers',
    async (answers) => {
      const start = routes.start(job, one, two);
      for (let i = 0; i < answers; i++) await soon();
      routes.endAt(one);
      const route = await start;
      await settled();
      expect([places(), clock.pendingTimers]).toEqual([[], 0]);
      route.stop();
    },
  );

  it('that are refused are no routes', async () => {
    gateway.refusal = new RangeError('refused');
    await expect(routes.start(job, one, two)).rejects.toThrow('refused');
    gateway.refusal = undefined;
    await routes.moveTo(one);
    expect([places(), clock.pendingTimers]).toEqual([[], 0]);
  });

  it('say that they are refused on another interface, and are tried there again', async () => {
    const route = await routes.start(job, one, two);
    gateway.refusal = new RangeError('refused');
    one.index = 6;
    await routes.moveTo(one);
    expect([places(), route.lastRefusal]).toEqual([[], 'lost']);
    gateway.refusal = undefined;
    clock.advanceUs(1_000_000);
    await settled();
    expect([places(), route.lastRefusal]).toEqual([thrice([6, 5]), undefined]);
  });

  it('keep what they have counted when an interface takes its rules along', async () => {
    const route = await routes.start(job, one, two);
    const counted = async () => {
      clock.advanceUs(1_000_000);
      await settled();
      return route.sent;
    };
    expect(await counted()).toBe(3);
    gateway.rules.clear();
    expect(await counted()).toBe(3);
    one.index = 6;
    await routes.moveTo(one);
    expect(await counted()).toBe(6);
  });

  it('are set up by the end that comes back last', async () => {
    await routes.start(job, one, two);
    one.index = undefined;
    await routes.moveTo(two);
    expect(places()).toEqual([]);
    one.index = 8;
    await routes.moveTo(one);
    expect(places()).toEqual(thrice([8, 5]));
  });
});
