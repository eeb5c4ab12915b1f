import { describe, expect, it } from 'vitest';
import { sendHex, VirtualRig } from './testing/virtual-rig.ts';

const openPair = async () => {
  const rig = new VirtualRig();
  return { rig, one: await rig.openCan(0), two: await rig.openCan(1) };
};

describe('a report that makes its receiver act', () => {
  it('may send from inside, on the same port and on its peer', async () => {
    const { rig, one, two } = await openPair();
    let left = 10;
    one.events.onEvent = ({ kind }) => {
      if (kind === 'tx_complete' && left-- > 0) sendHex(one.channel, 0x100);
    };
    two.events.onEvent = ({ id }) => {
      if (id === 0x100) sendHex(two.channel, 0x200);
    };
    sendHex(one.channel, 0x100);
    rig.advanceUs(20_000);
    expect(one.events.completed).toHaveLength(11);
    expect(two.events.completed).toHaveLength(11);
    expect(one.channel.stats()).toMatchObject({ txPending: 0, rxFrames: 11 });
  });

  it('may send the next frame without a pause on the bus, however late the report comes', async () => {
    const { rig, one } = await openPair();
    let left = 50;
    one.events.onEvent = ({ kind }) => {
      if (kind === 'tx_complete' && left-- > 0) sendHex(one.channel, 0x123);
    };
    sendHex(one.channel, 0x123);
    rig.advanceUs(20_000);
    // 48 bits of 2 µs each, interframe space included.
    const ends = one.events.completed.map((event) => rig.sinceStart(event));
    expect(ends).toEqual(Array.from({ length: 51 }, (_, i) => (48 * (i + 1) - 3) * 2));
  });

  it('may fill the queue that the frame just left', async () => {
    const { rig, one, two } = await openPair();
    const fill = () => {
      let id = 0;
      while (sendHex(one.channel, ++id % 0x700, 'FF') === 'accepted');
      return id - 1;
    };
    expect(fill()).toBe(1024);
    one.events.onEvent = () => {
      one.events.onEvent = undefined;
      expect(fill()).toBe(1);
    };
    rig.advanceUs(500_000);
    expect(two.events.received).toHaveLength(1025);
    expect(two.events.received.every(({ data }) => data === 'FF')).toBe(true);
  });

  it('may close the sender: its frame is sent, the rest has failed, and then it is quiet', async () => {
    const { rig, one, two } = await openPair();
    one.events.onEvent = () => void one.channel.close();
    for (let i = 0; i < 3; i++) sendHex(one.channel, 0x100, 'AA');
    rig.advanceUs(5_000);
    expect(one.events.all).toHaveLength(1);
    expect(one.events.failedFrames).toBe(2);
    expect(two.events.received).toMatchObject([{ id: 0x100, data: 'AA' }]);
    expect(sendHex(one.channel, 1)).toBe('lost');
  });

  it('may close the receiver', async () => {
    const { rig, one, two } = await openPair();
    two.events.onEvent = () => void two.channel.close();
    for (let i = 0; i < 3; i++) sendHex(one.channel, 0x100);
    rig.advanceUs(10_000);
    expect(two.events.all).toHaveLength(1);
    expect(one.events.completed).toHaveLength(1);
    expect(one.channel.stats()).toMatchObject({ busState: 'error_passive', txPending: 2 });
  });

  it('may close a port with the error that takes it off the bus', async () => {
    const { rig, one } = await openPair();
    rig.driver.faults.bitErrors(0, 32);
    one.events.onEvent = ({ hardwareSequence }) => {
      if (hardwareSequence === 31) void one.channel.close();
    };
    sendHex(one.channel, 0x100);
    rig.advanceUs(20_000);
    expect(one.events.all).toHaveLength(32);
    expect(one.events.states).toEqual(['error_warning', 'error_passive']);
    expect(one.events.failedFrames).toBe(1);
  });

  it('may change the mode of the sender', async () => {
    const { rig, one, two } = await openPair();
    one.events.onEvent = () => {
      one.events.onEvent = undefined;
      void one.channel.configure({ group: 'mode', mode: 'listen_only' });
    };
    for (let i = 0; i < 3; i++) sendHex(one.channel, 0x100);
    rig.advanceUs(5_000);
    expect(one.events.completed).toHaveLength(1);
    expect(one.events.failedFrames).toBe(2);
    expect(two.events.received).toHaveLength(1);
  });

  it('may read again from inside the outcome of a LIN read, and close from there', async () => {
    const rig = new VirtualRig();
    const { channel, events } = await rig.openLin(4);
    const outcomes: string[] = [];
    const read = (): void => {
      const result = channel.masterRead(0x10, 0, 1, (outcome) => {
        outcomes.push(outcome);
        if (outcomes.length < 3) read();
        else void channel.close();
      });
      expect(result).toBe('accepted');
    };
    read();
    rig.advanceUs(100_000);
    expect(outcomes).toEqual(['no_response', 'no_response', 'no_response']);
    expect(events.all).toHaveLength(3);
  });

  it('ends what is queued even if the sink that hears of it queues more', async () => {
    const rig = new VirtualRig();
    const { channel } = await rig.openLin(4);
    const outcomes: string[] = [];
    const read = (): void => {
      channel.masterRead(0x10, 0, 1, (outcome) => {
        outcomes.push(outcome);
        read();
      });
    };
    read();
    await channel.configure({ group: 'bitrate', bitrate: 9600 });
    expect(outcomes).toEqual(['aborted']);
    expect(channel.stats().txPending).toBe(1);
    await channel.close();
    expect(outcomes).toEqual(['aborted', 'aborted']);
  });
});
