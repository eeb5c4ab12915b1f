import { describe, expect, it } from 'vitest';
import { engine, LinkRig } from './testing/link-rig.ts';

const opened = async (...of: ConstructorParameters<typeof LinkRig>): Promise<LinkRig> => {
  const rig = new LinkRig(...of);
  await rig.openBus();
  return rig;
};

describe('a request', () => {
  it('returns the response of the ECU', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#0462F19001'] });
    const asked = rig.ask('22F190');
    await rig.pass(2000);
    expect(asked.record).toMatchObject({
      ecu: 'engine',
      request: '22F190',
      response: '62F19001',
      positive: true,
      nrc: null,
      pending: 0,
    });
    expect(rig.seen).toEqual(['7E0#0322F190']);
  });

  it('receives a response of several frames', async () => {
    const rig = await opened();
    rig.answer({
      '7E0#0322F190': ['7E8#101462F190574241'],
      '7E0#300000': ['7E8#2142555342415230', '7E8#2230303030303031'],
    });
    const asked = rig.ask('22F190');
    await rig.pass(10_000);
    expect(asked.record?.response).toBe('62F1905742414255534241523030303030303031');
  });

  it('sends a request of several frames with the block size and STmin of the ECU', async () => {
    const rig = await opened();
    const fc = ['7E8#300205'];
    rig.answer({ '7E0#1014010203040506': fc, '7E0#220E0F1011121314': ['7E8#0141'] });
    const asked = rig.ask('0102030405060708090A0B0C0D0E0F1011121314', { protocol: 'isotp' });
    await rig.pass(3000);
    expect(rig.seen).toHaveLength(2);
    await rig.pass(5000);
    expect(rig.seen).toHaveLength(3);
    await rig.pass(2000);
    expect(asked.record?.response).toBe('41');
  });

  it('returns a negative response as a result', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#037F2231'] });
    const asked = rig.ask('22F190');
    await rig.pass(2000);
    expect(asked.record).toMatchObject({
      response: '7F2231',
      positive: false,
      nrc: 0x31,
      nrc_name: 'request out of range',
    });
  });

  it('waits for P2* after each pending response', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0431010203': ['7E8#037F3178'] });
    const asked = rig.ask('31010203');
    await rig.pass(4_900_000);
    rig.say('7E8#037F3178');
    await rig.pass(4_900_000);
    rig.say('7E8#0571010203FF');
    await rig.pass(1000);
    expect(asked.record).toMatchObject({ response: '71010203FF', pending: 2 });
  });

  it.each([
    ['no_response', '22F190', {}, 60_000],
    ['response_pending_timeout', '22F190', { '7E0#0322F190': ['7E8#037F2278'] }, 5_100_000],
    ['flow_control_timeout', '2E0102030405060708', {}, 1_100_000],
    ['flow_control_overflow', '2E0102030405060708', { '7E0#10092E0102030405': ['7E8#320000'] }, 0],
    [
      'consecutive_frame_timeout',
      '22F190',
      { '7E0#0322F190': ['7E8#101462F190574241'] },
      1_100_000,
    ],
    [
      'sequence_error',
      '22F190',
      { '7E0#0322F190': ['7E8#101462F190574241'], '7E0#300000': ['7E8#2242555342415230'] },
      0,
    ],
    ['response_too_long', '22F190', { '7E0#0322F190': ['7E8#1000000010000102'] }, 0],
    ['unexpected_response', '22F190', { '7E0#0322F190': ['7E8#0462F19101'] }, 60_000],
  ])('fails with %s', async (code, data, answers, us) => {
    const rig = await opened();
    rig.answer(answers);
    const asked = rig.ask(data);
    await rig.pass(5000 + us);
    expect(asked.error?.code).toBe(code);
    expect(asked.record).toBeUndefined();
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const next = rig.ask('3E00');
    await rig.pass(2000);
    expect(next.record?.response).toBe('7E00');
  });
});

