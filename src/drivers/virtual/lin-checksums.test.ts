import { describe, expect, it } from 'vitest';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { LinSettings } from '../channel-settings.ts';
import { VirtualRig } from './testing/virtual-rig.ts';

const { checksumError, enhancedChecksum } = frameFlag;

const openPair = async (master: Partial<LinSettings> = {}, slave: Partial<LinSettings> = {}) => {
  const rig = new VirtualRig();
  return {
    rig,
    master: await rig.openLin(4, { lin: master }),
    slave: await rig.openLin(5, { lin: slave }),
  };
};

const data = Uint8Array.of(0x4a, 0x55, 0x93, 0xe5);

describe('checksums on the virtual LIN bus', () => {
  it.each([
    ['classic', 0x10, 0, 0xe6],
    ['enhanced', 0x10, enhancedChecksum, 0x96],
    ['enhanced', 0x23, enhancedChecksum, 0x43],
  ] as const)('are %s for id %d as the frame asks', async (checksum, id, flags, expected) => {
    const { rig, master, slave } = await openPair({ checksum }, { checksum });
    master.channel.masterWrite(id, flags, data, 0, 4);
    rig.advanceUs(20_000);
    const event = { id, flags, dlc: 4, status: 'ok', checksum: expected, data: '4A5593E5' };
    expect(master.events.all).toMatchObject([{ ...event, kind: 'tx_complete' }]);
    expect(slave.events.all).toMatchObject([{ ...event, kind: 'rx_frame' }]);
  });

  it('are classic in diagnostic frames whatever is asked', async () => {
    const { rig, master, slave } = await openPair();
    const request = Uint8Array.of(0x01, 0x06, 0xb2, 0x00, 0xff, 0x7f, 0xff, 0xff);
    master.channel.masterWrite(0x3c, enhancedChecksum, request, 0, 8);
    rig.advanceUs(20_000);
    expect(slave.events.all).toMatchObject([{ checksum: 0xc6, flags: 0, status: 'ok' }]);
  });

  it.each([
    ['1.3', 'classic'],
    ['2.0', 'enhanced'],
    ['2.1', 'enhanced'],
    ['2.2', 'enhanced'],
  ] as const)('are by default in version %s %s', async (version, checksum) => {
    const { slave } = await openPair({}, { version });
    expect(slave.channel.settings.lin).toEqual({ role: 'slave', version, checksum });
  });

  it('are wrong to a node that expects the other model, which still gets the data', async () => {
    const { rig, master, slave } = await openPair({ checksum: 'classic' });
    master.channel.masterWrite(0x10, 0, data, 0, 4);
    rig.advanceUs(20_000);
    expect(slave.events.all).toMatchObject([
      {
        flags: enhancedChecksum | checksumError,
        status: 'checksum_error',
        checksum: 0xe6,
        data: '4A5593E5',
      },
    ]);
    expect(slave.channel.stats()).toMatchObject({ rxFrames: 0, errorFrames: 1 });
    expect(master.events.completed).toHaveLength(1);
  });

  it('are checked in a master read by the model that was asked for', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, 0, data, 0, 4);
    const outcomes: string[] = [];
    for (const flags of [0, enhancedChecksum]) {
      master.channel.masterRead(0x10, flags, 4, (outcome) => outcomes.push(outcome));
    }
    rig.advanceUs(50_000);
    expect(outcomes).toEqual(['answered', 'checksum_error']);
    expect(master.events.all.map(({ flags }) => flags)).toEqual([
      0,
      enhancedChecksum | checksumError,
    ]);
  });

  it('can be spoilt for a test, in responses and in writes', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, enhancedChecksum, data, 0, 4);
    rig.driver.faults.wrongChecksums(4, 1);
    rig.driver.faults.wrongChecksums(5, 1);
    const outcomes: string[] = [];
    const read = () =>
      master.channel.masterRead(0x10, enhancedChecksum, 4, (outcome) => outcomes.push(outcome));
    read();
    read();
    for (let i = 0; i < 2; i++) master.channel.masterWrite(0x11, enhancedChecksum, data, 0, 4);
    rig.advanceUs(50_000);
    expect(outcomes).toEqual(['checksum_error', 'answered']);
    expect(slave.events.all.map(({ kind, status }) => [kind, status])).toEqual([
      ['tx_complete', 'ok'],
      ['tx_complete', 'ok'],
      ['rx_frame', 'checksum_error'],
      ['rx_frame', 'ok'],
    ]);
  });

  it('do not fit when a response has another length than the master expects', async () => {
    const { rig, master, slave } = await openPair();
    slave.channel.setResponse(0x10, enhancedChecksum, data, 0, 4);
    const outcomes: string[] = [];
    for (const length of [2, 8, 0, 4]) {
      master.channel.masterRead(0x10, enhancedChecksum, length, (outcome) =>
        outcomes.push(outcome),
      );
    }
    rig.advanceUs(100_000);
    expect(outcomes).toEqual(['checksum_error', 'checksum_error', 'answered', 'answered']);
  });
});
