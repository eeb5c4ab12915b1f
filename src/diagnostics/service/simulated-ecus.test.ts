import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../bench/testing/table-rig.ts';
import type { EcuModel } from '../ecu-model.ts';
import { EcuRig, vin } from './testing/ecu-rig.ts';
import { engine } from './testing/link-rig.ts';

const vinHex = Buffer.from(vin).toString('hex').toUpperCase();
const vinResponse = `62F190${vinHex}`;

const withFaults = async (...faults: NonNullable<EcuModel['faults']>) => {
  const rig = new EcuRig();
  await rig.openEngine({ faults });
  return rig;
};

describe('a simulated ECU on CAN', () => {
  it.each([
    ['1003', '5003003201F4'],
    ['1101', '5101'],
    ['3E00', '7E00'],
    ['22F190', vinResponse],
    ['220100', '6201000000'],
    ['2E01015B', '6E0101'],
    ['1902FF', '5902AF1234562F'],
    ['1904123456FF', '59041234562F010101015A'],
    ['14FFFFFF', '54'],
    ['310102030A', '71010203FF'],
    ['2F010103FF', '7F2F7F'],
    ['3D140800000002ABCD', '7D140800000002'],
    ['23140800000002', '63FFFF'],
    ['BA00', '7FBA11'],
  ])('answers %s with %s', async (request, response) => {
    const rig = new EcuRig();
    await rig.openEngine();
    expect(await rig.outcome(request)).toBe(response);
  });

  it('unlocks, writes and downloads in its session', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    expect(await rig.outcome(`2EF190${vinHex}`)).toBe('7F2E33');
    expect(await rig.outcome('1003')).toBe('5003003201F4');
    expect(await rig.outcome('2701')).toBe('6701DEADBEEF');
    expect(await rig.outcome('2702CAFEBABE')).toBe('6702');
    expect(rig.ecus.list()).toMatchObject([{ session: 3, security_level: 1 }]);
    const changed = vinHex.replace(/31$/, '32');
    expect(await rig.outcome(`2EF190${changed}`)).toBe('6EF190');
    expect(await rig.outcome('22F190')).toBe(`62F190${changed}`);
    expect(await rig.outcome('3400440800000000000010')).toMatch(/^74/);
    expect(await rig.outcome('3601'.concat('AB'.repeat(16)))).toMatch(/^7601/);
    expect(await rig.outcome('37')).toBe('77');
    expect(await rig.outcome('2F010103FF')).toBe('6F010103FF');
    expect(await rig.outcome('280301')).toBe('6803');
    expect(await rig.outcome('8502')).toBe('C502');
    expect((await rig.link()).record()).toMatchObject({ session: 3, security_level: 1 });
  });

  it('ends its session after S3, but not while TesterPresent comes', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    await rig.outcome('1003');
    (await rig.link()).setPresence(true, 2_000_000);
    for (let i = 0; i < 200; i++) await rig.pass(100_000);
    expect(rig.ecus.list()).toMatchObject([{ session: 3 }]);
    (await rig.link()).setPresence(false, 0);
    for (let i = 0; i < 60; i++) await rig.pass(100_000);
    expect(rig.ecus.list()).toMatchObject([{ session: 1 }]);
  });

  it('announces a routine that takes longer than P2, and TesterPresent does not disturb it', async () => {
    const rig = new EcuRig();
    await rig.openEngine({ routines: { '0203': { duration_ms: 9000, result: 'FF' } } });
    (await rig.link()).setPresence(true, 500_000);
    const asked = rig.ask('31010203');
    for (let i = 0; i < 100; i++) await rig.pass(100_000);
    expect(asked.record).toMatchObject({ response: '71010203FF', pending: 3 });
  });

  it('reads the signals of gateways, and refuses those without a value', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    rig.signals.set('plant/Speed', '258');
    expect(await rig.outcome('220102')).toBe('62010200000102');
    rig.signals.clear();
    expect(await rig.outcome('220102')).toMatch(/^7F22/);
  });

  it('answers functional requests, and is silent where it would refuse them', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    const asked = rig.ask('3E00', { functional: true });
    await rig.pass(100_000);
    expect(asked.record?.responses).toMatchObject([{ id: 0x7e8, data: '7E00' }]);
    const refused = rig.ask('BA00', { functional: true });
    await rig.pass(100_000);
    expect(refused.record?.responses).toEqual([]);
  });

  it('is one of two on a bus, which answer at the same time without a mix', async () => {
    const second = { channel: 'SIM00001/0', request_id: 0x7e1, response_id: 0x7e9 };
    const rig = new EcuRig({ engine, second });
    await rig.openEngine();
    await rig.serve({ dids: { F190: { text: 'SECOND-VIN-000002' } } }, 'second');
    const asked = [rig.ask('22F190'), rig.ask('22F190', { ecu: 'second' })];
    for (let i = 0; i < 40; i++) await rig.pass(1000);
    const hex = Buffer.from('SECOND-VIN-000002').toString('hex').toUpperCase();
    expect(asked.map(({ record }) => record?.response)).toEqual([vinResponse, `62F190${hex}`]);
  });

  it.each([
    [{ channel: 'SIM00001/1', source: 0xf1, target: 0x10, addressing: 'normal_fixed' }],
    [
      {
        channel: 'SIM00001/1',
        request_id: 0x6f1,
        response_id: 0x612,
        addressing: 'extended',
        source: 0xf1,
        target: 0x12,
      },
    ],
    [
      {
        channel: 'SIM00001/1',
        request_id: 0x7e0,
        response_id: 0x7e8,
        addressing: 'mixed',
        address_extension: 0x99,
      },
    ],
    [
      {
        channel: 'SIM00001/1',
        request_id: 0x7e0,
        response_id: 0x7e8,
        block_size: 1,
        st_min_us: 1000,
      },
    ],
  ] as const)('has every kind of addressing: %o', async (entry) => {
    const rig = new EcuRig({ engine: { ...entry, channel: 'SIM00001/0' } });
    await rig.openEngine();
    expect(await rig.outcome('22F190')).toBe(vinResponse);
  });

  it('answers functional requests at an address of their own', async () => {
    const ids = { request_id: 0x6f1, response_id: 0x610, functional_id: 0x6f1 };
    const ends = { source: 0xf1, target: 0x10, functional_target: 0xdf };
    const entry = { addressing: 'extended', ...ids, ...ends, channel: 'SIM00001/0' } as const;
    const rig = new EcuRig({ engine: entry });
    await rig.openEngine();
    const asked = rig.ask('3E00', { functional: true });
    for (let left = 20; left > 0; left--) await rig.pass(5000);
    expect(asked.record?.responses?.map(({ data }) => data)).toEqual(['7E00']);
    expect(await rig.outcome('22F190')).toBe(vinResponse);
  });

  it('answers over CAN FD', async () => {
    const rig = new EcuRig({ engine: { ...engine, fd: true } });
    await rig.openBus({ bus: 'canfd' });
    await rig.serve({ dids: { F190: { text: 'V'.repeat(300) } } });
    expect(await rig.outcome('22F190')).toBe(`62F190${'56'.repeat(300)}`);
  });
});

