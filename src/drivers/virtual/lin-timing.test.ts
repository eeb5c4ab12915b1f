import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { VirtualRig } from './testing/virtual-rig.ts';

const openPair = async (bitrate: number) => {
  const rig = new VirtualRig();
  const master = await rig.openLin(4, { bitrate });
  const slave = await rig.openLin(5, { bitrate });
  return { rig, master, slave };
};

const table = [
  { bitrate: 9600, length: 1, nominalMs: 5.63 },
  { bitrate: 9600, length: 2, nominalMs: 6.67 },
  { bitrate: 9600, length: 4, nominalMs: 8.75 },
  { bitrate: 9600, length: 8, nominalMs: 12.92 },
  { bitrate: 10_417, length: 1, nominalMs: 5.18 },
  { bitrate: 10_417, length: 2, nominalMs: 6.14 },
  { bitrate: 10_417, length: 4, nominalMs: 8.06 },
  { bitrate: 10_417, length: 8, nominalMs: 11.9 },
  { bitrate: 19_200, length: 1, nominalMs: 2.81 },
  { bitrate: 19_200, length: 2, nominalMs: 3.33 },
  { bitrate: 19_200, length: 4, nominalMs: 4.38 },
  { bitrate: 19_200, length: 8, nominalMs: 6.46 },
];

describe('a frame on the virtual LIN bus', () => {
  it.each(table)(
    'with $length bytes takes $nominalMs ms at $bitrate',
    async ({ bitrate, length, nominalMs }) => {
      const { rig, master, slave } = await openPair(bitrate);
      master.channel.masterWrite(0x10, 0, new Uint8Array(length), 0, length);
      rig.advanceUs(50_000);
      const times = [master, slave].map(({ events }) => events.all.map((e) => rig.sinceStart(e)));
      expect(times[0]).toEqual(times[1]);
      expect(times[0]).toHaveLength(1);
      expect((times[0]?.[0] ?? 0) / 1000).toBeCloseTo(nominalMs, 1);
      expect(times[0]?.[0]).toBe(Math.floor(((34 + 10 * (length + 1)) * 1e6) / bitrate));
    },
  );

  it('follows the one before it without a pause', async () => {
    const { rig, master } = await openPair(10_000);
    const data = Uint8Array.of(1);
    for (let id = 1; id <= 3; id++) master.channel.masterWrite(id, 0, data, 0, 1);
    rig.advanceUs(100_000);
    expect(master.events.completed.map((event) => rig.sinceStart(event))).toEqual([
      5_400, 10_800, 16_200,
    ]);
    expect(master.channel.stats().busyUs).toBe(16_200);
  });

  it('that nobody answers is given up after 1.4 times its response', async () => {
    const { rig, master, slave } = await openPair(10_000);
    master.channel.masterRead(0x10, 0, 2, () => undefined);
    rig.advanceUs(50_000);
    const expected = [{ id: 0x10, flags: frameFlag.noResponse, status: 'no_response', dlc: 2 }];
    expect(master.events.all).toMatchObject(expected);
    expect(slave.events.all).toMatchObject(expected);
    expect(master.events.all.map((event) => rig.sinceStart(event))).toEqual([3_400 + 4_200]);
  });

  it.each([
    { version: '2.1' as const, id: 0x05, length: 8 },
    { version: '1.3' as const, id: 0x05, length: 2 },
    { version: '1.3' as const, id: 0x25, length: 4 },
  ])('of unknown length and $version is waited for as one of $length bytes', async (row) => {
    const rig = new VirtualRig();
    const master = await rig.openLin(4, { bitrate: 10_000, lin: { version: row.version } });
    master.channel.masterRead(row.id, 0, 0, () => undefined);
    rig.advanceUs(50_000);
    const [event] = master.events.all;
    expect(event && rig.sinceStart(event)).toBe(3_400 + 1_400 * (row.length + 1));
  });

  it('may be answered late, up to that limit', async () => {
    const { rig, master, slave } = await openPair(10_000);
    const outcomes: string[] = [];
    slave.channel.setResponse(0x10, 0, Uint8Array.of(7), 0, 1);
    const read = (byUs: number) => {
      rig.driver.faults.slowResponses(5, 1, byUs);
      master.channel.masterRead(0x10, 0, 1, (outcome) => outcomes.push(outcome));
      rig.advanceUs(50_000);
    };
    read(800);
    read(801);
    read(0);
    expect(outcomes).toEqual(['answered', 'no_response', 'answered']);
    expect(slave.events.completed.map((event) => rig.sinceStart(event))).toEqual([
      3_400 + 800 + 2_000,
      100_000 + 3_400 + 2_000,
    ]);
  });

  it('takes 24 bits as a mere sync break', async () => {
    const { rig, master, slave } = await openPair(10_000);
    master.channel.syncBreak();
    rig.advanceUs(10_000);
    const expected = { flags: frameFlag.syncBreak, id: 0, dlc: 0, data: '', status: 'ok' };
    expect(master.events.all).toMatchObject([{ ...expected, kind: 'tx_complete' }]);
    expect(slave.events.all).toMatchObject([{ ...expected, kind: 'rx_frame' }]);
    expect(slave.events.all.map((event) => rig.sinceStart(event))).toEqual([2_400]);
  });
});