describe('an ECU that sends wait frames', () => {
  const data = '2E0102030405060708';

  const waiting = async (wait_max: number, timeout_ms: number) => {
    const rig = await opened({ engine: { ...engine, wait_max } });
    const asked = rig.ask(data, { timeout_ms });
    await rig.pass(5000);
    const wait = async (): Promise<void> => {
      rig.say('7E8#310000');
      await rig.pass(900_000);
    };
    return { rig, asked, wait };
  };

  it('is given up after more than wait_max of them', async () => {
    const { asked, wait } = await waiting(2, 60_000);
    await wait();
    await wait();
    expect(asked.error).toBeUndefined();
    await wait();
    expect(asked.error).toMatchObject({
      code: 'flow_control_timeout',
      details: { reason: 'too_many_waits' },
    });
  });

  it('is given up after timeout_ms without wait_max', async () => {
    const { rig, asked, wait } = await waiting(0, 10_000);
    for (let count = 0; count < 11; count++) await wait();
    expect(asked.error).toBeUndefined();
    await wait();
    expect(asked.error?.code).toBe('flow_control_timeout');
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const next = rig.ask('3E00');
    await rig.pass(2000);
    expect(next.record?.response).toBe('7E00');
  });

  it('may continue within N_Bs', async () => {
    const { rig, asked, wait } = await waiting(0, 60_000);
    await wait();
    rig.answer({ '7E0#21060708': ['7E8#036E0102'] });
    rig.say('7E8#300000');
    await rig.pass(5000);
    expect(asked.record?.response).toBe('6E0102');
  });

  it('is given up after N_Bs in silence', async () => {
    const { rig, asked, wait } = await waiting(0, 60_000);
    await wait();
    await rig.pass(200_000);
    expect(asked.error?.code).toBe('flow_control_timeout');
  });
});

