import { describe, expect, it } from 'vitest';
import type { DoctorReport } from '../../src/doctor/finding.ts';
import { setUpWorkbench } from '../support/workbench.ts';

describe('busbar doctor', () => {
  it('looks at the computer without a daemon, in words and as a record', async () => {
    const bench = setUpWorkbench();
    const report = await bench.json<DoctorReport>('doctor');
    const { findings, works, fails, unknown } = report;
    expect(works + fails + unknown).toBe(findings.length);
    expect(findings.find(({ check }) => check === 'native')).toMatchObject({
      state: 'works',
      command: null,
    });
    // Working parts need no command on any computer.
    const mended = findings.filter(({ command }) => command !== null);
    expect(mended.map(({ state }) => state)).toEqual(mended.map(() => 'fails'));

    const { code, stdout } = await bench.run(['doctor']);
    expect(code).toBe(0);
    for (const { check, command } of findings) {
      expect(stdout).toContain(check);
      if (command !== null) expect(stdout).toContain(command);
    }
    expect(stdout).toContain(`${works} passed, ${fails} failed, ${unknown} unknown`);
    expect(bench.daemonPid).toBeNull();
  });
});
