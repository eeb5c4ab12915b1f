import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { cases } from '../base/testing/long.ts';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import {
  communicationRequest,
  communicationResponse,
  dtcSettingRequest,
  dtcSettingResponse,
  keyRequest,
  resetRequest,
  resetResponse,
  routineRequest,
  routineResponse,
  securityResponse,
  seedRequest,
  sessionRequest,
  sessionResponse,
  testerPresentRequest,
} from './control-services.ts';
import {
  ioRequest,
  ioResponse,
  readDidsRequest,
  readDidsResponse,
  writeDidRequest,
  writeDidResponse,
} from './did-services.ts';
import { DidTable } from './dids.ts';
import { clearRequest, clearResponse, dtcRequest, dtcResponse } from './dtc-services.ts';
import { dtcStatusWords, dtcText, parseDtc } from './dtcs.ts';
import {
  blockCounter,
  downloadRequest,
  downloadResponse,
  memoryReadRequest,
  memoryReadResponse,
  memoryWriteRequest,
  memoryWriteResponse,
  rangeAt,
  transferExitRequest,
  transferExitResponse,
  transferRequest,
  transferResponse,
} from './memory-services.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });
const dids = new DidTable({
  F190: { name: 'vin', length: 17, codec: 'ascii' },
  '0100': { name: 'oil', codec: { kind: 'linear', raw: 'unsigned', offset: -40 } },
});
const [vin, oil, unknown] = [dids.find('vin'), dids.find('oil'), dids.find('1234')];
const vinBytes = formatHex(new TextEncoder().encode('WBABUSBAR00000001'));

describe('a request', () => {
  it.each<[string, Uint8Array]>([
    ['1003', sessionRequest('extended')],
    ['1083', sessionRequest(3, true)],
    ['1140', resetRequest(0x40)],
    ['1101', resetRequest('hard')],
    ['3E00', testerPresentRequest(false)],
    ['3E80', testerPresentRequest(true)],
    ['2701', seedRequest(1)],
    ['2703AA', seedRequest(3, bytes('AA'))],
    ['270212345678', keyRequest(1, bytes('12345678'))],
    ['280301', communicationRequest({ control: 'disable-rx-tx' })],
    ['288103', communicationRequest({ control: 'enable-rx', type: 'both', suppress: true })],
    ['2804030102', communicationRequest({ control: 4, type: 'both', node: 0x102 })],
    ['8502', dtcSettingRequest('off')],
    ['31010203AA', routineRequest({ action: 'start', routine: 0x203, data: bytes('AA') })],
    ['31030203', routineRequest({ action: 'result', routine: 0x203 })],
    ['22F190', readDidsRequest([vin])],
    ['22F19001001234', readDidsRequest([vin, oil, unknown])],
    ['2E01005A', writeDidRequest(oil, '50')],
    ['2E12340102', writeDidRequest(unknown, '0102')],
    ['2F0100035A', ioRequest({ did: oil, control: 'adjust', value: '50' })],
    ['2F0100035AFF', ioRequest({ did: oil, control: 'adjust', value: '50', mask: bytes('FF') })],
    ['2F010000', ioRequest({ did: oil, control: 'return' })],
    ['1901FF', dtcRequest({ report: 'count' })],
    ['19020D', dtcRequest({ report: 'mask', mask: 0x0d })],
    ['1904123456FF', dtcRequest({ report: 'snapshot', dtc: '123456' })],
    ['190601234501', dtcRequest({ report: 'extended', dtc: 'P0123-45', record: 1 })],
    ['190A', dtcRequest({ report: 'supported' })],
    ['14FFFFFF', clearRequest()],
    ['14012345', clearRequest('P0123-45')],
    ['2344080000000000 0010', memoryReadRequest({ address: 0x08000000, size: 16 })],
    [
      '23 12 0800 10',
      memoryReadRequest({ address: 0x800, size: 16, addressBytes: 2, sizeBytes: 1 }),
    ],
    ['3D4408000000000000020102', memoryWriteRequest({ address: 0x08000000 }, bytes('0102'))],
    ['3400440800000000001000', downloadRequest({ address: 0x08000000, size: 0x1000 })],
    [
      '341144000000 0000000001',
      downloadRequest({ address: 0, size: 1, compression: 1, encryption: 1 }),
    ],
    ['3601AABB', transferRequest(0, bytes('AABB'))],
    ['3600AABB', transferRequest(255, bytes('AABB'))],
    ['37', transferExitRequest()],
  ])('is %s', (expected, request) => {
    expect(formatHex(request)).toBe(expected.replaceAll(' ', ''));
  });

  it.each<[string, () => unknown, string]>([
    [
      'session',
      () => sessionRequest(128),
      'session must be default, programming, extended or a number',
    ],
    ['level', () => seedRequest(2), 'level must be an odd number'],
    ['level', () => keyRequest(0, bytes('AA')), 'level must be an odd number'],
    ['node', () => communicationRequest({ control: 4 }), 'node is required'],
    ['node', () => communicationRequest({ control: 0, node: 1 }), 'node is required'],
    ['dids', () => readDidsRequest([]), 'A request reads 1 to'],
    ['dids', () => readDidsRequest([unknown, vin]), '1234 must have a length'],
    ['value', () => writeDidRequest(oil, '300'), 'value is out of the range'],
    ['value', () => ioRequest({ did: oil, control: 'adjust' }), 'value is required'],
    ['value', () => ioRequest({ did: oil, control: 'freeze', value: '1' }), 'value is required'],
    [
      'snapshot',
      () => dtcRequest({ report: 'snapshot', dtc: 'Z9' }),
      'Z9 is no DTC: snapshot takes',
    ],
    ['group', () => clearRequest('12'), '12 is no DTC: group takes'],
    ['size', () => memoryReadRequest({ address: 0, size: 0 }), 'size must be at least 1'],
    [
      'address',
      () => memoryReadRequest({ address: 256, size: 1, addressBytes: 1 }),
      'address needs 2 bytes',
    ],
    ['data', () => memoryWriteRequest({ address: 0 }, bytes('')), 'data must not be empty'],
  ])('with a wrong %s is refused', (field, build, message) => {
    expect(build).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        message: expect.stringContaining(message),
        details: expect.objectContaining({ field }),
      }),
    );
  });
});

