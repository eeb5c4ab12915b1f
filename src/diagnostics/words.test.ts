import { describe, expect, it } from 'vitest';
import { parseHex } from '../frame/hex-bytes.ts';
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
