import { describe, expect, it } from 'vitest';
import { parseHex } from '../frame/hex-bytes.ts';
import { isSilentWhenFunctional, nrcName } from './nrc.ts';
import { udsWords } from './words.ts';

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 64 });
const dids = new Map([
  [0xf190, { name: 'vin', length: 17 }],
  [0x1234, { name: 'oil', length: 2 }],
]);

describe('a payload in words', () => {
  it.each([
    ['', 'Empty payload'],
    ['22F190', 'ReadDataByIdentifier F190 (vin)'],
    ['22F1901234ABCD', 'ReadDataByIdentifier F190 (vin), 1234 (oil), ABCD'],
    ['62123401021235', 'Positive response to ReadDataByIdentifier 1234 (oil), 1235'],
    ['62F190', 'Positive response to ReadDataByIdentifier F190 (vin)'],
    ['2E1234', 'WriteDataByIdentifier 1234 (oil)'],
    ['7F3478', 'Negative response to RequestDownload: 0x78 response pending'],
    ['7F34', 'Negative response to RequestDownload'],
    ['7F', 'Negative response'],
    ['7F22EE', 'Negative response to ReadDataByIdentifier: 0xEE unknown code'],
    ['1003', 'DiagnosticSessionControl extended'],
    ['5003003201F4', 'Positive response to DiagnosticSessionControl extended'],
    ['3E80', 'TesterPresent without positive response'],
    ['7E00', 'Positive response to TesterPresent'],
    ['2701', 'SecurityAccess request seed, level 1'],
    ['2702AABB', 'SecurityAccess send key, level 1'],
    ['31010203AA', 'RoutineControl start 0203'],
    ['710302', 'Positive response to RoutineControl result'],
    ['36FF00', 'TransferData block 255'],
    ['14FFFFFF', 'ClearDiagnosticInformation FFFFFF'],
    ['1904123456FF', 'ReadDTCInformation snapshot by DTC 123456'],
    ['1902FF', 'ReadDTCInformation DTCs by status mask'],
    ['8502', 'ControlDTCSetting off'],
    ['C502', 'Positive response to ControlDTCSetting off'],
    ['BA01', 'Service 0xBA'],
    ['010C', 'OBD current data'],
    ['410C', 'Positive response to OBD current data'],
    ['1160', 'ECUReset 0x60'],
  ])('%s: %s', (payload, words) => {
    expect(udsWords(bytes(payload), dids)).toBe(words);
  });

  it('stays one short line for a request of many identifiers', () => {
    expect(udsWords(bytes(`22${'1234'.repeat(20)}`))).toBe(
      'ReadDataByIdentifier 1234, 1234, 1234, 1234, 1234, 1234, 1234, 1234, …',
    );
  });
});

describe('a negative response code', () => {
  it.each([
    [0x10, 'general reject'],
    [0x11, 'service not supported'],
    [0x12, 'sub-function not supported'],
    [0x13, 'incorrect message length or invalid format'],
    [0x14, 'response too long'],
    [0x21, 'busy, repeat request'],
    [0x22, 'conditions not correct'],
    [0x24, 'request sequence error'],
    [0x25, 'no response from subnet component'],
    [0x26, 'failure prevents execution'],
    [0x31, 'request out of range'],
    [0x33, 'security access denied'],
    [0x34, 'authentication required'],
    [0x35, 'invalid key'],
    [0x36, 'exceeded number of attempts'],
    [0x37, 'required time delay not expired'],
    [0x38, 'secure data transmission required'],
    [0x3a, 'secure data verification failed'],
    [0x50, 'certificate verification failed, invalid time period'],
    [0x5d, 'deauthentication failed'],
    [0x70, 'upload or download not accepted'],
    [0x71, 'transfer data suspended'],
    [0x72, 'general programming failure'],
    [0x73, 'wrong block sequence counter'],
    [0x78, 'response pending'],
    [0x7e, 'sub-function not supported in active session'],
    [0x7f, 'service not supported in active session'],
    [0x81, 'rpm too high'],
    [0x94, 'resource temporarily not available'],
    [0xff, 'unknown code'],
  ])('0x%x is named: %s', (code, name) => {
    expect(nrcName(code)).toBe(name);
  });

  it('has a name if ISO 14229 defines it', () => {
    const ranges = [
      ...[
        [0x10, 0x14],
        [0x21, 0x22],
        [0x24, 0x26],
        [0x31, 0x31],
        [0x33, 0x3a],
        [0x50, 0x5d],
      ],
      ...[
        [0x70, 0x73],
        [0x78, 0x78],
        [0x7e, 0x7f],
        [0x81, 0x8d],
        [0x8f, 0x94],
      ],
    ] as const;
    const defined = ranges.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    );
    const named = Array.from({ length: 256 }, (_, code) => code).filter(
      (code) => nrcName(code) !== 'unknown code',
    );
    expect(named).toEqual(defined);
  });

  it('is not sent to a functional request if it only says that this server is another one', () => {
    const silent = Array.from({ length: 256 }, (_, code) => code).filter(isSilentWhenFunctional);
    expect(silent).toEqual([0x11, 0x12, 0x31, 0x7e, 0x7f]);
  });
});