const value = (did: string, name: string | null, data: string, text: string) => ({
  did,
  name,
  data,
  value: text,
  quality: 'good',
  label: null,
});

const noDtcs = {
  availability_mask: null,
  format: null,
  count: 0,
  dtcs: [],
  snapshots: [],
  extended_data: [],
};
const dtc123456 = {
  dtc: '123456',
  text: 'P1234-56',
  status: 0x2f,
  status_bits: [
    'test_failed',
    'test_failed_this_cycle',
    'pending',
    'confirmed',
    'failed_since_clear',
  ],
};

/** How each service reads a response to a request. */
const readers: Readonly<Record<string, (request: Uint8Array, response: Uint8Array) => unknown>> = {
  session: sessionResponse,
  reset: resetResponse,
  security: securityResponse,
  communication: communicationResponse,
  'dtc-setting': dtcSettingResponse,
  routine: routineResponse,
  read: (_, response) => readDidsResponse(response, [vin, oil, unknown]),
  write: (_, response) => writeDidResponse(response, oil),
  io: (_, response) => ioResponse(response, oil),
  dtc: (_, response) => dtcResponse(response, dids),
  clear: clearResponse,
  'memory-read': (_, response) => memoryReadResponse(response, { address: 8, size: 2 }),
  'memory-write': memoryWriteResponse,
  download: (_, response) => downloadResponse(response),
  transfer: transferResponse,
  exit: (_, response) => transferExitResponse(response),
};
const read = (service: string, request: string, response: string): unknown =>
  readers[service]?.(bytes(request), bytes(response));

