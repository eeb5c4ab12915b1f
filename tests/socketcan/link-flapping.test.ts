import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { RecordingSink } from '../../src/drivers/testing/recording-sink.ts';
import { dumpOf, Peer, program } from './support/can-programs.ts';
import { ip, setUpDriver } from './support/socketcan-rig.ts';

const name = 'vcan9';
const rounds = 40;
const data = new Uint8Array(8);

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;

/**
 * Changes the interface as fast as the kernel can, in one process; impossible steps are
 * skipped.
 */
const inOneGo = async (...lines: readonly string[]): Promise<void> => {
  const child = spawn('ip', ['-force', '-batch', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(Array.from({ length: rounds }, () => `${lines.join('\n')}\n`).join(''));
  await once(child, 'exit');
};

/**
 * A loose plug, or a script that restarts interfaces: bursts of changes during traffic in both
 * directions.
 */
describe('a channel whose interface flaps', () => {
  let rig: Awaited<ReturnType<typeof setUpDriver>>;
  let channel: CanChannel;
  let events: RecordingSink;
  let accepted = 0;
  let descriptors = 0;

  beforeEach(async () => {
    ip(`link add ${name} type vcan`);
    ip(`link set ${name} up`);
    rig = await setUpDriver();
    events = new RecordingSink();
    const opened = await rig.driver.open(name, 0, {}, events);
    if (opened.bus === 'lin') throw new TypeError('A vcan interface is no LIN port');
    channel = opened;
    accepted = 0;
    descriptors = openDescriptors();
  });
  afterEach(async () => {
    await rig.tearDown();
    ip(`link del ${name}`);
  });

  const send = (id: number): void => {
    if (channel.send(id, 0, 8, data, 0, 8) === 'accepted') accepted += 1;
  };

  const isThere = (): boolean =>
    events.presence.at(-1) !== 'lost' && channel.check(0) === 'accepted';

  /** Sends continuously, in parallel to another program, while the interface goes down and up. */
  const sendWhile = async (flap: () => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      // It ends when the interface goes down.
      const others = new Peer('cangen', name, '-g', '0.1', '-i', '-I', '700');
      let isOver = false;
      const flapping = flap().finally(() => {
        isOver = true;
      });
      for (let id = 0; !isOver; id = (id + 1) & 0x3ff) {
        send(id);
        await rig.pass(1_000);
      }
      await flapping;
      await rig.until(isThere);
      await others.stop();
    }
  };

  /** Losses and returns alternate, each frame has one outcome, and everything recovers. */
  const expectWhole = async (): Promise<void> => {
    await rig.until(isThere);
    await rig.until(() => channel.pending === 0);
    expect(events.presence.length).toBeGreaterThan(0);
    expect(events.presence).toEqual(
      events.presence.map((_, index) => (index % 2 === 0 ? 'lost' : 'returned')),
    );
    expect(events.completed.length + events.failedFrames).toBe(accepted);
    const completed = events.completed.length;
    const dump = await dumpOf(name);
    send(0x123);
    await rig.until(() => events.completed.length > completed && dump.output.includes('123#'));
    await program('cansend', name, '456#0102');
    await rig.until(() => events.received.some(({ id }) => id === 0x456));
    await dump.stop();
    await rig.until(() => openDescriptors() <= descriptors);
  };

  it('goes on when it is taken down and up in bursts', async () => {
    await sendWhile(() => inOneGo(`link set ${name} down`, `link set ${name} up`));
    await expectWhole();
  });

  it('goes on when it is removed and made again in bursts', async () => {
    await sendWhile(() => inOneGo(`link del ${name}`, `link add ${name} type vcan`));
    await expectWhole();
  });

  it('goes on when it is changed while it is taken down and up', async () => {
    await sendWhile(async () => {
      const flapping = inOneGo(`link set ${name} down`, `link set ${name} up`);
      for (let change = 0; change < rounds; change++) {
        // It may be missing at that moment, as the change reports.
        const mode = change % 2 === 0 ? 'listen_only' : 'normal';
        await channel.configure({ group: 'mode', mode }).catch(() => undefined);
      }
      await flapping;
      await rig.until(() => events.presence.at(-1) !== 'lost');
      await channel.configure({ group: 'mode', mode: 'normal' });
    });
    await expectWhole();
  });
});
