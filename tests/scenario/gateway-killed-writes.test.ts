import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, isLong } from '../../src/base/testing/long.ts';
import { askJson } from '../support/http.ts';
import { busbar, eventually, Workbench } from '../support/workbench.ts';
import { hasEnded } from './support/processes.ts';

const bench = new Workbench();
const file = (name: string): string => join(bench.project, name);
const read = (name: string): string => readFileSync(file(name), 'utf8');

/** Enough that writing the project takes some milliseconds. */
const messages = 150;
const signals = 8;
/** Minimum: on a busy machine the kill often comes after the write. */
const commandKills = cases(3, 10);
const daemonKills = cases(1, 3);

const database = [
  'VERSION ""',
  ...Array.from({ length: messages }, (_, message) =>
    [
      `BO_ ${message + 1} Message_${message}: 8 Node`,
      ...Array.from(
        { length: signals },
        (_, signal) => ` SG_ Signal_${signal} : ${8 * signal}|8@1+ (0.5,-40) [0|0] "degC" Node`,
      ),
    ].join('\n'),
  ),
].join('\n');

const received = { file: 'large.dbc', network: 'body', direction: 'rx', stale_after_ms: 0 };
const merge = { ...received, merge: 'own.gwproj', output: 'own.gwproj', network: 'rig' };
const optionsOf = (given: object): string[] =>
  Object.entries(given).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`);

const isDraft = (name: string | null): boolean => name?.endsWith('.tmp') ?? false;
const drafts = (): string[] => readdirSync(bench.project).filter(isDraft);

/**
 * Waits until a draft is begun, and then a random time, so that kills occur at any point of the
 * write.
 */
const whileWriting = async (round: number, ended: Promise<unknown>): Promise<void> => {
  const watcher = watch(bench.project);
  const begun = new Promise<void>((resolve) => {
    watcher.on('change', (_, name) => isDraft(String(name)) && resolve());
  });
  await Promise.race([begun, ended]);
  watcher.close();
  await delay(round % 6);
};

/** Whether the file has its old or its new content; fails on anything else. */
const wholeness = (name: string, before: string, after: string): 'before' | 'after' | 'broken' => {
  const text = read(name);
  if (text === before) return 'before';
  return text === after ? 'after' : 'broken';
};

beforeAll(async () => {
  writeFileSync(file('large.dbc'), database);
  await bench.json('gateway', 'import', ...optionsOf({ ...received, output: 'before.gwproj' }));
  copyFileSync(file('before.gwproj'), file('own.gwproj'));
  await bench.json('gateway', 'import', ...optionsOf({ ...merge, output: 'after.gwproj' }));
});
afterAll(() => bench.dispose());

describe.runIf(isLong)('a process that is killed while it writes a project', () => {
  it('leaves a project merged with itself as it was or as it was to be', async () => {
    const [before, after] = [read('before.gwproj'), read('after.gwproj')];
    let killedInTime = 0;
    for (let round = 0; round < commandKills || killedInTime === 0; round += 1) {
      copyFileSync(file('before.gwproj'), file('own.gwproj'));
      const command = spawn(process.execPath, [busbar, 'gateway', 'import', ...optionsOf(merge)], {
        cwd: bench.project,
        env: bench.environment,
        stdio: 'ignore',
      });
      const ended = once(command, 'exit');
      await whileWriting(round, ended);
      command.kill('SIGKILL');
      await ended;
      const outcome = wholeness('own.gwproj', before, after);
      expect(['before', 'after']).toContain(outcome);
      if (outcome === 'before') killedInTime += 1;
      expect(drafts().length).toBeLessThanOrEqual(1);
    }
    copyFileSync(file('before.gwproj'), file('own.gwproj'));
    await bench.json('gateway', 'import', ...optionsOf(merge));
    expect(wholeness('own.gwproj', before, after)).toBe('after');
    expect(drafts()).toEqual([]);
  });

  it.each([
    ['imports', 'import'],
    ['saves', 'save'],
  ])('leaves the files of a daemon that %s whole', async (_, what) => {
    const [before, after] = [read('before.gwproj'), read('after.gwproj')];
    const request = async (port: number) =>
      what === 'import'
        ? askJson({ port, path: '/api/v1/gateways/import', json: merge })
        : askJson({ port, path: '/api/v1/gateways/a/save', json: { file: 'own.gwproj' } });
    for (let round = 0; round <= daemonKills; round += 1) {
      copyFileSync(file('before.gwproj'), file('own.gwproj'));
      const { port } = await bench.startWeb();
      const pid = bench.daemonPid ?? -1;
      if (what === 'save') {
        const json = { file: 'after.gwproj', instance: 'a' };
        const loaded = await askJson({ port, path: '/api/v1/gateways', json });
        expect(loaded.status, loaded.text).toBe(201);
      }
      const answered = request(port).catch(() => undefined);
      if (round === daemonKills) {
        expect((await answered)?.status).toBe(200);
        expect(wholeness('own.gwproj', before, after)).toBe('after');
        expect(drafts()).toEqual([]);
        await bench.json('daemon', 'stop');
        return;
      }
      await whileWriting(round, answered);
      process.kill(pid, 'SIGKILL');
      await eventually(() => hasEnded(pid));
      await answered;
      expect(['before', 'after']).toContain(wholeness('own.gwproj', before, after));
      expect(drafts().length).toBeLessThanOrEqual(1);
    }
  });
});