describe('a response', () => {
  it.each<[string, string, string, unknown]>([
    ['session', '1003', '5003003201F4', { session: 3, p2_ms: 50, p2_star_ms: 5000 }],
    ['session', '1001', '5001', { session: 1, p2_ms: null, p2_star_ms: null }],
    ['reset', '1101', '5101', { reset: 1, power_down_time_s: null }],
    ['reset', '1184', '51040F', { reset: 4, power_down_time_s: 15 }],
    ['security', '2701', '6701DEADBEEF', { level: 1, seed: 'DEADBEEF', unlocked: false }],
    ['security', '2703', '67030000', { level: 3, seed: '0000', unlocked: true }],
    ['security', '270212345678', '6702', { level: 1, seed: null, unlocked: true }],
    ['communication', '280301', '6803', { control: 3 }],
    ['dtc-setting', '8582', 'C502', { setting: 2 }],
    ['routine', '31010203AA', '71010203FF', { routine: '0203', action: 'start', data: 'FF' }],
    ['routine', '31030203', '71030203', { routine: '0203', action: 'result', data: '' }],
    [
      'read',
      '',
      `62F190${vinBytes}`,
      { values: [value('F190', 'vin', vinBytes, 'WBABUSBAR00000001')] },
    ],
    [
      'read',
      '',
      `6201005A1234AABB`,
      { values: [value('0100', 'oil', '5A', '50'), value('1234', null, 'AABB', 'AABB')] },
    ],
    ['write', '', '6E0100', { did: '0100', name: 'oil' }],
    ['io', '', '6F0100035A', { did: '0100', name: 'oil', control: 3, data: '5A' }],
    ['clear', '14FFFFFF', '54', { group: 'FFFFFF' }],
    ['dtc', '', '5901FF010002', { ...noDtcs, availability_mask: 255, format: 1, count: 2 }],
    ['dtc', '', '5902FF', { ...noDtcs, availability_mask: 255 }],
    ['dtc', '', '5902', noDtcs],
    [
      'dtc',
      '',
      '5902FF1234562F',
      { ...noDtcs, availability_mask: 255, count: 1, dtcs: [dtc123456] },
    ],
    [
      'dtc',
      '',
      '590AFF1234562F',
      { ...noDtcs, availability_mask: 255, count: 1, dtcs: [dtc123456] },
    ],
    [
      'dtc',
      '',
      '59041234562F 01 01 0100 5A 02 02 0100 5B 1234 AA',
      {
        ...noDtcs,
        count: 1,
        dtcs: [dtc123456],
        snapshots: [
          { record: 1, values: [value('0100', 'oil', '5A', '50')], data: '' },
          { record: 2, values: [value('0100', 'oil', '5B', '51')], data: '1234AA' },
        ],
      },
    ],
    [
      'dtc',
      '',
      '59061234562F0105',
      { ...noDtcs, count: 1, dtcs: [dtc123456], extended_data: [{ record: 1, data: '05' }] },
    ],
    ['dtc', '', '59061234562F', { ...noDtcs, count: 1, dtcs: [dtc123456] }],
    ['memory-read', '', '630102', { address: 8, size: 2, data: '0102' }],
    ['memory-write', '3D12080002AABB', '7D12080002', { address: 0x800, size: 2, data: null }],
    ['download', '', '74200FA2', 4002],
    ['download', '', '7410FF', 255],
    ['transfer', '3601AA', '7601', undefined],
    ['exit', '37', '77', undefined],
    ['exit', '37', '77AABB', undefined],
  ])('to %s %s: %s', (service, request, response, expected) => {
    expect(read(service, request, response)).toEqual(expected);
  });

  it.each<[string, string, string, string]>([
    ['session', '1003', '500300', 'has 3 of 6 bytes'],
    ['session', '1003', '5002003201F4', 'has sub-function 0x02'],
    ['session', '1003', '50', 'has 1 of at least 2 bytes'],
    ['session', '1003', '5103', 'begins with 0x51'],
    ['session', '1003', '', 'begins with 0x00'],
    ['reset', '1101', '51010203', 'has 4 of at most 3 bytes'],
    ['security', '2701', '6701', 'has no seed'],
    ['security', '2701', '6702', 'has sub-function 0x02'],
    ['communication', '280301', '6801', 'has sub-function 0x01'],
    ['dtc-setting', '8501', 'C502', 'has sub-function 0x02'],
    ['routine', '31010203', '71010204', 'names routine 0204'],
    ['routine', '31010203', '710102', 'has 3 of at least 4 bytes'],
    ['read', '', '62', 'has 1 of at least 3 bytes'],
    ['read', '', '62ABCD00', 'has no requested data identifier at byte 1'],
    ['read', '', '6201005A0100', 'has no requested data identifier at byte 4'],
    ['read', '', '6201005A00', 'has no requested data identifier at byte 4'],
    ['read', '', '62F1905A', 'has 1 bytes of F190 instead of 17'],
    ['write', '', '6E0101', 'names 0101'],
    ['write', '', '6E010000', 'has 4 of at most 3 bytes'],
    ['io', '', '6F0101035A', 'names 0101'],
    ['clear', '14FFFFFF', '5400', 'has 2 of at most 1 bytes'],
    ['dtc', '', '5901FF0100', 'has 5 of 6 bytes'],
    ['dtc', '', '5902FF123456', 'has 6 bytes, which are no list'],
    ['dtc', '', '5904123456', 'has 5 of 6 bytes'],
    ['dtc', '', '59041234562F01', 'ends within a record'],
    ['dtc', '', '5977', 'has sub-function 0x77'],
    ['memory-read', '', '6301', 'has 2 of at least 3 bytes'],
    ['memory-write', '3D12080002AABB', '7D12080102', 'names another range'],
    ['memory-write', '3D12080002AABB', '7D12', 'names another range'],
    ['download', '', '742000', 'has no block length of 2 bytes'],
    ['download', '', '740000', 'has no block length of 0 bytes'],
    ['download', '', '741002', 'has a block length of 2'],
    ['transfer', '3601AA', '7602', 'has block counter 0x02'],
    ['exit', '37', '76', 'begins with 0x76'],
  ])('to %s %s is refused: %s', (service, request, response, message) => {
    expect(() => read(service, request, response)).toThrow(
      expect.objectContaining({
        code: 'unexpected_response',
        message: expect.stringContaining(message),
        details: { response },
      }),
    );
  });

  it('of any bytes is read or refused with unexpected_response', () => {
    const requests: Readonly<Record<string, string>> = {
      session: '1003',
      reset: '1101',
      security: '2701',
      communication: '280301',
      'dtc-setting': '8502',
      routine: '31010203',
      clear: '14FFFFFF',
      'memory-write': '3D12080002AABB',
      transfer: '3601AA',
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(readers)),
        fc.constantFrom(
          0x50,
          0x51,
          0x54,
          0x59,
          0x62,
          0x63,
          0x67,
          0x68,
          0x6e,
          0x6f,
          0x71,
          0x74,
          0x76,
          0x77,
          0x7d,
          0xc5,
        ),
        fc.uint8Array({ maxLength: 40 }),
        (service, first, rest) => {
          const response = Uint8Array.of(first, ...rest);
          try {
            readers[service]?.(bytes(requests[service] ?? ''), response);
          } catch (thrown) {
            expect(BusbarError.from(thrown).code).toBe('unexpected_response');
          }
        },
      ),
      { seed: 1, numRuns: cases(1000, 3000) },
    );
  });
});

