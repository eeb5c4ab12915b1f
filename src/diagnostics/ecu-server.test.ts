import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import { type EcuModel, ecuModelProblems, readEcuModel } from './ecu-model.ts';
import { EcuServer } from './ecu-server.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 9000 });

const model: EcuModel = {
  dids: {
    F190: { text: 'WBABUSBAR00000001' },
    '0100': { hex: '5A', writable: true },
    '0101': { hex: 'AABB', writable: true, security: 1 },
    '0102': { counter: 1 },
    '0103': { signal: 'demo/speed' },
    '0104': { signal: 'demo/off' },
    '0105': { hex: 'CC', writable: true, sessions: [2] },
    '0106': { hex: 'DD'.repeat(4094) },
  },
  dtcs: [
    { dtc: '123456', status: 0x2f, snapshot: '0101005A', extended: '05' },
    { dtc: '9ABCDE', status: 0x08 },
  ],
  sessions: { '2': {}, '3': { p2_ms: 100, p2_star_ms: 2000, s3_ms: 3000 } },
  security: { '1': { seed: 'DEADBEEF', key: 'CAFE' }, '3': { seed: '01', key: '02' } },
  routines: {
    '0203': { duration_ms: 300, result: 'FF' },
    '0204': {},
    '0205': { security: 1 },
    '0206': { duration_ms: 10_000 },
  },
  memory: { address: 0x1000, size: 16, block_length: 6 },
};

const signals = (signal: string): string | null => (signal === 'demo/speed' ? '-2' : null);

/** Time and bytes of each response; without a time if it came immediately. */
const taken = (server: EcuServer, nowUs: number): string[] => {
  const found: string[] = [];
  for (let next = server.takeResponse(); next !== null; next = server.takeResponse()) {
    expect(next.atUs).toBe(nowUs);
    const faults = next.faults.map(({ kind, frame, delayUs }) => ` ${kind} ${frame} ${delayUs}`);
    found.push(formatHex(next.payload) + faults.join(''));
  }
  return found;
};

/** A server to ask, one request after the other. */
const bench = (of: EcuModel = model) => {
  const server = new EcuServer({ model: of, readSignal: signals });
  let nowUs = 0;
  const ask = (request: string, functional = false): string => {
    nowUs += 1;
    server.request(bytes(request), functional, nowUs);
    return taken(server, nowUs).join(' ') || 'silence';
  };
  /** Responses with their times until then. */
  const wait = (ms: number): string[] => {
    const endUs = nowUs + ms * 1000;
    const startUs = nowUs;
    const found: string[] = [];
    while (server.deadlineUs <= endUs) {
      nowUs = server.deadlineUs;
      server.expire(nowUs);
      found.push(...taken(server, nowUs).map((each) => `${(nowUs - startUs) / 1000}: ${each}`));
    }
    nowUs = endUs;
    return found;
  };
  return { server, ask, wait };
};

const inDefault: readonly string[] = [];
const inExtended = ['1003'];
const unlocked = ['1003', '2701', '2702CAFE'];

