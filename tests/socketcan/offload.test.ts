import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CanChannel } from '../../src/drivers/driver-channel.ts';
import { RecordingSink } from '../../src/drivers/testing/recording-sink.ts';
import { frameFlag } from '../../src/frame/frm2-layout.ts';
import { eventually } from '../support/workbench.ts';
import { program } from './support/can-programs.ts';
import { setUpDriver } from './support/socketcan-rig.ts';

const { extended, fd, remote } = frameFlag;
const job = { id: 0x321, flags: 0, dlc: 2, data: Uint8Array.of(0xca, 0xfe), periodUs: 20_000 };
const route = { id: 0x100, mask: 0x700, extended: false, targetId: 0x600 };

/** The jobs of the broadcast manager, as the kernel lists them. */
const kernelJobs = (): string[] =>
  readdirSync('/proc/net/can-bcm').flatMap((file) =>
    readFileSync(`/proc/net/can-bcm/${file}`, 'utf8')
      .split('\n')
      .filter((line) => line.includes('tx_op')),
  );

/** The rules of the gateway, as listed by cangw, whose exit code is always an error. */
const kernelRules = async (): Promise<string[]> => {
  const text = await program('sh', '-c', 'cangw -L; true');
  return text.split('\n').filter((line) => line.includes('cangw -A'));
};

describe('what the kernel does for a channel', () => {
  let rig: Awaited<ReturnType<typeof setUpDriver>>;
  let one: CanChannel;
  let two: CanChannel;
  let received: RecordingSink;
  let passed: RecordingSink;

  const open = async (name: string, sink: RecordingSink): Promise<CanChannel> => {
    const channel = await rig.driver.open(name, 0, {}, sink);
    if (channel.bus === 'lin') throw new TypeError(`${name} is no LIN port`);
    return channel;
  };

  beforeEach(async () => {
    rig = await setUpDriver();
    received = new RecordingSink();
    passed = new RecordingSink();
    one = await open('vcan0', received);
    two = await open('vcan1', passed);
  });
  afterEach(() => rig.tearDown());

  it('is to send a frame again and again, which its own list shows', async () => {
    const running = one.offload?.startCyclic({ ...job, count: 0 });
    await rig.until(() => received.received.length >= 3);
    expect(kernelJobs()).toMatchObject([expect.stringMatching(/321\s+vcan0.*20000/)]);
    // Nothing proves that they are ours: they came from this machine, like those of other
    // programs.
    expect(received.received[0]).toMatchObject({ id: 0x321, data: 'CAFE', txNumber: 0 });
    expect(running?.sent).toBeGreaterThanOrEqual(3);
    expect(running?.failed).toBe(null);
    running?.stop();
    expect(kernelJobs()).toEqual([]);
  });

  it('ends after its count, and says so', async () => {
    const running = one.offload?.startCyclic({ ...job, count: 4 });
    await rig.until(() => running?.isFinished === true && received.received.length >= 4);
    await rig.pass(100_000);
    expect([running?.sent, received.received.length]).toEqual([4, 4]);
    expect(kernelJobs()).toEqual([]);
  });

  it('stops while the channel only listens, and for good when it is closed', async () => {
    const running = one.offload?.startCyclic({ ...job, count: 0 });
    await rig.until(() => received.received.length >= 2);
    await one.configure({ group: 'mode', mode: 'listen_only' });
    expect(kernelJobs()).toEqual([]);
    const sent = running?.sent ?? 0;
    await one.configure({ group: 'mode', mode: 'normal' });
    await rig.until(() => (running?.sent ?? 0) > sent);
    await one.close();
    expect(kernelJobs()).toEqual([]);
  });

  it('is to pass frames on, under rules that it lists and that end with the route', async () => {
    const running = await one.offload?.requestRoute?.({ ...route, target: two });
    expect(await kernelRules()).toHaveLength(3);
    for (const text of ['123#0102', '100##1AABB', '1FF#R4', '200#01', '00000123#01']) {
      await program('cansend', 'vcan0', text);
    }
    await rig.until(() => passed.received.length >= 3);
    await rig.pass(100_000);
    expect(passed.received).toMatchObject([
      { id: 0x600, flags: 0, data: '0102' },
      { id: 0x600, flags: fd | frameFlag.brs, data: 'AABB' },
      { id: 0x600, flags: remote, dlc: 4 },
    ]);
    await rig.until(() => running?.sent === 3);
    expect(running).toMatchObject({ matched: 3, sent: 3, failed: 0 });
    running?.stop();
    await eventually(async () => (await kernelRules()).length === 0);
  });

  it('keeps identifiers of 29 bits that are not to change', async () => {
    const wide = { id: 0x18ff0000, mask: 0x1fff0000, extended: true, targetId: undefined };
    await one.offload?.requestRoute?.({ ...wide, target: two });
    await program('cansend', 'vcan0', '18FF1234#07');
    await program('cansend', 'vcan0', '18FE1234#07');
    await rig.until(() => passed.received.length >= 1);
    expect(passed.received).toMatchObject([{ id: 0x18ff1234, flags: extended }]);
    await two.close();
    await eventually(async () => (await kernelRules()).length === 0);
  });
});
