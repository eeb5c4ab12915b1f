import { describe, expect, it } from 'vitest';
import { VirtualRig } from './testing/virtual-rig.ts';

const oneByte = Uint8Array.of(7);

/**
 * A slave that receives everything before the master, and a device that is lost together with its
 * input.
 */
const setUp = async () => {
  const rig = new VirtualRig();
  const slave = await rig.openLin(5);
  const master = await rig.openLin(4, { lin: { role: 'master' } });
  const loseOnce = () => {
    slave.events.onEvent = () => {
      slave.events.onEvent = undefined;
      rig.driver.faults.loseDevice();
    };
  };
  return { rig, slave, master, loseOnce };
};

describe('a LIN master whose device is lost while its frame is being reported', () => {
  it('fails the frame, and numbers those after it rightly', async () => {
    const { rig, master, loseOnce } = await setUp();
    const write = () => master.channel.masterWrite(0x10, 0, oneByte, 0, 1);
    loseOnce();
    expect(write()).toBe('accepted');
    rig.advanceUs(50_000);
    expect([master.events.failedFrames, master.events.lastFailed]).toEqual([1, 1]);
    rig.driver.faults.returnDevice();
    expect(write()).toBe('accepted');
    rig.advanceUs(50_000);
    expect(master.events.completed.map(({ txNumber }) => txNumber)).toEqual([2]);
  });

  it('ends its reads in their order', async () => {
    const { rig, slave, master, loseOnce } = await setUp();
    const ended: string[] = [];
    slave.channel.setResponse(0x21, 0, oneByte, 0, 1);
    for (const name of ['first', 'second']) {
      master.channel.masterRead(0x21, 0, 1, (outcome) => ended.push(`${name} ${outcome}`));
    }
    loseOnce();
    rig.advanceUs(50_000);
    expect(ended).toEqual(['first aborted', 'second aborted']);
  });
});