describe('a functional request', () => {
  it('collects the responses of all ECUs until P2 is over', async () => {
    const rig = await opened();
    rig.answer({
      '7DF#0322F190': ['7E8#0462F19001', '7EA#101462F190574241', '7E9#037F2231'],
      '7E2#300000': ['7EA#2142555342415230', '7EA#2230303030303031'],
    });
    const asked = rig.ask('22F190', { functional: true });
    await rig.pass(60_000);
    expect(asked.record?.responses).toEqual([
      { id: 0x7e8, address: null, data: '62F19001', positive: true, nrc: null, nrc_name: null },
      {
        id: 0x7e9,
        address: null,
        data: '7F2231',
        positive: false,
        nrc: 0x31,
        nrc_name: 'request out of range',
      },
      {
        id: 0x7ea,
        address: null,
        data: '62F1905742414255534241523030303030303031',
        positive: true,
        nrc: null,
        nrc_name: null,
      },
    ]);
  });

  it.each([
    [
      'fixed addresses',
      { addressing: 'normal_fixed', functional_id: 0x18db_33f1 },
      {
        '18DB33F1#0322F190': ['18DAF110#0462F19001', '18DAF111#101462F190574241'],
        '18DA11F1#300000': ['18DAF111#2142555342415230', '18DAF111#2230303030303031'],
      },
      [0x18da_f110, 0x18da_f111],
    ],
    [
      'mixed addresses',
      { addressing: 'mixed', address_extension: 0x99, functional_id: 0x18cd_33f1 },
      {
        '18CD33F1#990322F190': ['18CEF110#990462F19001', '18CEF111#99101462F1905742'],
        '18CE11F1#99300000': [
          ...['18CEF111#9921414243444546', '18CEF111#9922414243444546'],
          '18CEF111#9923414243',
        ],
      },
      [0x18ce_f110, 0x18ce_f111],
    ],
  ] as const)(
    'with %s is answered by all ECUs that name the tester',
    async (_, entry, answers, ids) => {
      const ends = { channel: engine.channel, padding: 'none', source: 0xf1, target: 0x10 };
      const rig = await opened({ engine: { ...ends, ...entry } });
      rig.answer(answers);
      const asked = rig.ask('22F190', { functional: true });
      await rig.pass(60_000);
      expect(asked.record?.responses?.map(({ id, address }) => [id, address])).toEqual(
        ids.map((id) => [id, 'address_extension' in entry ? entry.address_extension : null]),
      );
      expect(asked.record?.responses?.[1]?.data).toMatch(/^62F1905742.{30}$/);
    },
  );

  it('of another protocol collects the payloads of all ECUs, too', async () => {
    const rig = await opened();
    rig.answer({ '7DF#021A80': ['7E9#045A800102', '7E8#035A8001'] });
    const asked = rig.ask('1A80', { protocol: 'isotp', functional: true });
    await rig.pass(60_000);
    expect(asked.record?.responses?.map(({ id, data }) => [id, data])).toEqual([
      [0x7e9, '5A800102'],
      [0x7e8, '5A8001'],
    ]);
  });

  it('sets the session by the response of the ECU itself', async () => {
    const rig = await opened();
    const link = await rig.link();
    rig.answer({ '7DF#021003': ['7E9#065003003201F4', '7E8#037F1022'] });
    rig.ask('1003', { functional: true });
    await rig.pass(60_000);
    expect(link.record().session).toBe(1);
    rig.answer({ '7DF#021003': ['7E9#037F1022', '7E8#065003003201F4'] });
    rig.ask('1003', { functional: true });
    await rig.pass(60_000);
    expect(link.record().session).toBe(3);
  });

  it('is followed by the other links of its channel, whose ECUs answer', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    const link = await rig.link('door');
    rig.answer({ '7DF#021003': ['7E9#065003003201F4', '7E8#065003003201F4'] });
    rig.ask('1003', { functional: true });
    await rig.pass(60_000);
    expect(link.record()).toMatchObject({ session: 3, counters: { received: 1, findings: 0 } });
    rig.say('7E9#065001003201F4');
    await rig.pass(1000);
    expect(link.record()).toMatchObject({ session: 3, last_finding: 'unrequested_response' });
  });

  it.each([
    ['without a response', { functional: true, protocol: 'isotp', wait: false }, '1003', 3],
    ['after another request', { functional: true }, '1003', 3],
    ['with the suppress bit', { functional: true }, '1083', 3],
    ['that the ECU refuses', { functional: true }, '1002', 1],
  ] as const)('%s is followed by the other links', async (_, options, data, session) => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    const link = await rig.link('door');
    rig.answer({
      '7E1#023E00': ['7E9#027E00'],
      '7DF#021003': ['7E9#065003003201F4'],
      '7DF#021002': ['7E9#037F1022'],
    });
    rig.ask('3E00', { ecu: 'door', wait: false });
    await rig.pass(1000);
    rig.ask(data, options);
    await rig.pass(60_000);
    expect(link.record()).toMatchObject({ session, counters: { findings: 0 } });
  });

  it('leaves the raw request of another link to its response', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    await rig.link('door');
    rig.ask('1003', { protocol: 'isotp' });
    await rig.pass(2000);
    rig.ask('3E80', { ecu: 'door', functional: true });
    await rig.pass(2000);
    rig.say('7E8#065003003201F4');
    await rig.pass(2000);
    expect((await rig.link()).record()).toMatchObject({ session: 3, counters: { findings: 0 } });
  });

  it('that is never sent lets the session of other links end', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    rig.answer({ '7E1#021003': ['7E9#065003003201F4'] });
    rig.ask('1003', { ecu: 'door' });
    await rig.pass(60_000);
    const link = await rig.link('door');
    await rig.table.close('SIM00001/1', rig.benchSource);
    const asked = rig.ask('22F190', { functional: true });
    for (let times = 0; times < 30; times++) await rig.pass(100_000);
    expect([asked.error?.code, link.record().session]).toEqual(['hardware_timeout', 3]);
    for (let times = 0; times < 60; times++) await rig.pass(100_000);
    expect(link.record().session).toBe(1);
  });

  it('that is never sent changes no session', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    const link = await rig.link('door');
    await rig.table.close('SIM00001/1', rig.benchSource);
    const asked = rig.ask('1083', { functional: true });
    for (let times = 0; times < 30; times++) await rig.pass(100_000);
    expect(asked.error?.code).toBe('hardware_timeout');
    expect(link.record().session).toBe(1);
  });

  it('keeps the session of every ECU that it addresses', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    rig.answer({ '7E1#021003': ['7E9#065003003201F4'] });
    rig.ask('1003', { ecu: 'door' });
    await rig.pass(60_000);
    (await rig.link('engine')).setPresence(true, 2_000_000);
    const link = await rig.link('door');
    for (let seconds = 0; seconds < 8; seconds++) await rig.pass(1_000_000);
    expect(link.record().session).toBe(3);
    (await rig.link('engine')).setPresence(false, 0);
    for (let seconds = 0; seconds < 6; seconds++) await rig.pass(1_000_000);
    expect(link.record().session).toBe(1);
  });

  it('has an address of its own in extended addressing, and ECUs with one identifier', async () => {
    const ends = { channel: engine.channel, padding: 'none', addressing: 'extended', source: 0xf1 };
    const ids = { request_id: 0x6f1, response_id: 0x600, functional_id: 0x6f1 };
    const of = (target: number, more: object) => ({ ...ends, ...ids, target, ...more }) as const;
    const rig = await opened({
      engine: of(0x10, { functional_target: 0xdf }) as typeof engine,
      door: of(0x11, { source: 0xf2 }) as typeof engine,
    });
    await rig.link('door');
    rig.answer({ '6F1#DF023E00': ['600#F1027E00', '600#F2037F3E22'] });
    const asked = rig.ask('3E00', { functional: true });
    await rig.pass(60_000);
    expect(asked.record?.responses?.map(({ id, address, data }) => [id, address, data])).toEqual([
      [0x600, 0xf1, '7E00'],
      [0x600, 0xf2, '7F3E22'],
    ]);
  });

  it('that is longer than a frame is refused', async () => {
    const rig = await opened();
    const asked = rig.ask('2E01020304050607', { functional: true });
    await rig.pass(1000);
    expect(asked.error).toMatchObject({ code: 'invalid_argument', details: { field: 'data' } });
    expect(rig.seen).toEqual([]);
  });
});

