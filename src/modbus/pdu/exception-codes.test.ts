import { describe, expect, it } from 'vitest';
import { exceptionCode, exceptionName, exceptionText } from './exception-codes.ts';

describe('exceptions', () => {
  it.each([
    [1, 'illegal_function', 'exception 01 (illegal function)'],
    [2, 'illegal_data_address', 'exception 02 (illegal data address)'],
    [3, 'illegal_data_value', 'exception 03 (illegal data value)'],
    [4, 'device_failure', 'exception 04 (device failure)'],
    [5, 'acknowledge', 'exception 05 (acknowledge)'],
    [6, 'device_busy', 'exception 06 (device busy)'],
    [7, 'negative_acknowledge', 'exception 07 (negative acknowledge)'],
    [8, 'memory_parity_error', 'exception 08 (memory parity error)'],
    [9, 'unknown_exception', 'exception 09 (unknown)'],
    [10, 'gateway_path_unavailable', 'exception 0A (gateway path unavailable)'],
    [11, 'gateway_target_no_response', 'exception 0B (gateway target no response)'],
    [255, 'unknown_exception', 'exception FF (unknown)'],
  ])('%i is called %s', (code, name, text) => {
    expect(exceptionName(code)).toBe(name);
    expect(exceptionText(code)).toBe(text);
    if (name !== 'unknown_exception') expect(exceptionCode(name)).toBe(code);
  });

  it('have no code by a name that is none', () => {
    expect(exceptionCode('toString')).toBeUndefined();
    expect(exceptionCode('unknown_exception')).toBeUndefined();
  });
});
