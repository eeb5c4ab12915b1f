import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Channel } from '../../bench/channel.ts';
import { TableRig } from '../../bench/testing/table-rig.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { formatHex, hexDigits } from '../../frame/hex-bytes.ts';
import { claimFrame } from '../j1939/claim-frames.ts';
import type { TransportFrame } from '../j1939/transport-frames.ts';
import { frame } from '../testing/frames.ts';
import { AddressClaims, type ClaimRequest } from './address-claims.ts';
import type { J1939ClaimRecord } from './claim-record.ts';

const name = '0102010953525687';
const claimOf80 = '18EEFF80#8756525309010201';
const lower = 0x0001_0000_0000_0001n;
const higher = 0x7000_0000_0000_0001n;

interface Watched {
  record?: J1939ClaimRecord;
  error?: BusbarError;
}

class ClaimRig extends TableRig {
  readonly claims = new AddressClaims({
    clock: this.clock,
    scheduler: this.scheduler,
    capacity: 2,
    random: () => 0.5,
  });

  start(channel: Channel, more: Partial<ClaimRequest> = {}, signal?: AbortSignal): Watched {
    const watched: Watched = {};
    const found = { channel, text: channel.selector, kind: 'serial', resolved: null } as const;
    this.claims.add(found, { name, address: 0x80, ...more }, signal).then(
      (record) => {
        watched.record = record;
      },
      (thrown) => {
        watched.error = BusbarError.from(thrown);
      },
    );
    return watched;
  }

  async pass(ms: number): Promise<void> {
    await nextTurn();
    this.clock.advanceUs(ms * 1000);
    await nextTurn();
  }

  /** A frame of another node. */
  async say({ outbox }: Channel, { id, data }: TransportFrame): Promise<void> {
    const { length } = data;
    const lane = outbox.open({});
    expect(lane.send(id, frameFlag.extended, length, data, 0, length)).toBe('accepted');
    lane.close();
    await this.pass(5);
  }

  received({ slot }: Channel): string[] {
    return this.records(slot)
      .filter(({ kind }) => kind === 'rx_frame')
      .map(({ id, data }) => `${hexDigits(id, 8)}#${formatHex(data)}`);
  }
}

const openPair = async () => {
  const rig = new ClaimRig();
  return { rig, one: await rig.open(0), two: await rig.open(1) };
};

const claimed = async () => {
  const pair = await openPair();
  const held = pair.rig.start(pair.one);
  await pair.rig.pass(260);
  expect(held.record).toMatchObject({ claim_id: 'claim-1', state: 'claimed', address: 0x80 });
  return pair;
};