describe('requests of several callers', () => {
  it('are sent one after the other', async () => {
    const rig = await opened();
    const [one, two] = [rig.ask('22F190'), rig.ask('3E00')];
    await rig.pass(40_000);
    expect(rig.seen).toEqual(['7E0#0322F190']);
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    rig.say('7E8#0462F19001');
    await rig.pass(2000);
    await rig.pass(2000);
    expect(one.record?.response).toBe('62F19001');
    expect(two.record?.response).toBe('7E00');
  });

  it('are refused as busy when 32 wait', async () => {
    const rig = await opened();
    const asked = Array.from({ length: 34 }, () => rig.ask('22F190'));
    await rig.pass(1000);
    expect(asked.map(({ error }) => error?.code).filter(Boolean)).toEqual(['busy']);
    expect((await rig.link()).record().queued).toBe(32);
  });

  it('are not sent for a caller that left while it waited', async () => {
    const rig = await opened();
    const caller = new AbortController();
    rig.ask('22F190');
    const left = rig.ask('3E00', {}, caller.signal);
    await rig.pass(1000);
    caller.abort();
    await rig.pass(60_000);
    await rig.pass(60_000);
    expect(left.error?.code).toBe('operation_cancelled');
    expect(rig.seen).toEqual(['7E0#0322F190']);
  });
});

describe('TesterPresent', () => {
  it('is sent to the functional identifier, also while a request is pending', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0431010203': ['7E8#037F3178'] });
    (await rig.link()).setPresence(true, 2_000_000);
    rig.ask('31010203');
    await rig.pass(1000);
    await rig.pass(2_000_000);
    await rig.pass(2_000_000);
    expect(rig.seen.filter((frame) => frame === '7DF#023E80')).toHaveLength(3);
  });

  it('waits for the frames of a request without a functional identifier', async () => {
    const { functional_id: _, ...physical } = engine;
    const rig = await opened({ engine: physical });
    const link = await rig.link();
    rig.answer({ '7E0#1014010203040506': ['7E8#300032'] });
    rig.ask('0102030405060708090A0B0C0D0E0F1011121314', { protocol: 'isotp', wait: false });
    await rig.pass(10_000);
    link.setPresence(true, 60_000_000);
    await rig.pass(30_000);
    expect(rig.seen).not.toContain('7E0#023E80');
    await rig.pass(30_000);
    expect(rig.seen.slice(-2)).toEqual(['7E0#220E0F1011121314', '7E0#023E80']);
  });
});

