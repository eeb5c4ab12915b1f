import { describe, expect, it } from 'vitest';
import type { Channel } from '../channel.ts';
import { canOf, TableRig } from '../testing/table-rig.ts';
import type { Lane, LaneOptions, LaneOwner } from './lane.ts';

const nothing = new Uint8Array(0);
/** At 500 kbit/s an empty frame with a small identifier takes about a tenth of a millisecond. */
const frameUs = 110;

const send = (lane: Lane, id: number, deadlineUs?: number) =>
  lane.send(id, 0, 0, nothing, 0, 0, deadlineUs);

/** A lane whose owner records its reports. */
const laneOf = (channel: Channel, options?: LaneOptions, more: LaneOwner = {}) => {
  const reported: string[] = [];
  const times: number[] = [];
  const eventIds: number[] = [];
  const lane = channel.outbox.open(
    {
      ...more,
      settled: (outcome, atUs, eventId) => {
        reported.push(outcome);
        times.push(atUs);
        eventIds.push(eventId);
        more.settled?.(outcome, atUs, eventId);
      },
    },
    options,
  );
  return { lane, told: reported, times, eventIds };
};

/** An owner that sends as fast as it can. */
const flood = (channel: Channel, id: number) => {
  let sent = 0;
  const owner = {
    room: () => fill(),
    settled: () => {
      sent += 1;
    },
  };
  const lane = channel.outbox.open(owner);
  const fill = () => {
    while (send(lane, id) === 'accepted');
  };
  fill();
  return { lane, sent: () => sent };
};

const setUp = async () => {
  const rig = new TableRig();
  const zero = await rig.open(0, { bus: 'can' });
  const one = await rig.open(1, { bus: 'can' });
  const onBus = () =>
    rig
      .records(one.slot)
      .filter(({ kind, status }) => kind === 'rx_frame' && status === 0)
      .map(({ id }) => id);
  return { rig, zero, one, onBus };
};

