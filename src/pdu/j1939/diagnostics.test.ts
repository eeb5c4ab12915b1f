import { describe, expect, it } from 'vitest';
import { readDiagnostics } from './diagnostics.ts';

const read = (hex: string) => readDiagnostics(Buffer.from(hex, 'hex'));
const off = { malfunction: 'off', red_stop: 'off', amber_warning: 'off', protect: 'off' };

describe('diagnostics of DM1 and DM2', () => {
  it('have the lamps and all codes of a transfer', () => {
    expect(read('45F1BE00020500F0FF7E6E000001')).toEqual({
      lamps: { malfunction: 'on', red_stop: 'off', amber_warning: 'slow', protect: 'fast' },
      dtcs: [
        { spn: 190, fmi: 2, count: 5, conversion: 0 },
        { spn: 520_192, fmi: 31, count: 126, conversion: 0 },
        { spn: 110, fmi: 0, count: 1, conversion: 0 },
      ],
    });
  });

  it.each(['00FF6E000001', '00FF6E000001FFFF'])('have one code in the frame %s', (hex) => {
    expect(read(hex)).toEqual({
      lamps: off,
      dtcs: [{ spn: 110, fmi: 0, count: 1, conversion: 0 }],
    });
  });

  it.each(['00FF00000000FFFF', '00FF00000000'])('have no code in %s', (hex) => {
    expect(read(hex)).toEqual({ lamps: off, dtcs: [] });
  });

  it('mark a code of an older layout, and a count that is not available', () => {
    expect(read('00FF6E0003FF')?.dtcs).toEqual([{ spn: 110, fmi: 3, count: null, conversion: 1 }]);
  });

  it('have lamps that are not available', () => {
    expect(read('C0FF00000000FFFF')?.lamps.malfunction).toBe('not_available');
  });

  it('do not fit in fewer than 6 bytes', () => {
    expect(read('00FF6E0000')).toBeNull();
  });
});