describe('a DTC', () => {
  it.each([
    [0x012345, 'P0123-45'],
    [0x523456, 'C1234-56'],
    [0xa00000, 'B2000-00'],
    [0xffffff, 'U3FFF-FF'],
  ])('%i is %s', (dtc, text) => {
    expect(dtcText(dtc)).toBe(text);
    expect(parseDtc(text)).toBe(dtc);
  });

  it.each([
    ['p0123', 0x012300],
    ['0x012345', 0x012345],
    ['X0123', null],
    ['P4123', null],
    ['12345', null],
  ])('is read from %s as %s', (text, dtc) => {
    expect(parseDtc(text)).toBe(dtc);
  });

  it('has a status in words', () => {
    expect(dtcStatusWords(0x81)).toEqual(['test_failed', 'warning_lamp']);
    expect(dtcStatusWords(0)).toEqual([]);
  });
});

describe('the counter of blocks', () => {
  it('begins with 1 and continues with 0 after 255', () => {
    expect([0, 1, 254, 255, 256].map(blockCounter)).toEqual([1, 2, 255, 0, 1]);
  });
});

describe('a range of memory in a request', () => {
  it.each([
    ['4408000000000010', null],
    ['440800000000000010', { address: 0x08000000, size: 16, end: 9 }],
    ['0000', null],
    ['7100', null],
  ])('%s', (request, range) => {
    expect(rangeAt(bytes(request), 0)).toEqual(range);
  });
});