describe('an outbox', () => {
  it('tells each owner of its own frames, in order, with the time and the event of their completion', async () => {
    const { rig, zero } = await setUp();
    const first = laneOf(zero);
    const second = laneOf(zero);
    for (let round = 0; round < 3; round++) {
      expect([send(first.lane, 1), send(second.lane, 2)]).toEqual(['accepted', 'accepted']);
    }
    rig.clock.advanceUs(10_000);
    expect([first.told, second.told]).toEqual([
      ['sent', 'sent', 'sent'],
      ['sent', 'sent', 'sent'],
    ]);
    const offsetUs = rig.clock.unixOffsetUs;
    const completed = rig
      .records(zero.slot)
      .map(({ id, timestampUs, eventId }) => [id, timestampUs - offsetUs, eventId]);
    expect(completed).toEqual([
      [1, first.times[0], first.eventIds[0]],
      [2, second.times[0], second.eventIds[0]],
      [1, first.times[1], first.eventIds[1]],
      [2, second.times[1], second.eventIds[1]],
      [1, first.times[2], first.eventIds[2]],
      [2, second.times[2], second.eventIds[2]],
    ]);
    expect(first.lane.pending).toBe(0);
  });

  it('tells nobody of what the device sends by itself', async () => {
    const { rig, zero } = await setUp();
    const { lane, told: reported } = laneOf(zero);
    const job = { id: 0x700, flags: 0, dlc: 0, data: nothing, periodUs: 300, count: 0 };
    canOf(zero).offload?.startCyclic(job);
    rig.clock.advanceUs(1_000);
    expect(reported).toEqual([]);
    for (let frame = 0; frame < 3; frame++) send(lane, 1);
    rig.clock.advanceUs(5_000);
    expect(reported).toEqual(['sent', 'sent', 'sent']);
    // When the port goes off the bus, its own queued frames are also dropped, and have no owner.
    send(lane, 2);
    rig.clock.advanceUs(1);
    await rig.table.configure('0', { bitrate: 250_000 }, rig.benchSource);
    expect(reported).toEqual(['sent', 'sent', 'sent', 'failed']);
  });

  it('gives owners turns, however much one of them has waiting', async () => {
    const { rig, zero, onBus } = await setUp();
    flood(zero, 1);
    const { lane, told: reported } = laneOf(zero, {}, { room: () => send(lane, 2) });
    rig.clock.advanceUs(10_000);
    const before = onBus().length;
    // The flood has used all space: the newcomer gets the next free place and the next turn.
    expect(send(lane, 2)).toBe('full');
    rig.clock.advanceUs(6 * frameUs);
    expect(reported).toEqual(['sent']);
    expect(
      onBus()
        .slice(before)
        .filter((id) => id === 2),
    ).toHaveLength(1);
  });

  it('keeps room for a lane that cannot wait for it', async () => {
    const { rig, zero, one } = await setUp();
    await rig.table.close(String(one.slot), rig.benchSource);
    flood(zero, 1);
    const { lane } = laneOf(zero, { reserved: 3, max: 3 });
    const results = Array.from({ length: 4 }, () => send(lane, 2));
    expect(results).toEqual(['accepted', 'accepted', 'accepted', 'full']);
    expect(send(zero.outbox.open({}), 3)).toBe('full');
  });

  it('serves three floods alike', async () => {
    const { rig, zero, onBus } = await setUp();
    for (const id of [1, 2, 3]) flood(zero, id);
    rig.clock.advanceUs(500_000);
    const ids = onBus();
    const late = ids.slice(1_500);
    expect(late.length).toBeGreaterThan(900);
    for (const id of [1, 2, 3]) {
      const share = late.filter((one) => one === id).length / late.length;
      expect(share).toBeCloseTo(1 / 3, 1);
    }
  });

  it('lets an urgent frame wait for no more than what is on the bus', async () => {
    const { rig, zero } = await setUp();
    const floods = [flood(zero, 1), flood(zero, 2)];
    const { lane, told: reported, times } = laneOf(zero, { isUrgent: true });
    const waits: number[] = [];
    for (let period = 0; period < 200; period++) {
      const startUs = rig.clock.monotonicUs();
      expect(send(lane, 0x700)).toBe('accepted');
      rig.clock.advanceUs(1_000);
      waits.push((times.at(-1) as number) - startUs);
    }
    expect(reported).toHaveLength(200);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2 * frameUs);
    for (const { sent } of floods) expect(sent()).toBeGreaterThan(500);
  });

  it('leaves no pause on the bus while anything waits', async () => {
    const { rig, zero, one } = await setUp();
    flood(zero, 1);
    rig.clock.advanceUs(1_000);
    const before = one.stats();
    const startUs = rig.clock.monotonicUs();
    rig.clock.advanceUs(1_000_000);
    const seconds = (rig.clock.monotonicUs() - startUs) / 1e6;
    const frames = one.stats().rx_frames - before.rx_frames;
    expect(frames / seconds).toBeGreaterThan(1e6 / frameUs);
    expect(one.stats().bus_load_percent).toBeGreaterThan(99);
  });

  it('has room for as much as the port, and tells those who want it when there is some', async () => {
    const { rig, zero, one } = await setUp();
    await rig.table.close(String(one.slot), rig.benchSource);
    const { txQueue } = zero.hardware.capabilities;
    let offers = 0;
    const { lane } = laneOf(zero, {}, { room: () => offers++ });
    let accepted = 0;
    while (send(lane, 1) === 'accepted') accepted += 1;
    expect([accepted, zero.stats().tx_pending]).toEqual([txQueue, txQueue]);
    rig.clock.advanceUs(1_000_000);
    expect(offers).toBe(0);
    await rig.open(1, { bus: 'can' });
    rig.clock.advanceUs(frameUs * 3);
    expect(offers).toBe(1);
  });

  it('holds a lane to as many frames as it may have, and goes on at each outcome', async () => {
    const { rig, zero } = await setUp();
    let left = 5;
    const owner = {
      room: () => {
        while (left > 0 && send(lane, 1) === 'accepted') left -= 1;
      },
    };
    const { lane, told: reported } = laneOf(zero, { max: 1 }, owner);
    owner.room();
    expect([left, lane.pending, send(lane, 2)]).toEqual([4, 1, 'full']);
    rig.clock.advanceUs(10_000);
    expect([left, reported]).toEqual([0, Array(5).fill('sent')]);
  });

  it('gives up what is past its deadline when its turn comes', async () => {
    const { rig, zero, onBus } = await setUp();
    const other = laneOf(zero);
    const { lane, told: reported } = laneOf(zero);
    for (let frame = 0; frame < 4; frame++) send(other.lane, 1);
    const nowUs = rig.clock.monotonicUs();
    send(lane, 2, nowUs + frameUs / 2);
    send(lane, 3, nowUs + 20 * frameUs);
    rig.clock.advanceUs(10_000);
    expect(reported).toEqual(['expired', 'sent']);
    expect(onBus()).toEqual([1, 1, 3, 1, 1]);
    expect(zero.stats()).toMatchObject({ tx_failed: 1, tx_pending: 0 });
  });

  it('tells of a deadline that the port could not keep', async () => {
    const { rig, zero, one } = await setUp();
    await rig.table.close(String(one.slot), rig.benchSource);
    const { lane, told: reported } = laneOf(zero);
    send(lane, 1, rig.clock.monotonicUs() + 5_000);
    send(lane, 2);
    rig.clock.advanceUs(20_000);
    expect(reported).toEqual(['expired']);
    await rig.open(1, { bus: 'can' });
    rig.clock.advanceUs(5_000);
    expect(reported).toEqual(['expired', 'sent']);
  });

  it('refuses at once what the port would refuse, also while others wait', async () => {
    const { rig, zero } = await setUp();
    flood(zero, 1);
    const { lane } = laneOf(zero);
    expect(lane.send(1, 4, 0, nothing, 0, 0)).toBe('not_on_bus');
    expect(lane.syncBreak()).toBe('not_on_bus');
    await rig.table.configure('0', { mode: 'listen_only' }, rig.benchSource);
    expect(send(lane, 1)).toBe('listen_only');
    rig.driver.faults.loseDevice();
    expect(send(lane, 1)).toBe('lost');
  });

  it('fails what waits when the port starts anew, and takes what is sent then', async () => {
    const { rig, zero } = await setUp();
    let isAgain = false;
    const { lane, told: reported } = laneOf(zero, {}, { settled: () => isAgain && again() });
    const again = () => {
      isAgain = false;
      send(lane, 9);
    };
    for (let id = 0; id < 10; id++) send(lane, id);
    isAgain = true;
    await rig.table.configure('0', { termination: false }, rig.benchSource);
    await rig.table.configure('0', { bitrate: 250_000 }, rig.benchSource);
    await rig.table.configure('1', { bitrate: 250_000 }, rig.benchSource);
    expect(reported.slice(0, 10)).toEqual(Array(10).fill('failed'));
    expect(lane.pending + reported.length).toBe(11);
    rig.clock.advanceUs(20_000);
    expect(lane.pending).toBe(0);
  });

  it('fails everything once the controller is off the bus', async () => {
    const { rig, zero } = await setUp();
    const { lane, told: reported } = laneOf(zero);
    for (let id = 0; id < 10; id++) send(lane, id);
    rig.driver.faults.bitErrors(0, Number.POSITIVE_INFINITY);
    rig.clock.advanceUs(100_000);
    expect(reported).toEqual(['failed', ...Array(9).fill('bus_off')]);
    expect(send(lane, 1)).toBe('bus_off');
    expect(zero.stats()).toMatchObject({ tx_failed: 10, tx_pending: 0 });
  });

  it('takes back what the port does not have, for an owner that leaves', async () => {
    const { rig, zero, onBus } = await setUp();
    const { lane, told: reported } = laneOf(zero);
    for (let id = 0; id < 5; id++) send(lane, id);
    rig.clock.advanceUs(1);
    expect([lane.discard(), lane.pending]).toEqual([4, 1]);
    lane.close();
    rig.clock.advanceUs(10_000);
    expect([onBus(), reported]).toEqual([[0], []]);
  });

  it('sends what was accepted of an owner that wants to hear nothing more', async () => {
    const { rig, zero, onBus } = await setUp();
    const { lane, told: reported } = laneOf(zero);
    for (let id = 0; id < 5; id++) send(lane, id);
    lane.close();
    rig.clock.advanceUs(10_000);
    expect([onBus(), reported, lane.pending]).toEqual([[0, 1, 2, 3, 4], [], 0]);
  });

  it('is not disturbed by what an owner throws', async () => {
    const { rig, zero } = await setUp();
    const broken = new RangeError('broken');
    const { lane } = laneOf(
      zero,
      {},
      {
        settled: () => {
          throw broken;
        },
      },
    );
    const other = laneOf(zero);
    send(lane, 1);
    send(other.lane, 2);
    rig.clock.advanceUs(10_000);
    expect([other.told, rig.defects]).toEqual([['sent'], [broken]]);
  });

  it('survives a driver that throws, at once and when the turn of a frame comes', async () => {
    const { rig, zero } = await setUp();
    const hardware = canOf(zero);
    const { lane, told: reported } = laneOf(zero);
    const broken = new RangeError('broken');
    const { send: whole } = hardware;
    const breakIt = () => {
      hardware.send = () => {
        throw broken;
      };
    };
    breakIt();
    expect(() => send(lane, 1)).toThrow(broken);
    hardware.send = whole;
    for (let id = 0; id < 2; id++) send(lane, id);
    breakIt();
    rig.clock.advanceUs(1_000);
    hardware.send = whole;
    send(lane, 3);
    rig.clock.advanceUs(1_000);
    expect([reported, lane.pending, zero.outbox.waiting]).toEqual([
      ['sent', 'failed', 'sent'],
      0,
      0,
    ]);
    expect(rig.defects).toEqual([broken]);
  });

  it('sends nothing more once its channel is being closed', async () => {
    const { rig, zero, onBus } = await setUp();
    const { lane, told: reported } = laneOf(zero);
    for (let id = 0; id < 5; id++) send(lane, id);
    await rig.table.close('0', rig.benchSource);
    rig.clock.advanceUs(10_000);
    expect([onBus(), send(lane, 1), reported.includes('sent')]).toEqual([[], 'lost', false]);
  });
});

