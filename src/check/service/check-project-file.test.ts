import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CallControl } from '../../base/threads/rpc-port.ts';
import { checkProjectFile } from './check-project-file.ts';

const projectWith = (files: Readonly<Record<string, string>>): string => {
  const project = mkdtempSync(join(tmpdir(), 'busbar-check-'));
  onTestFinished(() => rmSync(project, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  return project;
};

const log = '(1.000000) can0 123#0001\n(1.020000) can0 123#0002\n';
const request = { checks: [{ check: 'cycle 123 20ms +-1ms' }], trace: 'a.log' };
const cellOf = (value: number): Int32Array => new Int32Array(new SharedArrayBuffer(4)).fill(value);

describe('A check of a project file', () => {
  it('reports how far it has read', () => {
    const progress: unknown[] = [];
    const control = new CallControl({ report: (value) => progress.push(value) });
    const report = checkProjectFile(projectWith({ 'a.log': log }), request, cellOf(0), control);
    expect(report).toMatchObject({ verdict: 'passed', events: 2 });
    expect(progress).toEqual([{ bytes: log.length, totalBytes: log.length }]);
  });

  it('ends when it is cancelled', () => {
    const project = projectWith({ 'a.log': log });
    expect(() => checkProjectFile(project, request, cellOf(1))).toThrow(
      expect.objectContaining({ code: 'operation_cancelled' }),
    );
  });

  it.each<[object, string, string]>([
    [{ trace: 'b.log' }, 'file_not_found', 'trace'],
    [{ trace: '../a.log' }, 'path_outside_project', 'trace'],
    [{ trace: 'a.json' }, 'invalid_trace', 'trace'],
    [{ file: '../a.json' }, 'path_outside_project', 'file'],
    [{ file: 'a.json' }, 'invalid_argument', 'file'],
    [{ databases: [{ file: 'a.json' }] }, 'invalid_database', 'databases'],
  ])('is refused with %j', (change, code, field) => {
    const project = projectWith({ 'a.log': log, 'a.json': '{}' });
    expect(() => checkProjectFile(project, { ...request, ...change }, cellOf(0))).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ field }) }),
    );
  });
});