describe('a server', () => {
  it.each<[readonly string[], string, string]>([
    [inDefault, '1001', '5001003201F4'],
    [inDefault, '1003', '5003006400C8'],
    [inDefault, '1004', '7F1012'],
    [inDefault, '10', '7F1013'],
    [inDefault, '100300', '7F1013'],
    [inDefault, '1083', 'silence'],
    [inDefault, '1101', '5101'],
    [inDefault, '1104', '7F1112'],
    [inDefault, '110100', '7F1113'],
    [inDefault, '3E00', '7E00'],
    [inDefault, '3E80', 'silence'],
    [inDefault, '3E01', '7F3E12'],
    [inDefault, '3E', '7F3E13'],
    [inDefault, '3E0000', '7F3E13'],
    [inDefault, '22F190', '62F1905742414255534241523030303030303031'],
    [inDefault, '220100ABCD0101', '6201005A0101AABB'],
    [inDefault, '22ABCD', '7F2231'],
    [inDefault, '2201', '7F2213'],
    [inDefault, '220103', '620103FFFFFFFE'],
    [inDefault, '220104', '7F2222'],
    [inDefault, '220106', '7F2214'],
    [['220102'], '220102', '62010201'],
    [inDefault, '2E010042', '6E0100'],
    [['2E010042'], '220100', '62010042'],
    [inDefault, '2E01004243', '7F2E13'],
    [inDefault, '2E0100', '7F2E13'],
    [inDefault, '2EF19042', '7F2E31'],
    [inDefault, '2E01011122', '7F2E33'],
    [unlocked, '2E01011122', '6E0101'],
    [inDefault, '2E010501', '7F2E31'],
    [['1002'], '2E010501', '6E0105'],
    [inDefault, '1901FF', '5901AF010002'],
    [inDefault, '190108', '5901AF010002'],
    [inDefault, '190202', '5902AF1234562F'],
    [inDefault, '1902FF', '5902AF1234562F9ABCDE08'],
    [inDefault, '190250', '5902AF'],
    [inDefault, '190A', '590AAF1234562F9ABCDE08'],
    [inDefault, '1904123456FF', '59041234562F010101005A'],
    [inDefault, '190412345601', '59041234562F010101005A'],
    [inDefault, '19069ABCDEFF', '59069ABCDE08'],
    [inDefault, '1906123456FF', '59061234562F0105'],
    [inDefault, '1906123457FF', '7F1931'],
    [inDefault, '190612345602', '7F1931'],
    [inDefault, '1906123456', '7F1913'],
    [inDefault, '1902', '7F1913'],
    [inDefault, '1901', '7F1913'],
    [inDefault, '190A00', '7F1913'],
    [inDefault, '1903', '7F1912'],
    [inDefault, '1982FF', 'silence'],
    [inDefault, '14FFFFFF', '54'],
    [['14FFFFFF'], '1902FF', '5902AF'],
    [['14123456'], '1902FF', '5902AF9ABCDE08'],
    [['14123456'], '1904123456FF', '590412345600'],
    [inDefault, '14123457', '7F1431'],
    [inDefault, '14FFFF', '7F1413'],
    [inDefault, '2701', '7F277F'],
    [inExtended, '2701', '6701DEADBEEF'],
    [inExtended, '270100', '7F2713'],
    [inExtended, '2705', '7F2712'],
    [inExtended, '2702CAFE', '7F2724'],
    [['1003', '2701'], '2702', '7F2713'],
    [['1003', '2701'], '2702CAFF', '7F2735'],
    [['1003', '2701'], '270402', '7F2724'],
    [['1003', '2701'], '2702CAFE', '6702'],
    [unlocked, '2701', '670100000000'],
    [unlocked, '2703', '670301'],
    [[...unlocked, '1003'], '2E01011122', '7F2E33'],
    [[...unlocked, '1101'], '2E01011122', '7F2E33'],
    [inDefault, '280001', '7F287F'],
    [inExtended, '280301', '6803'],
    [inExtended, '2803', '7F2813'],
    [inExtended, '2804010001', '7F2812'],
    [inDefault, '8502', '7F857F'],
    [inExtended, '8502', 'C502'],
    [inExtended, '8503', '7F8512'],
    [inDefault, '2F010003', '7F2F7F'],
    [inExtended, '2F01000377', '6F01000377'],
    [['1003', '2F01000377'], '220100', '62010077'],
    [['1003', '2F01000377', '2F010000'], '220100', '6201005A'],
    [['1003', '2F01000377', '1001'], '220100', '6201005A'],
    [['1003', '2F010002', '2E010042'], '220100', '6201005A'],
    [inExtended, '2F010003', '7F2F13'],
    [inExtended, '2F0100', '7F2F13'],
    [inExtended, '2F010004', '7F2F31'],
    [inExtended, '2FF19000', '7F2F31'],
    [inExtended, '2F010100', '7F2F33'],
    [inDefault, '31010204', '71010204'],
    [inDefault, '31030204', '7F3124'],
    [['31010204'], '31030204', '71030204'],
    [['31010204'], '31020204', '71020204'],
    [inDefault, '31040204', '7F3112'],
    [inDefault, '31010207', '7F3131'],
    [inDefault, '310102', '7F3113'],
    [inDefault, '31010205', '7F3133'],
    [unlocked, '31010205', '71010205'],
    [inDefault, '2322100004', '7F2313'],
    [inDefault, '2312100004', '63FFFFFFFF'],
    [inDefault, '2312100E04', '7F2331'],
    [inDefault, '2312100000', '7F2331'],
    [inDefault, '3D12100002AABB', '7D12100002'],
    [['3D12100002AABB'], '2312100004', '63AABBFFFF'],
    [inDefault, '3D12100002AA', '7F3D13'],
    [inDefault, '3D12100F02AABB', '7F3D31'],
    [inDefault, '340012100004', '7F347F'],
    [inExtended, '340012100004', '74200006'],
    [inExtended, '3400121000', '7F3413'],
    [inExtended, '340012100E04', '7F3431'],
    [inExtended, '341012100004', '7F3431'],
    [['1003', '340012100004'], '340012100004', '7F3422'],
    [inExtended, '3601AA', '7F3624'],
    [['1003', '340012100004'], '36', '7F3613'],
    [['1003', '340012100004'], '3601', '7F3613'],
    [['1003', '340012100004'], '36010102030405', '7F3613'],
    [['1003', '340012100004'], '3602AA', '7F3673'],
    [['1003', '340012100004'], '3600AA', '7F3673'],
    [['1003', '340012100002'], '3601010203', '7F3631'],
    [['1003', '340012100004'], '360101020304', '7601'],
    [['1003', '340012100004', '36010102'], '360103', '7601'],
    [
      ['1003', '340012100004', '36010102', '360105', '36020304', '37'],
      '2312100005',
      '6301020304FF',
    ],
    [['1003', '340012100004', '36010102'], '37', '7F3724'],
    [inExtended, '37', '7F3724'],
    [['1003', '340012100004', '1003'], '3601AA', '7F3624'],
    [inDefault, '35', '7F3511'],
    [inDefault, 'BA', '7FBA11'],
    [inDefault, '2A01', '7F2A11'],
  ])('after %j answers %s with %s', (before, request, response) => {
    const { ask } = bench();
    for (const each of before) ask(each);
    expect(ask(request)).toBe(response);
  });

  it.each(['2312100004', '3D12100002AABB', '340012100004', '2701'])(
    'without memory and security does not support %s',
    (request) => {
      expect(bench({}).ask(request)).toBe(`7F${request.slice(0, 2)}11`);
    },
  );

  it.each<[string, string]>([
    ['BA', 'silence'],
    ['1004', 'silence'],
    ['22ABCD', 'silence'],
    ['2701', 'silence'],
    ['220104', '7F2222'],
    ['10', '7F1013'],
    ['3E00', '7E00'],
    ['220100', '6201005A'],
  ])('answers the functional request %s with %s', (request, response) => {
    expect(bench().ask(request, true)).toBe(response);
  });

  it('has the sessions of its file and the default one', () => {
    const { ask } = bench({ sessions: { '64': {} } });
    expect([ask('1001'), ask('1040'), ask('1003')]).toEqual([
      '5001003201F4',
      '5040003201F4',
      '7F1012',
    ]);
  });

  it('returns to the default session after S3, which requests restart', () => {
    const { server, ask, wait } = bench();
    ask('1003');
    wait(2999);
    ask('3E80');
    wait(2999);
    expect(server.session).toBe(3);
    wait(1);
    expect([server.session, server.deadlineUs]).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  it('refuses keys for a time after three wrong ones', () => {
    const { ask, wait, server } = bench();
    const wrong = (): string => `${ask('2701')} ${ask('2702FF')}`;
    ask('1003');
    expect([wrong(), wrong(), wrong()]).toEqual([
      '6701DEADBEEF 7F2735',
      '6701DEADBEEF 7F2735',
      '6701DEADBEEF 7F2736',
    ]);
    expect(wrong()).toBe('7F2737 7F2737');
    wait(10_000);
    ask('1003');
    expect([ask('2701'), ask('2702CAFE'), server.securityLevel]).toEqual([
      '6701DEADBEEF',
      '6702',
      1,
    ]);
  });

  it('says that a routine is pending before P2, and again before P2*', () => {
    const { ask, wait } = bench();
    ask('1003');
    expect(ask('31010206')).toBe('silence');
    expect(wait(11_000)).toEqual([
      ...Array.from({ length: 7 }, (_, index) => `${80 + 1600 * index}: 7F3178`),
      '10000: 71010206',
    ]);
  });

  it('has no result of a routine that was started before a reset', () => {
    const { ask } = bench({ routines: { '0001': {} } });
    expect([ask('31010001'), ask('31030001'), ask('1101'), ask('31030001')]).toEqual([
      '71010001',
      '71030001',
      '5101',
      '7F3124',
    ]);
  });

  it('does not say so of a routine that ends within P2', () => {
    const { ask, wait } = bench({ routines: { '0001': { duration_ms: 39 } } });
    expect([ask('31010001'), wait(60)]).toEqual(['silence', ['39: 71010001']]);
  });

  it('says that a routine is pending although its alarm comes after the end', () => {
    const { server, ask } = bench();
    ask('31010203');
    server.expire(400_000);
    expect(taken(server, 400_000)).toEqual(['7F3178', '71010203FF']);
  });

  it('omits the suppressed response of a routine, unless it was pending', () => {
    const short = bench({ routines: { '0001': { duration_ms: 39 } } });
    expect([short.ask('31810001'), short.wait(60)]).toEqual(['silence', []]);
    const long = bench();
    expect([long.ask('31810203'), long.wait(400)]).toEqual([
      'silence',
      ['40: 7F3178', '300: 71010203FF'],
    ]);
  });

  it('is busy meanwhile, and takes TesterPresent', () => {
    const { ask } = bench();
    ask('31010203');
    expect([ask('22F190'), ask('3E80', true), ask('3E00')]).toEqual([
      '7F2221',
      'silence',
      '7F3E21',
    ]);
  });

  it('stays in its session while a routine runs', () => {
    const { ask, wait, server } = bench();
    ask('1003');
    ask('31010206');
    wait(10_000);
    expect(server.session).toBe(3);
    wait(3000);
    expect(server.session).toBe(1);
  });

  it('keeps a counter within its bytes', () => {
    const { ask } = bench();
    const values = Array.from({ length: 257 }, () => ask('220102'));
    expect([values[255], values[256]]).toEqual(['620102FF', '62010200']);
  });

  it('ignores an empty payload', () => {
    expect(bench().ask('')).toBe('silence');
  });
});

describe('a server whose response is longer than 4,095 bytes', () => {
  const long = '5A'.repeat(4095);

  it.each<[string, EcuModel, string, string]>([
    ['of a routine', { routines: { '0203': { result: long } } }, '31010203', '7F3114'],
    [
      'of a snapshot',
      { dtcs: [{ dtc: '123456', status: 8, snapshot: long }] },
      '1904123456FF',
      '7F1914',
    ],
  ])('refuses that %s', (_, of, request, response) => {
    expect(ecuModelProblems(of)).toEqual([]);
    expect(bench(of).ask(request)).toBe(response);
  });
});

describe('a server with faults', () => {
  it.each<[NonNullable<EcuModel['faults']>, string[]]>([
    [[{ kind: 'silent', count: 1 }], ['silence', '6201005A']],
    [[{ kind: 'silent' }], ['silence', 'silence']],
    [[{ kind: 'silent_after_pending', count: 1 }], ['7F2278', '6201005A']],
    [[{ kind: 'nrc', nrc: 0x21, count: 1 }], ['7F2221', '6201005A']],
    [[{ kind: 'nrc', count: 1 }], ['7F2222', '6201005A']],
    [[{ kind: 'drop', frame: 2, count: 1 }], ['6201005A drop 2 0', '6201005A']],
    [
      [
        { kind: 'delay', frame: 1, delay_us: 500, count: 1 },
        { kind: 'sequence', frame: 3, count: 2 },
      ],
      ['6201005A delay 1 500 sequence 3 0', '6201005A sequence 3 0'],
    ],
  ])('%j answers %j', (faults, responses) => {
    const { ask } = bench({ ...model, faults });
    expect(responses.map(() => ask('220100'))).toEqual(responses);
  });
});

describe('a model of an ECU', () => {
  it.each<[unknown, string]>([
    [{ dids: { F19: { text: 'a' } } }, 'dids.F19 must be four hexadecimal digits, such as F190'],
    [
      { dids: { F190: {} } },
      'dids.F190 must be an object with one of text, hex, counter or signal',
    ],
    [{ dids: { f190: { hex: '00' }, F190: { hex: '00' } } }, 'dids.F190 is defined twice'],
    [{ dids: { F190: { hex: '00', security: 1 } } }, 'dids.F190.security is no level of security'],
    [
      { dids: { F190: { signal: 'a/b', codec: { kind: 'linear', raw: 'unsigned', factor: 0 } } } },
      'dids.F190.codec.factor must not be 0',
    ],
    [
      { dtcs: [{ dtc: '12345', status: 0 }] },
      'dtcs[0].dtc must be six hexadecimal digits, such as "123456"',
    ],
    [{ dtcs: [{ dtc: '123456' }] }, 'dtcs[0].status is required'],
    [{ sessions: { '0': {} } }, 'sessions.0 must be a number from 1 to 127'],
    [{ sessions: { '3': { p2_ms: 0 } } }, 'sessions.3.p2_ms must be at least 1'],
    [
      { security: { '2': { seed: '01', key: '02' } } },
      'security.2 must be an odd number from 1 to 125',
    ],
    [
      { security: { '1': { seed: '0000', key: '02' } } },
      'security.1.seed must not be zeros, which mean unlocked',
    ],
    [{ routines: { '203': {} } }, 'routines.203 must be four hexadecimal digits, such as F190'],
    [
      { memory: { address: 4294967295, size: 2 } },
      'memory.size extends beyond the address 0xFFFFFFFF',
    ],
    [{ memory: { address: 0, size: 1, security: 1 } }, 'memory.security is no level of security'],
    [
      { faults: [{ kind: 'burn' }] },
      'faults[0].kind must be one of drop, delay, sequence, nrc, silent, silent_after_pending',
    ],
    [{ names: [] }, 'names is not a known field'],
    [[], 'The file must be an object'],
  ])('%j is refused', (content, message) => {
    expect(ecuModelProblems(content).map((problem) => problem.message)).toContain(message);
  });

  it('is read from its file, or refused with all problems', () => {
    expect(readEcuModel(new TextEncoder().encode(JSON.stringify(model)))).toEqual(model);
    const broken = (): unknown => readEcuModel(new TextEncoder().encode('{"dids":{"F19":{},}'));
    expect(broken).toThrow(expect.objectContaining({ code: 'invalid_diagnostics_file' }));
    try {
      readEcuModel(new TextEncoder().encode('{"dtcs":[{}],"memory":1}'));
      expect.fail('was read');
    } catch (thrown) {
      const { problems } = BusbarError.from(thrown).details as { problems: unknown[] };
      expect(problems).toHaveLength(3);
    }
  });
});
