import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../testing/bundle-program.ts';
import { cases } from '../testing/long.ts';
import { ProjectRoot } from './project-root.ts';

const kills = cases(4, 50);
const size = 2 * 1024 * 1024;
const original = '0'.repeat(size);
const complete = [original, '1'.repeat(size), '2'.repeat(size)];

describe('ProjectRoot.replaceFile in a process that is killed', () => {
  let folder: string;
  let program: string;
  let project: string;
  const file = (): string => join(project, 'a.gwproj');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-killed-'));
    project = join(folder, 'project');
    mkdirSync(project);
    const source = join(import.meta.dirname, 'testing/replace-forever.ts');
    program = await bundleProgram({ file: source }, join(folder, 'replace-forever.mjs'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const startWriter = async (): Promise<ChildProcess> => {
    const args = [program, project, 'a.gwproj', String(size)];
    const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(writer.stdout as NodeJS.ReadableStream, 'data');
    return writer;
  };

  const kill = async (writer: ChildProcess): Promise<void> => {
    const ended = once(writer, 'exit');
    writer.kill('SIGKILL');
    await ended;
  };

  const replaceOnce = (text: string): void => {
    const root = ProjectRoot.open(project);
    root.replaceFile('a.gwproj', [Buffer.from(text)]);
    root.close();
  };

  it('leaves the file whole, and at most one temporary file, which goes with the next write', async () => {
    let abandoned = 0;
    writeFileSync(file(), original);
    for (let round = 0; round < kills || abandoned === 0; round += 1) {
      const writer = await startWriter();
      await delay((round * 7) % 20);
      await kill(writer);
      expect(complete.includes(readFileSync(file(), 'utf8'))).toBe(true);
      const left = readdirSync(project).filter((name) => name !== 'a.gwproj');
      expect(left.length).toBeLessThanOrEqual(1);
      abandoned += left.length;
    }
    replaceOnce(original);
    expect(readdirSync(project)).toEqual(['a.gwproj']);
  });

  it('does not take the file of a process that still writes, nor other files', async () => {
    const strangers = ['.a.gwproj.1-1.0123456789ab.tmpx', '.a.gwproj.tmp', '.b.gwproj.1.tmp'];
    for (const name of strangers) writeFileSync(join(project, name), '');
    const writer = await startWriter();
    for (let round = 0; round < 20; round += 1) replaceOnce(original);
    // A rejected file would have ended the process.
    expect([writer.exitCode, writer.signalCode]).toEqual([null, null]);
    await kill(writer);
    replaceOnce(original);
    expect(readdirSync(project).sort()).toEqual([...strangers, 'a.gwproj'].sort());
  });

  it('takes the file of a process whose number another one has by now', () => {
    const temporary = `.a.gwproj.${process.pid}-1.0123456789ab.tmp`;
    writeFileSync(join(project, temporary), '');
    replaceOnce(original);
    expect(readdirSync(project)).not.toContain(temporary);
  });
});
