import { describe, expect, it } from 'vitest';
import type { FakeClock } from '../base/clock/testing/fake-clock.ts';
import type { Channel } from '../bench/channel.ts';
import { ReplayService } from './replay/replay-service.ts';
import { MemoryTraces } from './replay/testing/memory-traces.ts';
import { plainReplay } from './replay/testing/replay-rig.ts';
import { Sender } from './sender.ts';
import { oncePace, settle } from './testing/send-rig.ts';
import { TransmitRig, withoutOffload } from './testing/transmit-rig.ts';

const channel = 'SIM00001/0';
const taskId = 0x700;
/** The longest classic frame at 500 kbit/s, including stuff bits and interframe space. */
const frameUs = 270;

const task = { channel, id: taskId, data: '0011223344556677', period_us: 1_000 };

/** Each frame takes the thread this long to send. */
const slowDown = ({ hardware }: Channel, clock: FakeClock, us: number): void => {
  for (const call of ['check', 'send'] as const) {
    const original = Reflect.get(hardware, call) as (...given: unknown[]) => unknown;
    const value = (...given: unknown[]): unknown => {
      clock.spendUs(us);
      return Reflect.apply(original, hardware, given);
    };
    Object.defineProperty(hardware, call, { value });
  }
};

const openBoth = async () => {
  const rig = new TransmitRig();
  const zero = withoutOffload(await rig.open(0, { bus: 'can' }));
  const one = await rig.open(1, { bus: 'can' });
  return { rig, zero, one };
};

/** A replay and a batch send on the channel as fast as they can. */
const flood = async ({ rig, zero, one }: Awaited<ReturnType<typeof openBoth>>) => {
  const found = { channel: zero, text: channel, kind: 'serial', resolved: null } as const;
  const { clock, scheduler } = rig;
  const events = Array.from({ length: 20_000 }, (_, index) => ({ atUs: index, id: 0x100 }));
  const traces = new MemoryTraces({ events });
  const replay = new ReplayService({ clock, scheduler, traces });
  await replay.start({ ...plainReplay, channels: { 1: channel } }, async () => found);
  const sender = new Sender({ clock, scheduler });
  const batch = sender.send(found, {
    channel,
    ...oncePace,
    id: 0x200,
    data: '0011223344556677',
    count: 20_000,
  });
  batch.catch(() => undefined);
  const pass = async (us: number): Promise<void> => {
    for (let left = us; left > 0; left -= 1_000) {
      clock.advanceUs(1_000);
      await settle();
    }
  };
  const received = (id: number) => rig.received(one).filter((frame) => frame.id === id);
  return { rig, pass, heard: received };
};

describe('a channel that a replay and a batch keep busy', () => {
  it('sends every frame of a task in time, and gives both of them half of the rest', async () => {
    const { rig, pass, heard: received } = await flood(await openBoth());
    await pass(200_000);
    const { task_id } = await rig.addTask(task);
    const startUs = rig.clock.monotonicUs() - rig.startUs;
    const before = [received(0x100).length, received(0x200).length];
    await pass(2_000_000);
    expect(rig.task(task_id)).toMatchObject({ failed: 0, missed: 0, last_error: null });
    const late = received(taskId).map(({ atUs }, index) => atUs - startUs - 1_000 * index);
    expect(late.length).toBeGreaterThanOrEqual(1_999);
    // Its own time on the bus, and at most two others before it.
    expect(Math.max(...late)).toBeLessThanOrEqual(3 * frameUs);
    const [replayed = 0, sent = 0] = [received(0x100).length, received(0x200).length].map(
      (count, index) => count - (before[index] ?? 0),
    );
    expect(Math.abs(replayed - sent)).toBeLessThan(0.02 * sent);
    expect(replayed).toBeGreaterThan(2_000);
  });

  it('serves deadlines first while both fill its queue on a slow machine', async () => {
    const bench = await openBoth();
    const { rig, zero } = bench;
    const { task_id } = await rig.addTask(task);
    // A turn of either sender takes four periods.
    slowDown(zero, rig.clock, 60);
    const { pass } = await flood(bench);
    await pass(200_000);
    expect(zero.outbox.waiting).toBeGreaterThan(1_000);
    const { sent, failed, missed, lateness_us } = rig.task(task_id);
    expect({ failed, missed }).toEqual({ failed: 0, missed: 0 });
    expect(sent).toBeGreaterThanOrEqual(200);
    expect(lateness_us?.max).toBeLessThan(1_000);
  });
});
