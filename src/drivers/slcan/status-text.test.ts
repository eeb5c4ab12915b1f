import { describe, expect, it } from 'vitest';
import { readErrors, readState, readStatus, readText } from './status-text.ts';

const of =
  <T>(read: (bytes: Uint8Array, length: number) => T) =>
  (line: string): T => {
    const bytes = Buffer.from(line, 'latin1');
    return read(bytes, bytes.length);
  };

describe('what a device says about its controller', () => {
  it('is read from status lines', () => {
    expect(of(readStatus)('FA4')).toBe(0xa4);
    for (const line of ['F', 'F0', 'F000', 'FXX', 'f00']) expect(of(readStatus)(line)).toBe(-1);
  });

  it('is read from lines that tell a state', () => {
    expect(of(readState)('sw012101')).toEqual({
      state: 'error_warning',
      rxErrorCount: 12,
      txErrorCount: 101,
    });
    expect(of(readState)('sb000256')).toMatchObject({ state: 'bus_off' });
    for (const line of ['s', 'sx000000', 'sa00000', 'sa0000000', 'sa00000A']) {
      expect(of(readState)(line)).toBeUndefined();
    }
  });

  it('is read from lines that tell errors', () => {
    expect(of(readErrors)('e1a')).toEqual(['a']);
    expect(of(readErrors)('e3Bsf')).toEqual(['B', 's', 'f']);
    for (const line of ['e', 'e1', 'e2a', 'e1x', 'e0'])
      expect(of(readErrors)(line)).toBeUndefined();
  });

  it('is text only where every character can be printed', () => {
    expect(of(readText)('V1013')).toBe('V1013');
    expect(of(readText)('V10\xff3')).toBeUndefined();
    expect(of(readText)('')).toBeUndefined();
  });
});
