import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatHex } from '../../frame/hex-bytes.ts';
import type { EcuModel } from '../ecu-model.ts';
import { EcuRig, sampleModel } from './testing/ecu-rig.ts';
import { engine, LinkRig } from './testing/link-rig.ts';
import { type Ask, UdsCalls } from './uds-calls.ts';

const address = 0x0800_0000;

/** A call of each service. */
const services: Readonly<Record<string, (calls: UdsCalls, ask: Ask) => Promise<object>>> = {
  session: (calls, ask) => calls.session(ask, 'extended', false),
  reset: (calls, ask) => calls.reset(ask, 'hard', false),
  read: (calls, ask) => calls.read(ask, ['F190']),
  write: (calls, ask) => calls.write(ask, '0101', '5A'),
  'write of several frames': (calls, ask) => calls.write(ask, 'F190', '41'.repeat(17)),
  dtc: (calls, ask) => calls.dtcs(ask, {}),
  snapshot: (calls, ask) => calls.dtcs(ask, { snapshot: '123456' }),
  'number of trouble codes': (calls, ask) => calls.dtcs(ask, { count: true }),
  'supported trouble codes': (calls, ask) => calls.dtcs(ask, { supported: true }),
  'extended data': (calls, ask) => calls.dtcs(ask, { extended: '123456' }),
  clear: (calls, ask) => calls.clear(ask, undefined),
  routine: (calls, ask) => calls.routine(ask, 'start', '0203', undefined),
  'routine stop': (calls, ask) => calls.routine(ask, 'stop', '0203', undefined),
  'routine result': (calls, ask) => calls.routine(ask, 'result', '0203', undefined),
  security: (calls, ask) => calls.security(ask, 1, 'CAFEBABE'),
  communication: (calls, ask) =>
    calls.communication(ask, 'disable-rx-tx', 'normal', undefined, false),
  'dtc-setting': (calls, ask) => calls.dtcSetting(ask, 'off', false),
  io: (calls, ask) => calls.io(ask, '0101', 'adjust', '01', undefined),
  'memory-read': (calls, ask) => calls.memoryRead(ask, address, 16),
  'memory-write': (calls, ask) => calls.memoryWrite(ask, address, '0102'),
};

/** Outcome of a call to an ECU: its answer, or the code of its error. */
const outcomeOf = async (
  service: string,
  more: Pick<EcuModel, 'faults' | 'routines'> = {},
  timeoutUs = 60_000_000,
): Promise<object | string> => {
  const rig = new EcuRig();
  await rig.openEngine({ routines: { '0203': {} }, ...more });
  const calls = new UdsCalls({
    links: rig.links,
    readDids: async () => ({}),
    keyOf: async () => new Uint8Array(),
  });
  const ask = { ecu: 'engine', bench: rig.benchSource, signal: undefined, timeoutUs };
  let outcome: object | string | undefined;
  services[service]?.(calls, ask).then(
    (answer) => {
      outcome = answer;
    },
    (thrown) => {
      outcome = BusbarError.from(thrown).code;
    },
  );
  for (let left = 2000; left > 0 && outcome === undefined; left--) await rig.pass(5000);
  expect(rig.defects).toEqual([]);
  return outcome ?? 'open';
};

describe.each(Object.keys(services))('the service %s', (service) => {
  it('returns a negative response as a result', async () => {
    expect(await outcomeOf(service, { faults: [{ kind: 'nrc', nrc: 0x22 }] })).toMatchObject({
      positive: false,
      nrc: 0x22,
      nrc_name: 'conditions not correct',
      pending: 0,
      result: null,
    });
  });

  it.each([
    ['no_response', 'silent'],
    ['response_pending_timeout', 'silent_after_pending'],
  ] as const)('fails with %s to an ECU that is %s', async (code, kind) => {
    expect(await outcomeOf(service, { faults: [{ kind }] })).toBe(code);
  });
});

