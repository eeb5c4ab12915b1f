import { describe, expect, it } from 'vitest';
import { slowestFiles } from './slowest-files.mjs';

const ran = (file: string, collectDuration: number, duration: number) => ({
  moduleId: `/repo/${file}`,
  diagnostic: () => ({ collectDuration, setupDuration: 0, duration }),
});

describe('the slowest test files', () => {
  it('are listed by all the time they took, the slowest first', () => {
    const files = [ran('a.test.ts', 500, 0), ran('b/c.test.ts', 1000, 2500)];
    expect(slowestFiles(files, '/repo')).toEqual([
      'Slowest 2 of 2 test files, 4.0 s in all:',
      '    3.5 s  88 %  b/c.test.ts',
      '    0.5 s  13 %  a.test.ts',
    ]);
  });

  it('are twenty, whatever the number of files', () => {
    const files = Array.from({ length: 30 }, (_, at) => ran(`${at}.test.ts`, 0, at * 1000));
    const [heading, ...lines] = slowestFiles(files, '/repo');
    expect(heading).toBe('Slowest 20 of 30 test files, 435.0 s in all:');
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toMatch(/10\.test\.ts$/);
  });

  it('are none where no test ran', () => {
    expect(slowestFiles([], '/repo')).toEqual(['Slowest 0 of 0 test files, 0.0 s in all:']);
  });
});