describe('P2 of a simulated ECU', () => {
  it.each([
    ['CAN', 'engine', 'SIM00001/0', 0x7e8, 0],
    ['LIN', 'door', 'SIM00001/4', 0x3d, 10_500],
  ] as const)('runs on %s from the end of a request, also if that is read late', async (...row) => {
    const [, ecu, port, id, underWayUs] = row;
    const pendingAt = async (isLate: boolean): Promise<number | undefined> => {
      const rig = new EcuRig();
      const model = { sessions: { '1': { p2_ms: 40 } } };
      if (ecu === 'engine') await rig.openEngine(model);
      else await rig.openDoor(model);
      const startUs = rig.clock.unixUs();
      rig.ask('31010203', { ecu });
      await rig.pass(underWayUs);
      if (isLate) rig.clock.spendUs(8000);
      else await rig.pass(8000);
      for (let left = 100; left > 0; left--) await rig.pass(1000);
      const { slot } = rig.table.channels.find(({ selector }) => selector === port) ?? { slot: -1 };
      const pending = rig
        .records(slot)
        .find((event) => event.kind === 'rx_frame' && event.id === id && event.data.length > 0);
      return pending && pending.timestampUs - startUs;
    };
    const onTime = await pendingAt(false);
    expect(onTime).toBeGreaterThan(32_000);
    expect(await pendingAt(true)).toBe(onTime);
  });
});