describe('the key of a security level', () => {
  const seedKey = { library: 'plugins/key.so', entry: 'key' };

  /** Outcome of unlocking level 1, with the responses to the key. */
  const unlocked = async (responses: readonly string[], key: string | undefined) => {
    const rig = new LinkRig({ engine: { ...engine, seed_key: seedKey } });
    await rig.openBus();
    rig.answer({ '7E0#022701': ['7E8#066701DEADBEEF'], '7E0#062702CAFEBABE': responses });
    const calls = new UdsCalls({
      links: rig.links,
      readDids: async () => ({}),
      keyOf: async (_, level, seed) => {
        expect([level, formatHex(seed)]).toEqual([1, 'DEADBEEF']);
        return Uint8Array.of(0xca, 0xfe, 0xba, 0xbe);
      },
    });
    const ask = { ecu: 'engine', bench: rig.benchSource, signal: undefined, timeoutUs: 60_000_000 };
    let outcome: unknown;
    calls.security(ask, 1, key).then(
      (answer) => {
        outcome = answer;
      },
      (thrown) => {
        outcome = BusbarError.from(thrown).code;
      },
    );
    for (let left = 2000; left > 0 && outcome === undefined; left--) await rig.pass(5000);
    return { outcome, link: (await rig.link()).record() };
  };

  describe.each([
    ['given', 'CAFEBABE'],
    ['computed', undefined],
  ])('that is %s', (_, key) => {
    it('unlocks the level', async () => {
      const { outcome, link } = await unlocked(['7E8#026702'], key);
      expect(outcome).toMatchObject({ result: { level: 1, seed: 'DEADBEEF', unlocked: true } });
      expect(link.security_level).toBe(1);
    });

    it('is refused as a result', async () => {
      const { outcome, link } = await unlocked(['7E8#037F2735'], key);
      expect(outcome).toMatchObject({
        request: '2702CAFEBABE',
        ...{ positive: false, nrc: 0x35, nrc_name: 'invalid key', result: null },
      });
      expect(link.security_level).toBe(0);
    });

    it.each([
      ['no_response', []],
      ['response_pending_timeout', ['7E8#037F2778']],
    ])('fails with %s', async (code, responses) => {
      const { outcome, link } = await unlocked(responses, key);
      expect([outcome, link.security_level]).toEqual([code, 0]);
    });
  });
});

describe('a request for trouble codes', () => {
  it.each([
    ['mask', { mask: 8, snapshot: '123456' }],
    ['mask', { mask: 8, supported: true }],
    ['record', { record: 1 }],
    ['supported', { count: true, supported: true }],
  ])('is refused for its %s: %o', async (field, call) => {
    const rig = new EcuRig();
    const calls = new UdsCalls({
      links: rig.links,
      readDids: async () => ({}),
      keyOf: async () => new Uint8Array(),
    });
    const ask = { ecu: 'engine', bench: rig.benchSource, signal: undefined, timeoutUs: 1 };
    await expect(calls.dtcs(ask, call)).rejects.toMatchObject({ details: { field } });
  });
});

describe('named services', () => {
  it('end with their limit, also while the response is pending', async () => {
    const routines = { '0203': { duration_ms: 3000 } };
    expect(await outcomeOf('routine', { routines })).toMatchObject({ pending: 1, positive: true });
    expect(await outcomeOf('routine', { routines }, 1_000_000)).toBe('response_pending_timeout');
  });

  it('return what the response says', async () => {
    expect(await outcomeOf('session')).toMatchObject({
      request: '1003',
      response: '5003003201F4',
      positive: true,
      nrc: null,
      result: { session: 3, p2_ms: 50, p2_star_ms: 5000 },
    });
    expect(await outcomeOf('memory-read')).toMatchObject({
      result: { address, size: 16, data: 'FF'.repeat(16) },
    });
    expect(await outcomeOf('snapshot')).toMatchObject({
      result: { dtcs: [{ text: 'P1234-56', status: sampleModel.dtcs?.[0]?.status }] },
    });
  });
});