describe('TesterPresent that no ECU acknowledges', () => {
  it('is a finding when the next one is due', async () => {
    const rig = await opened();
    const link = await rig.link();
    await rig.table.close('SIM00001/1', rig.benchSource);
    link.setPresence(true, 100_000);
    await rig.pass(50_000);
    expect(link.record().counters).toMatchObject({ sent: 0, findings: 0 });
    await rig.pass(100_000);
    expect(link.record()).toMatchObject({
      counters: { sent: 0, findings: 1 },
      last_finding: 'tester_present_not_sent',
    });
  });
});

describe('TesterPresent that is switched off', () => {
  it('is not sent after the request that it waited for', async () => {
    const { functional_id: _, ...physical } = engine;
    const rig = await opened({ engine: physical });
    const link = await rig.link();
    rig.answer({ '7E0#1014010203040506': ['7E8#300032'] });
    rig.ask('0102030405060708090A0B0C0D0E0F1011121314', { protocol: 'isotp', wait: false });
    await rig.pass(10_000);
    link.setPresence(true, 60_000_000);
    await rig.pass(10_000);
    link.setPresence(false, 0);
    await rig.pass(100_000);
    expect(rig.seen.at(-1)).toBe('7E0#220E0F1011121314');
  });
});

describe('a payload that is sent without awaiting a response', () => {
  it('has its response followed all the same', async () => {
    const rig = await opened();
    const link = await rig.link();
    rig.answer({ '7E0#021003': ['7E8#065003003201F4'] });
    const sent = rig.ask('1003', { protocol: 'isotp', wait: false });
    await rig.pass(60_000);
    expect(sent.record?.response).toBeNull();
    expect(link.record()).toMatchObject({ session: 3, counters: { findings: 0 } });
    rig.ask('1081', { wait: false });
    await rig.pass(60_000);
    expect(link.record().session).toBe(1);
  });

  it.each([
    ['1085', '5085'],
    ['10C9', '62F19001'],
    ['2786AABB', '62F19001'],
    ['10C0', '7F1012'],
  ])('%s does not change the session by the response %s', async (request, response) => {
    for (const wait of [true, false]) {
      const rig = await opened();
      const size = (hex: string) => `0${hex.length / 2}${hex}`;
      rig.answer({ [`7E0#${size(request)}`]: [`7E8#${size(response)}`] });
      rig.ask(request, { protocol: 'isotp', wait });
      await rig.pass(10_000);
      expect((await rig.link()).record()).toMatchObject({ session: 1, security_level: 0 });
    }
  });

  it('keeps the session while its response is pending', async () => {
    const rig = await opened();
    const link = await rig.link();
    rig.answer({
      '7E0#021003': ['7E8#065003003201F4'],
      '7E0#0431010203': ['7E8#037F3178'],
    });
    rig.ask('1003');
    await rig.pass(10_000);
    rig.ask('31010203', { wait: false });
    await rig.pass(10_000);
    for (let seconds = 1; seconds <= 8; seconds++) {
      await rig.pass(1_000_000);
      if (seconds % 4 === 0) rig.say('7E8#037F3178');
    }
    expect(link.record()).toMatchObject({ session: 3, counters: { findings: 0 } });
    rig.say('7E8#0471010203');
    await rig.pass(1000);
    expect(link.record()).toMatchObject({ session: 3, counters: { findings: 0 } });
  });

  it('is followed although TesterPresent and another request were sent since', async () => {
    const door = { ...engine, request_id: 0x7e1, response_id: 0x7e9 };
    const rig = await opened({ engine, door });
    const link = await rig.link('door');
    rig.answer({ '7E1#021003': ['7E9#037F1078'], '7E1#0322F190': ['7E9#0462F19001'] });
    rig.ask('1003', { ecu: 'door', wait: false });
    await rig.pass(10_000);
    (await rig.link('engine')).setPresence(true, 100_000);
    const asked = rig.ask('22F190', { ecu: 'door' });
    for (let times = 0; times < 10; times++) await rig.pass(50_000);
    expect(asked.record?.response).toBe('62F19001');
    rig.say('7E9#065003003201F4');
    await rig.pass(1000);
    expect(link.record()).toMatchObject({ session: 3, counters: { findings: 0 } });
  });

  it('has one response: further ones are findings', async () => {
    const rig = await opened();
    rig.answer({ '7E0#023E00': ['7E8#027E00', '7E8#027E00', '7E8#027E00'] });
    rig.ask('3E00', { wait: false });
    await rig.pass(60_000);
    expect((await rig.link()).record().counters.findings).toBe(2);
  });

  it('changes the session as one with a response does', async () => {
    const rig = await opened();
    const link = await rig.link();
    rig.answer({ '7E0#021003': ['7E8#065003003201F4'] });
    rig.ask('1003', { protocol: 'isotp' });
    await rig.pass(60_000);
    expect(link.record().session).toBe(3);
  });
});