describe('a fault of a simulated ECU', () => {
  it.each([
    ['a dropped single frame', { kind: 'drop' }, '3E00', 'no_response'],
    ['a dropped first frame', { kind: 'drop' }, '22F190', 'no_response'],
    ['a dropped consecutive frame', { kind: 'drop', frame: 2 }, '22F190', 'sequence_error'],
    ['a dropped last frame', { kind: 'drop', frame: 3 }, '22F190', 'consecutive_frame_timeout'],
    ['a frame with a wrong number', { kind: 'sequence', frame: 2 }, '22F190', 'sequence_error'],
    ['a response after P2', { kind: 'delay', delay_us: 60_000 }, '22F190', 'no_response'],
    ['a response within P2', { kind: 'delay', delay_us: 40_000 }, '22F190', vinResponse],
    [
      'a frame after N_Cr',
      { kind: 'delay', frame: 3, delay_us: 1_100_000 },
      '22F190',
      'consecutive_frame_timeout',
    ],
    ['a frame within N_Cr', { kind: 'delay', frame: 3, delay_us: 900_000 }, '22F190', vinResponse],
    ['a refusal', { kind: 'nrc', nrc: 0x21 }, '22F190', '7F2221'],
    ['silence', { kind: 'silent' }, '22F190', 'no_response'],
    ['silence after 0x78', { kind: 'silent_after_pending' }, '22F190', 'response_pending_timeout'],
  ] as const)('%s', async (_, fault, request, outcome) => {
    const rig = await withFaults({ ...fault, count: 1 });
    expect(rig.ecus.list()[0]?.faults).toMatchObject([{ kind: fault.kind, left: 1 }]);
    expect(await rig.outcome(request)).toBe(outcome);
    expect(rig.ecus.list()[0]?.faults).toMatchObject([{ kind: fault.kind, left: 0 }]);
    // The next response is whole.
    expect(await rig.outcome('22F190')).toBe(vinResponse);
    expect(rig.defects).toEqual([]);
  });

  it('without a count applies to all responses', async () => {
    const rig = await withFaults({ kind: 'nrc', nrc: 0x22 });
    expect(await rig.outcome('22F190')).toBe('7F2222');
    expect(await rig.outcome('22F190')).toBe('7F2222');
    expect(rig.ecus.list()[0]?.faults).toEqual([{ kind: 'nrc', frame: 1, left: null }]);
  });
});

describe('the list of simulated ECUs', () => {
  it('counts requests, responses and refusals', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    await rig.outcome('22F190');
    await rig.outcome('22FFFF');
    expect(rig.ecus.list()).toMatchObject([
      {
        ecu_id: 'ecu-1',
        channel: 'SIM00001/1',
        ecu: 'engine',
        file: 'given.json',
        settings: { request_id: 0x7e0 },
        counters: { requests: 2, responses: 2, negative: 1, abandoned: 0 },
      },
    ]);
  });

  it('loses an ECU that is stopped, and those of a channel that closes', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    await rig.serve({}, '', 'SIM00001/1', { request_id: 0x7e1, response_id: 0x7e9 });
    expect(rig.ecus.stop('ecu-1')).toMatchObject({ ecu_id: 'ecu-1' });
    expect(await rig.outcome('22F190')).toBe('no_response');
    expect(() => rig.ecus.stop('ecu-1')).toThrow(/No such simulated ECU/);
    await rig.table.close('SIM00001/1', rig.benchSource);
    expect(rig.ecus.list()).toEqual([]);
  });

  it('keeps an ECU whose device is lost, which answers when it returns', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    const asked = rig.ask('22F190');
    await rig.pass(300);
    rig.driver.faults.loseDevice();
    await rig.pass(1000);
    expect(asked.error?.code).toBe('hardware_error');
    rig.driver.faults.returnDevice();
    expect(await rig.outcome('22F190')).toBe(vinResponse);
    expect(rig.ecus.list()).toHaveLength(1);
    expect(rig.defects).toEqual([]);
  });

  it('answers a request that comes while the response to the last one is sent', async () => {
    const rig = new EcuRig();
    await rig.openEngine({ dids: { F190: { text: 'V'.repeat(2000) } } });
    const abandoned = rig.ask('22F190', { timeout_ms: 20 });
    await rig.pass(25_000);
    expect(abandoned.error?.code).toBe('no_response');
    expect(await rig.outcome('3E00')).toBe('7E00');
    expect(rig.ecus.list()).toMatchObject([{ counters: { abandoned: 1, responses: 1 } }]);
  });

  it('refuses the same identifiers twice on a channel, and takes them on another one', async () => {
    const rig = new EcuRig();
    await rig.openEngine();
    expect(await refusalOf(rig.serve({}))).toMatchObject({
      code: 'already_exists',
      details: { field: 'request_id', ecu_id: 'ecu-1' },
    });
    await rig.open(2);
    expect(await rig.serve({}, 'engine', 'SIM00001/2')).toMatchObject({ ecu_id: 'ecu-2' });
  });

  it.each([
    ['an ECU that the bench does not know', { ecu: 'engin' }, 'ecu_not_found', 'ecu'],
    [
      'identifiers of two sources',
      { ecu: 'engine', request_id: 1 },
      'invalid_argument',
      'request_id',
    ],
    ['no identifiers', {}, 'invalid_argument', 'request_id'],
    ['a LIN address on CAN', { nad: 5 }, 'invalid_argument', 'channel'],
    ['a closed channel', { ecu: 'engine', channel: 'SIM00001/3' }, 'channel_not_open', undefined],
  ])('refuses %s', async (_, request, code, field) => {
    const rig = new EcuRig();
    await rig.openBus();
    const serve = rig.ecus.serve(
      { channel: 'SIM00001/1', file: 'ecu.json', ...request },
      rig.benchSource,
    );
    const refusal = await refusalOf(serve);
    expect(refusal.code).toBe(code);
    if (field !== undefined) expect(refusal.details.field).toBe(field);
  });
});
