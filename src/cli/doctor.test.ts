import { describe, expect, it } from 'vitest';
import { doctorText } from './doctor.ts';
import { plainPalette } from './render/palette.ts';

describe('what the doctor tells people', () => {
  it('stands in columns, with the command below what it mends', () => {
    const report = {
      works: 1,
      fails: 1,
      unknown: 0,
      findings: [
        { check: 'timer', state: 'works' as const, meaning: 'Quick to read', command: null },
        {
          check: 'kernel.can_gw',
          state: 'fails' as const,
          meaning: 'Not loaded: no routes in the kernel',
          command: 'sudo modprobe can-gw',
        },
      ],
    };
    expect(doctorText(report, 60, plainPalette).split('\n')).toEqual([
      'works    timer          Quick to read',
      'fails    kernel.can_gw  Not loaded: no routes in the kernel',
      '                        sudo modprobe can-gw',
      '',
      '1 passed, 1 failed, 0 unknown. The virtual bench needs none of them.',
    ]);
  });
});
