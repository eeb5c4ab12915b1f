import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { aMessage, aSignal } from '../testing/models.ts';
import { GroupMatch } from './group-match.ts';
import { LivePlan } from './live-plan.ts';
import { LiveBench } from './testing/live-bench.ts';

const speed = { ...aMessage([aSignal({ name: 'Speed' })]), id: 0x18fe_f1fe, extended: true };
const head = (id: number) => ({ name: 'head', id, extended: true, pgn: 0xfef1 });
const group = { pgn: 0xfef1, heads: [head(speed.id), head(0x0cfe_f103)], own: 0 };
const extended = { flags: frameFlag.extended };

const setUp = (source: number | null = null) => {
  const bench = new LiveBench();
  bench.plan(speed, { group: new GroupMatch(group, source) });
  return bench;
};

describe('a plan on a J1939 parameter group', () => {
  it('takes its frames from every address and of every priority', () => {
    const bench = setUp();
    for (const id of [0x18fe_f1fe, 0x18fe_f100, 0x0cfe_f121]) {
      expect(bench.frame([7], { id, ...extended })).toBe(true);
    }
    expect(bench.set.get('p1').frames).toBe(3);
  });

  it('takes no others: of other groups and pages, of 11 bits, remote, or of another message', () => {
    const bench = setUp();
    for (const id of [0x18fe_f200, 0x19fe_f100, 0x18fe_f103]) {
      expect(bench.frame([7], { id, ...extended })).toBe(false);
    }
    expect(bench.frame([7], { id: 0x1f1 })).toBe(false);
    const flags = frameFlag.extended | frameFlag.remote;
    expect(bench.frame([], { id: 0x18fe_f100, flags })).toBe(false);
  });

  it('takes payloads longer than a frame, with the source address', () => {
    const last = aSignal({ name: 'Last', startBit: 144, length: 16 });
    const message = { ...speed, ...{ pgn: 0xfef1, length: 20, signals: [last] } };
    const bench = new LiveBench();
    const source = (id: number | null) => new GroupMatch(group, id);
    bench.plan(message, { group: source(null) });
    bench.plan(message, { planId: 'p2', group: source(0x22) });
    const several = { parts: [{ message }], partOf: () => 0 };
    bench.set.add(new LivePlan({ planId: 'p3', channel: 0, history: 4, several }));
    const payload = [...Array.from({ length: 18 }, () => 0xff), 2, 1];
    expect(bench.long(payload, 0x18fe_f121)).toBe(true);
    const sample = { raw: '258', event_id: 1, source_address: 0x21 };
    expect(bench.set.latest('p1', 'Last')).toMatchObject(sample);
    expect(bench.set.latest('p3', `${message.name}.Last`)).toMatchObject(sample);
    expect(bench.set.get('p2').frames).toBe(0);
  });

  it('offers such payloads to no message that is only an identifier', () => {
    const bench = new LiveBench();
    bench.plan(speed, {});
    const several = { parts: [{ message: speed }], partOf: () => 0 };
    bench.set.add(new LivePlan({ planId: 'p2', channel: 0, history: 4, several }));
    expect(
      bench.long(
        Array.from({ length: 20 }, () => 1),
        speed.id,
      ),
    ).toBe(false);
  });

  it('takes those of one address where that is asked for', () => {
    const bench = setUp(0x21);
    expect(bench.frame([7], { id: 0x0cfe_f121, ...extended })).toBe(true);
    expect(bench.frame([7], { id: 0x0cfe_f100, ...extended })).toBe(false);
  });

  it('takes those of its own addresses where another message of the group comes first', () => {
    const bench = new LiveBench();
    const later = { ...group, own: 1 };
    const message = { ...speed, id: 0x0cfe_f103 };
    bench.plan(message, { group: new GroupMatch(later, null) });
    expect(bench.frame([7], { id: 0x18fe_f103, ...extended })).toBe(true);
    expect(bench.frame([7], { id: 0x18fe_f104, ...extended })).toBe(false);
  });

  it('stands beside plans on identifiers, and leaves nothing behind', () => {
    const bench = setUp();
    bench.plan(speed, { planId: 'p2' });
    expect(bench.frame([7], { id: speed.id, ...extended })).toBe(true);
    expect([bench.set.get('p1').frames, bench.set.get('p2').frames]).toEqual([1, 1]);
    bench.set.remove('p1');
    expect(bench.frame([7], { id: 0x18fe_f100, ...extended })).toBe(false);
    expect(bench.frame([7], { id: speed.id, ...extended })).toBe(true);
    bench.set.remove('p2');
    expect(bench.frame([7], { id: speed.id, ...extended })).toBe(false);
  });
});
