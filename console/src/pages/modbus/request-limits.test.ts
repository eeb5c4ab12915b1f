import { describe, expect, it } from 'vitest';
import {
  defaultScanTimeoutMs,
  defaultScanUnits,
  defaultTimeoutMs,
} from '../../../../src/modbus/client/client-defaults.ts';
import { brokenOver } from '../../../../src/modbus/service/modbus-scans.ts';
import { httpScanMs } from '../../../../src/operations/limits.ts';
import { ApiError } from '../../api/api-error.ts';
import { emptyRequest } from './request-draft.ts';
import { limitOf, scanSteps, writeNote } from './request-limits.ts';
import { unitsText } from './units.ts';

const limit = (draft: Partial<typeof emptyRequest>): number =>
  limitOf({ ...emptyRequest, ...draft });

describe('the units of a scan', () => {
  it('are asked in steps of about a second, one unit at least, or as they were typed', () => {
    const stepsOf = (timeout: string) => scanSteps({ ...emptyRequest, units: '1-12', timeout });
    expect(stepsOf('')?.map(unitsText)).toEqual(['1-5', '6-10', '11-12']);
    expect(stepsOf('3000')).toHaveLength(12);
    expect(scanSteps({ ...emptyRequest, units: '5-2' })).toBeNull();
  });
});

describe('how long an answer may take', () => {
  it('covers every attempt of a read or write, and the pauses between them', () => {
    expect(limit({})).toBe(6000);
    expect(limit({ mode: 'write', timeout: '8000' })).toBe(13_000);
    expect(limit({ timeout: '8000', retries: '2' })).toBe(5000 + 3 * 8000 + 2 * 8000);
    expect(limit({ retries: '3', late: '9000' })).toBe(5000 + 4 * 1000 + 3 * 9000);
  });

  it('covers every unit of a scan, as far as the daemon allows one', () => {
    expect(limit({ mode: 'scan', units: '1, 3, 10-20', timeout: '1000' })).toBe(36_000);
    expect(limit({ mode: 'scan' })).toBe(10_000 + 2 * 247 * 200);
    expect(limit({ mode: 'scan', timeout: '60000' })).toBe(130_000);
  });

  it('is made of what the daemon takes where a field is left empty, and of its longest scan', () => {
    expect(limit({})).toBe(limit({ timeout: String(defaultTimeoutMs) }));
    const usual = { units: defaultScanUnits, timeout: String(defaultScanTimeoutMs) };
    expect(limit({ mode: 'scan' })).toBe(limit({ mode: 'scan', ...usual }));
    expect(limit({ mode: 'scan', timeout: '60000' })).toBe(10_000 + 2 * httpScanMs);
  });

  it('is the usual one where a field makes no sense, which is refused before it is sent', () => {
    expect(limit({ timeout: 'long', retries: '-3' })).toBe(6000);
    expect(limit({ mode: 'scan', units: 'all' })).toBe(10_400);
  });
});

describe('a write that failed', () => {
  const note = (code: string, details = {}) =>
    writeNote(new ApiError({ code, message: '', details }));

  it('may have happened where no answer came, or where it was tried before', () => {
    for (const code of ['no_answer', 'unreachable', 'modbus_timeout', 'modbus_bad_reply']) {
      expect(note(code)).toContain('may have been written');
    }
    for (const reason of brokenOver) {
      expect(note('modbus_unreachable', { reason })).toContain('may have been');
    }
    expect(note('modbus_exception', { attempts: 2 })).toContain('may have been');
  });

  it('has not happened where the unit refused it, or was never reached', () => {
    expect(note('modbus_exception', { attempts: 1 })).toBe('Nothing was written.');
    expect(note('modbus_unreachable', { reason: 'ECONNREFUSED' })).toBe('Nothing was written.');
    expect(note('invalid_argument')).toBeNull();
  });
});