describe('AddressClaims', () => {
  it('claims, and returns when no node objected for 250 ms', async () => {
    const { rig, one, two } = await openPair();
    const held = rig.start(one);
    await rig.pass(240);
    expect(rig.received(two)).toEqual([claimOf80]);
    expect(held).toEqual({});
    expect(rig.claims.list()).toMatchObject([{ state: 'claiming', address: 0x80 }]);
    await rig.pass(20);
    expect(held.record).toMatchObject({
      selector: 'SIM00001/0',
      name,
      state: 'claimed',
      requested_address: 0x80,
      last_error: null,
    });
  });

  it('answers requests, and defends the address', async () => {
    const { rig, two } = await claimed();
    await rig.say(two, frame('18EAFFFE#00EE00'));
    await rig.say(two, claimFrame(higher, 0x80));
    expect(rig.received(two)).toEqual([claimOf80, claimOf80, claimOf80]);
    expect(rig.claims.list()).toMatchObject([{ state: 'claimed', address: 0x80 }]);
  });

  it('loses the address to a lower NAME, and reports on the bus that it has none', async () => {
    const { rig, two } = await claimed();
    await rig.say(two, claimFrame(lower, 0x80));
    await rig.pass(100);
    expect(rig.received(two)).toEqual([claimOf80, claimOf80.replace('FF80', 'FFFE')]);
    expect(rig.claims.list()).toMatchObject([
      { state: 'cannot_claim', address: null, requested_address: 0x80 },
    ]);
  });

  it('fails if a lower NAME has the address, and leaves nothing behind', async () => {
    const { rig, one, two } = await openPair();
    const before = rig.scheduler.scheduledTasks;
    const held = rig.start(one);
    await rig.pass(100);
    await rig.say(two, claimFrame(lower, 0x80));
    expect(held).toEqual({});
    await rig.pass(100);
    expect(held.error).toMatchObject({
      code: 'j1939_address_taken',
      details: { field: 'address', address: 0x80, name: '0001000000000001' },
    });
    expect(rig.received(two).at(-1)).toBe(claimOf80.replace('FF80', 'FFFE'));
    expect(rig.claims.list()).toEqual([]);
    expect(rig.scheduler.scheduledTasks).toBe(before);
  });

  it('takes another address where its NAME allows it', async () => {
    const { rig, one, two } = await openPair();
    const held = rig.start(one, { name: '8102010953525687' });
    await rig.pass(100);
    await rig.say(two, claimFrame(lower, 0x80));
    await rig.pass(260);
    expect(held.record).toMatchObject({ address: 0x81, requested_address: 0x80 });
  });

  it('contends with the other claims of its channel', async () => {
    const { rig, one, two } = await claimed();
    const second = rig.start(one, { name: '0102010953525688' });
    await rig.pass(200);
    expect(second.error?.code).toBe('j1939_address_taken');
    expect(rig.received(two)).toContain(claimOf80);
    expect(rig.claims.list()).toMatchObject([{ name, state: 'claimed', address: 0x80 }]);
  });

  it('fails on a bus without another node', async () => {
    const rig = new ClaimRig();
    const held = rig.start(await rig.open(0));
    await rig.pass(999);
    expect(held).toEqual({});
    await rig.pass(2);
    expect(held.error).toMatchObject({
      code: 'hardware_timeout',
      details: { limit_us: 1_000_000 },
    });
    expect(rig.claims.list()).toEqual([]);
  });

  it('ends with its channel', async () => {
    const { rig, one, two } = await claimed();
    const waiting = rig.start(two, { name: '0102010953525688', address: 1 });
    for (const { selector } of [one, two]) await rig.table.close(selector, rig.benchSource);
    await rig.pass(0);
    expect(rig.claims.list()).toEqual([]);
    expect(waiting.error?.code).toBe('operation_cancelled');
  });

  it('claims again after a change of the bit rate', async () => {
    const { rig, one, two } = await claimed();
    for (const channel of [one, two]) {
      await channel.configure(() => ({ group: 'bitrate', bitrate: 250_000 }));
    }
    expect(rig.claims.list()).toMatchObject([{ state: 'claiming' }]);
    await rig.pass(600);
    expect(rig.claims.list()).toMatchObject([{ state: 'claimed', address: 0x80 }]);
  });

  it('is released once', async () => {
    const { rig, two } = await claimed();
    expect(rig.claims.remove('claim-1')).toMatchObject({ state: 'claimed', address: 0x80 });
    await rig.say(two, frame('18EAFFFE#00EE00'));
    expect(rig.received(two)).toEqual([claimOf80]);
    expect(() => rig.claims.remove('claim-1')).toThrow(
      expect.objectContaining({ code: 'claim_not_found', details: { claim_id: 'claim-1' } }),
    );
  });

  it('is dropped when its caller goes before it was claimed', async () => {
    const { rig, one } = await openPair();
    const caller = new AbortController();
    const held = rig.start(one, {}, caller.signal);
    await rig.pass(10);
    caller.abort();
    await rig.pass(0);
    expect(held.error?.code).toBe('operation_cancelled');
    expect(rig.claims.list()).toEqual([]);
  });

  it.each([
    [{ name: '01' }, 'invalid_argument', 'name'],
    [{ name: '0000000000000000' }, 'invalid_argument', 'name'],
    [{ address: 254 }, 'invalid_argument', 'address'],
    [{ address: '0x' }, 'invalid_argument', 'address'],
    [{}, 'already_exists', 'name'],
  ])('refuses %j', async (request, code, field) => {
    const { rig, one } = await claimed();
    const held = rig.start(one, request);
    await rig.pass(0);
    expect(held.error).toMatchObject({ code, details: { field } });
  });

  it('refuses more than its limit, and LIN channels', async () => {
    const { rig, one } = await claimed();
    rig.start(one, { name: '0102010953525688', address: 1 });
    const third = rig.start(one, { name: '0102010953525689', address: 2 });
    const lin = rig.start(await rig.open(4));
    await rig.pass(0);
    expect(third.error).toMatchObject({ code: 'capacity_exceeded', details: { limit: 2 } });
    expect(lin.error).toMatchObject({ details: { field: 'channel', reason: 'not_on_bus' } });
  });
});
