import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import { door, EcuRig, vin } from './testing/ecu-rig.ts';

const vinResponse = `62F190${Buffer.from(vin).toString('hex').toUpperCase()}`;

/** Diagnostic frames that a port of the LIN bus received. */
const framesOn = (rig: EcuRig, port: string): string[] => {
  const channel = rig.table.channels.find(({ selector }) => selector === port);
  if (!channel) throw new RangeError(port);
  return rig
    .records(channel.slot)
    .filter(({ kind, id, flags }) => kind === 'rx_frame' && id >= 60 && flags < 0x100)
    .filter(({ data }) => data.length === 8)
    .map(({ id, data }) => `${id.toString(16).toUpperCase()}#${formatHex(data)}`);
};

describe('a link to an ECU on LIN', () => {
  it('sends its request in MasterReq slots and reads the response from SlaveResp slots', async () => {
    const rig = new EcuRig();
    await rig.openDoor();
    expect(await rig.outcome('22F190', 'door')).toBe(vinResponse);
    expect(framesOn(rig, 'SIM00001/5')).toEqual(['3C#0A0322F190FFFFFF']);
    expect(framesOn(rig, 'SIM00001/4')).toEqual([
      '3D#0A101462F1905742',
      '3D#0A21414255534241',
      '3D#0A22523030303030',
      '3D#0A23303031FFFFFF',
    ]);
    expect(rig.defects).toEqual([]);
  });

  it('sends a request of several frames, one a slot', async () => {
    const rig = new EcuRig();
    await rig.openDoor({ dids: { '0101': { text: '0123456789', writable: true } } });
    expect(await rig.outcome('2E0101'.concat('41'.repeat(10)), 'door')).toBe('6E0101');
    expect(framesOn(rig, 'SIM00001/5')).toEqual([
      '3C#0A100D2E01014141',
      '3C#0A21414141414141',
      '3C#0A224141FFFFFFFF',
    ]);
    expect(await rig.outcome('220101', 'door')).toBe('620101'.concat('41'.repeat(10)));
  });

  it('waits for slots as long as a run of the table, in addition to P2', async () => {
    const rig = new EcuRig({ door: { ...door, p2_ms: 4 } });
    await rig.openDoor({ faults: [{ kind: 'delay', delay_us: 3_700, count: 1 }] });
    expect(await rig.outcome('3E00', 'door')).toBe('7E00');
  });

  it('awaits the final response after 0x78', async () => {
    const rig = new EcuRig();
    await rig.openDoor({ routines: { '0203': { duration_ms: 9000 } } });
    expect(await rig.outcome('31010203', 'door', 20_000_000)).toBe('71010203');
  });

  it.each([
    ['a dropped response', { kind: 'drop' }, '3E00', 'no_response'],
    ['a dropped frame', { kind: 'drop', frame: 2 }, '22F190', 'sequence_error'],
    ['a wrong number', { kind: 'sequence', frame: 2 }, '22F190', 'sequence_error'],
    [
      'a late frame',
      { kind: 'delay', frame: 2, delay_us: 2_000_000 },
      '22F190',
      'consecutive_frame_timeout',
    ],
    ['silence', { kind: 'silent' }, '22F190', 'no_response'],
  ] as const)('reports %s', async (_, fault, request, code) => {
    const rig = new EcuRig();
    await rig.openDoor({ faults: [{ ...fault, count: 1 }] });
    expect(await rig.outcome(request, 'door')).toBe(code);
    expect(await rig.outcome('22F190', 'door')).toBe(vinResponse);
  });

  it('takes turns with a link to another slave, whose responses are not mixed', async () => {
    const rig = new EcuRig({ door, window: { ...door, nad: 11 } });
    await rig.openDoor();
    await rig.serve({ dids: { F190: { text: 'WINDOW' } } }, 'window', 'SIM00001/5');
    const asked = [
      ...[rig.ask('22F190', { ecu: 'door' }), rig.ask('22F190', { ecu: 'window' })],
      ...[rig.ask('220100', { ecu: 'door' }), rig.ask('3E00', { ecu: 'window' })],
    ];
    for (let i = 0; i < 100; i++) await rig.pass(10_000);
    expect(asked.map(({ record, error }) => error?.code ?? record?.response)).toEqual([
      ...[vinResponse, `62F190${Buffer.from('WINDOW').toString('hex').toUpperCase()}`],
      ...['6201000000', '7E00'],
    ]);
  });

  it('keeps a session with TesterPresent to all slaves, also while a request is pending', async () => {
    const rig = new EcuRig();
    await rig.openDoor({ routines: { '0203': { duration_ms: 4000 } } });
    await rig.outcome('1003', 'door');
    (await rig.link('door')).setPresence(true, 1_000_000);
    const asked = rig.ask('31010203', { ecu: 'door' });
    for (let i = 0; i < 300; i++) await rig.pass(10_000);
    expect(asked.record).toBeUndefined();
    expect(
      framesOn(rig, 'SIM00001/5').filter((frame) => frame.startsWith('3C#7E023E80')),
    ).toHaveLength(3);
    for (let i = 0; i < 900; i++) await rig.pass(10_000);
    expect(asked.record?.response).toBe('71010203');
    expect(rig.ecus.list()).toMatchObject([{ session: 3 }]);
  });

  it('sends no TesterPresent that was switched off before its slot', async () => {
    const rig = new EcuRig();
    await rig.openDoor();
    const link = await rig.link('door');
    link.setPresence(true, 60_000_000);
    rig.clock.advanceUs(0);
    link.setPresence(false, 0);
    for (let i = 0; i < 20; i++) await rig.pass(10_000);
    expect(framesOn(rig, 'SIM00001/5')).toEqual([]);
  });

  it('refuses a request of more bytes than the transport has, and keeps the slots', async () => {
    const rig = new EcuRig();
    await rig.openDoor();
    const asked = rig.ask(`2E0101${'41'.repeat(4093)}`, { ecu: 'door' });
    await rig.pass(10_000);
    expect(asked.error).toMatchObject({ code: 'invalid_argument', details: { field: 'data' } });
    expect(await rig.outcome('22F190', 'door')).toBe(vinResponse);
  });

  it('is refused a response of more bytes than the transport has', async () => {
    const rig = new EcuRig();
    await rig.openDoor({ dtcs: [{ dtc: '123456', status: 8, snapshot: '5A'.repeat(4095) }] });
    expect(await rig.outcome('1904123456FF', 'door')).toBe('7F1914');
    expect(await rig.outcome('22F190', 'door')).toBe(vinResponse);
  });

  it('is busy without a schedule, and in a table without diagnostic slots', async () => {
    const rig = new EcuRig();
    await rig.openDoor({}, 1);
    expect(await rig.outcome('3E00', 'door')).toBe('busy');
    // A switch counts immediately, although its table begins with the next slot.
    rig.linSchedules.change('schedule-1', { table: 0 });
    expect(await rig.outcome('3E00', 'door')).toBe('7E00');
    rig.linSchedules.stop('schedule-1');
    expect(await rig.outcome('3E00', 'door')).toBe('busy');
    await rig.startSchedule(0);
    expect(await rig.outcome('3E00', 'door')).toBe('7E00');
  });

  it('fails a request whose schedule stops before it was sent', async () => {
    const rig = new EcuRig();
    await rig.openDoor();
    const asked = rig.ask('22F190', { ecu: 'door' });
    await rig.pass(1000);
    rig.linSchedules.stop('schedule-1');
    await rig.pass(1000);
    expect(asked.error?.code).toBe('busy');
  });

  it.each(['before', 'after'])(
    'fails a request whose channel closes %s it was sent',
    async (when) => {
      const rig = new EcuRig();
      await rig.openDoor({ faults: [{ kind: 'silent' }] });
      await rig.link('door');
      const asked = rig.ask('22F190', { ecu: 'door' });
      await rig.pass(when === 'before' ? 1000 : 25_000);
      await rig.table.close('SIM00001/4', rig.benchSource);
      await rig.pass(1000);
      expect(asked.error?.toRecord()).toMatchObject({
        code: 'hardware_error',
        details: { reason: 'channel_closed' },
      });
      expect(rig.defects).toEqual([]);
    },
  );

  it('leaves the MasterReq slot to changed signals when no request is under way', async () => {
    const rig = new EcuRig();
    await rig.openDoor();
    const asked = rig.ask('3E00', { ecu: 'door' });
    await rig.pass(1000);
    const data = Uint8Array.of(9, 1, 0x3e, 0xff, 0xff, 0xff, 0xff, 0xff);
    rig.linSchedules.change('schedule-1', { frames: [{ frame: 1, data: data.subarray(0, 3) }] });
    for (let i = 0; i < 10; i++) await rig.pass(10_000);
    expect(asked.record?.response).toBe('7E00');
    expect(framesOn(rig, 'SIM00001/5')[0]).toBe('3C#0A023E00FFFFFFFF');
    expect(rig.linSchedules.list()[0]?.frames[1]).toMatchObject({ changed: false });
  });

  it.each([
    ['a CAN channel', { ...door, channel: 'SIM00001/0' }, 'invalid_argument'],
    ['a slave', { ...door, channel: 'SIM00001/5' }, 'channel_cannot_send'],
    ['CAN settings', { ...door, fd: true }, 'invalid_argument'],
  ])('is refused on %s', async (_, entry, code) => {
    const rig = new EcuRig({});
    await rig.openBus();
    await rig.openDoor({}, 0).catch(() => undefined);
    const opened = rig.links.open({ ...entry, name: 'other' }, rig.benchSource);
    expect(await refusalOf(opened)).toMatchObject({ code });
  });
});