describe('a link', () => {
  it('sends nothing of a request that has failed', async () => {
    const rig = await opened();
    await rig.table.close('SIM00001/1', rig.benchSource);
    const asked = ['3E00', '1101', '1102'].map((data) => rig.ask(data));
    for (let times = 0; times < 40; times++) await rig.pass(100_000);
    expect(asked.map(({ error }) => error?.code)).toEqual([
      'hardware_timeout',
      'hardware_timeout',
      'hardware_timeout',
    ]);
    await rig.reopenEcu();
    await rig.pass(100_000);
    // The frame that the controller repeats cannot be taken back.
    expect(rig.seen.filter((frame) => frame !== '7E0#023E00')).toEqual([]);
  });

  it('fails its requests when the channel closes, and comes back with it', async () => {
    const rig = await opened();
    const link = await rig.link();
    link.setPresence(true, 1_000_000);
    rig.answer({ '7E0#021003': ['7E8#065003003201F4'] });
    rig.ask('1003');
    await rig.pass(2000);
    expect(link.record()).toMatchObject({ session: 3, tester_present: true });
    const [one, two] = [rig.ask('22F190'), rig.ask('22F190')];
    await rig.pass(1000);
    await rig.table.close('SIM00001/0', rig.benchSource);
    await rig.pass(1000);
    expect([one.error?.code, two.error?.code]).toEqual(['hardware_error', 'hardware_error']);
    expect(link.record()).toMatchObject({
      state: 'waiting',
      session: 1,
      security_level: 0,
      tester_present: false,
    });
    const refused = rig.ask('22F190');
    await rig.pass(1000);
    expect(refused.error?.code).toBe('channel_not_open');
    await rig.open(0);
    expect(link.record().state).toBe('open');
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const next = rig.ask('3E00');
    await rig.pass(2000);
    expect(next.record?.response).toBe('7E00');
  });

  it.each([
    ['a request is sent', '2E0102030405060708', { '7E0#10092E0102030405': ['7E8#310000'] }],
    ['a response is received', '22F190', { '7E0#0322F190': ['7E8#101462F190574241'] }],
  ])('that loses its device while %s comes back with it', async (_, data, answers) => {
    const rig = await opened();
    rig.answer(answers);
    const asked = rig.ask(data);
    await rig.pass(1000);
    rig.driver.faults.loseDevice();
    await rig.pass(1000);
    expect(asked.error).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_lost' },
    });
    const link = await rig.links.show('engine', rig.benchSource);
    expect(link.state).toBe('waiting');
    const refused = rig.ask('3E00');
    await rig.pass(1000);
    expect(refused.error?.code).toBe('hardware_error');
    rig.driver.faults.returnDevice();
    await rig.pass(1_000_000);
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const next = rig.ask('3E00');
    await rig.pass(2000);
    expect(next.record?.response).toBe('7E00');
  });

  it('refuses the identifiers of another link on its channel', async () => {
    const rig = await opened();
    await rig.link();
    const other = { ...engine, name: 'other' };
    await expect(rig.links.open(other, rig.benchSource)).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  it('is refused beyond 64 of them, until one is closed', async () => {
    const rig = await opened();
    const open = (index: number) => {
      const ids = { request_id: 0x100 + index, response_id: 0x200 + index };
      const link = { channel: engine.channel, name: `ecu-${index}`, ...ids };
      return rig.links.open(link, rig.benchSource);
    };
    for (let index = 0; index < 64; index++) await open(index);
    await expect(open(64)).rejects.toMatchObject({
      code: 'capacity_exceeded',
      details: { limit: 64 },
    });
    await rig.links.close('ecu-0', rig.benchSource);
    expect(await open(64)).toMatchObject({ state: 'open' });
  });

  it('takes no response that came before its request was sent', async () => {
    const rig = await opened();
    rig.ask('22F190');
    await rig.pass(60_000);
    rig.say('7E8#0462F19001');
    // The bus is busy with the late response when the next request is handed over.
    await rig.pass(50);
    const next = rig.ask('22F190');
    await rig.pass(1000);
    expect(rig.seen).toHaveLength(2);
    expect(next.record).toBeUndefined();
    rig.say('7E8#0462F19002');
    await rig.pass(1000);
    expect(next.record?.response).toBe('62F19002');
    expect((await rig.link()).record().last_finding).toBe('unrequested_response');
  });

  it('counts a response to another request as a finding', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#0462F19101', '7E8#0462F19002'] });
    const asked = rig.ask('22F190');
    await rig.pass(10_000);
    expect(asked.record?.response).toBe('62F19002');
    expect((await rig.link()).record()).toMatchObject({
      counters: { findings: 1 },
      last_finding: 'unrequested_response',
    });
  });

  it('counts a response that comes too late as a finding', async () => {
    const rig = await opened();
    rig.ask('22F190');
    await rig.pass(60_000);
    rig.say('7E8#0462F19001');
    await rig.pass(1000);
    expect((await rig.link()).record()).toMatchObject({
      counters: { sent: 1, received: 1, timeouts: 1, findings: 1 },
      last_finding: 'unrequested_response',
    });
  });

  it('does not take the rest of a late response for that of the next request', async () => {
    const rig = await opened();
    rig.ask('22F190');
    await rig.pass(60_000);
    rig.say('7E8#101462F190574241');
    await rig.pass(1000);
    const next = rig.ask('22F190', { protocol: 'isotp' });
    await rig.pass(1000);
    rig.say('7E8#2142555342415230');
    rig.say('7E8#2230303030303031');
    await rig.pass(1000);
    expect(next.record).toBeUndefined();
    rig.say('7E8#0462F19001');
    await rig.pass(1000);
    expect(next.record?.response).toBe('62F19001');
  });

  it('does not take the rest of a response after timeout_ms for that of the next request', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#101462F190574241'] });
    const first = rig.ask('22F190', { timeout_ms: 20 });
    const next = rig.ask('22F190');
    await rig.pass(1000);
    await rig.pass(25_000);
    expect(first.error?.code).toBe('no_response');
    rig.answer({});
    rig.say('7E8#2142555342415230');
    rig.say('7E8#2330303030303031');
    await rig.pass(1000);
    expect([next.record, next.error]).toEqual([undefined, undefined]);
    rig.say('7E8#0462F19001');
    await rig.pass(1000);
    expect(next.record?.response).toBe('62F19001');
  });

  it('is closed with what it waits for', async () => {
    const rig = await opened();
    const asked = rig.ask('22F190');
    await rig.pass(1000);
    expect(await rig.links.close('engine', rig.benchSource)).toMatchObject({ state: 'closed' });
    await rig.pass(1000);
    expect(asked.error?.code).toBe('operation_cancelled');
    expect(await rig.links.show('engine', rig.benchSource)).toMatchObject({
      state: 'closed',
      in_bench: true,
    });
  });
});
