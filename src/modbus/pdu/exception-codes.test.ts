import { describe, expect, it } from 'vitest';
import { exceptionName, exceptionText } from './exception-codes.ts';

describe('exceptions', () => {
  it.each([
    [1, 'illegal_function', 'illegal function'],
    [2, 'illegal_data_address', 'illegal data address'],
    [3, 'illegal_data_value', 'illegal data value'],
    [4, 'device_failure', 'device failure'],
    [5, 'acknowledge', 'acknowledge'],
    [6, 'device_busy', 'device busy'],
    [7, 'negative_acknowledge', 'negative acknowledge'],
    [8, 'memory_parity_error', 'memory parity error'],
    [9, 'unknown_exception', 'unknown exception 9'],
    [10, 'gateway_path_unavailable', 'gateway path unavailable'],
    [11, 'gateway_target_no_response', 'gateway target no response'],
    [255, 'unknown_exception', 'unknown exception 255'],
  ])('%i is called %s', (code, name, text) => {
    expect(exceptionName(code)).toBe(name);
    expect(exceptionText(code)).toBe(text);
  });
});