describe('an outbox of a LIN master', () => {
  const setUpLin = async () => {
    const rig = new TableRig();
    const master = await rig.open(4);
    const slave = await rig.open(5);
    return { rig, master, slave };
  };

  it('keeps writes, reads and breaks of several owners in turn, and answers each read once', async () => {
    const { rig, master, slave } = await setUpLin();
    if (slave.hardware.bus !== 'lin') throw new TypeError('CAN');
    slave.hardware.setResponse(0x21, 0, Uint8Array.of(7), 0, 1);
    const reads: string[] = [];
    const writer = laneOf(master);
    const reader = laneOf(master);
    for (let round = 0; round < 2; round++) {
      writer.lane.masterWrite(0x10, 0, Uint8Array.of(round), 0, 1);
      reader.lane.masterRead(0x21, 0, 1, (outcome) => reads.push(outcome));
    }
    writer.lane.syncBreak();
    reader.lane.masterRead(0x22, 0, 1, (outcome) => reads.push(outcome));
    rig.clock.advanceUs(200_000);
    expect(reads).toEqual(['answered', 'answered', 'no_response']);
    expect([writer.told, reader.told]).toEqual([
      ['sent', 'sent', 'sent'],
      ['sent', 'sent', 'failed'],
    ]);
  });

  it('goes on with the next frame when the owner of a read throws', async () => {
    const { rig, master } = await setUpLin();
    const { lane, told: reported } = laneOf(master);
    lane.masterRead(0x21, 0, 1, () => {
      throw new RangeError('The owner is broken');
    });
    lane.masterWrite(0x10, 0, Uint8Array.of(1), 0, 1);
    rig.clock.advanceUs(200_000);
    expect([reported, rig.defects.length]).toEqual([['failed', 'sent'], 1]);
  });

  it('aborts reads that wait when it is closed', async () => {
    const { rig, master } = await setUpLin();
    const reads: string[] = [];
    const { lane } = laneOf(master);
    for (let read = 0; read < 3; read++) {
      lane.masterRead(0x21, 0, 1, (outcome) => reads.push(outcome));
    }
    await rig.table.close(String(master.slot), rig.benchSource);
    expect(reads).toEqual(['aborted', 'aborted', 'aborted']);
  });
});
