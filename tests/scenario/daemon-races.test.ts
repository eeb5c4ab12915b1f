import { describe, expect } from 'vitest';
import { itOnce as it, itLong } from '../../src/base/testing/long.ts';
import { type Finished, setUpWorkbench, type Workbench } from '../support/workbench.ts';
import { sameDaemon, startingDaemon } from './support/daemon-records.ts';
import { daemonsOf, listenersOf } from './support/processes.ts';

const many = 10;

const errorOf = ({ stderr }: Finished) => JSON.parse(stderr).error;

const inParallel = (bench: Workbench, commands: readonly string[][]): Promise<Finished[]> =>
  Promise.all(commands.map((command) => bench.run([...command, '--format=json'])));

const repeated = (...command: string[]): string[][] => Array.from({ length: many }, () => command);

const split = (all: readonly Finished[]) => ({
  done: all.filter(({ code }) => code === 0),
  refused: all.filter(({ code }) => code !== 0),
});

/** Error codes that help lists for each command. */
const documentedCodes = async (bench: Workbench): Promise<Map<string, Set<string>>> => {
  const { operations } = await bench.json<{
    operations: { category: string; action: string; errors: { code: string }[] }[];
  }>('help');
  return new Map(
    operations.map(({ category, action, errors }) => [
      `${category} ${action}`,
      new Set(errors.map(({ code }) => code)),
    ]),
  );
};

describe('commands that race', () => {
  itLong('leaves one daemon of ten that are started at once', async () => {
    const bench = setUpWorkbench();
    const { done, refused } = split(await inParallel(bench, repeated('daemon', 'start')));

    expect(refused.map((loser) => [loser.code, errorOf(loser).code])).toEqual(
      refused.map(() => [1, 'already_running']),
    );
    expect(refused.map(({ stdout }) => stdout).join('')).toBe('');
    expect(done).toHaveLength(1);
    const winner = JSON.parse(done[0]?.stdout ?? '');
    expect(daemonsOf(bench.home)).toEqual([winner.pid]);
    expect(await bench.json('daemon', 'status')).toEqual(sameDaemon(winner));
    for (const loser of refused) expect(errorOf(loser).details).toEqual(startingDaemon(winner));
  });

  it('starts one daemon and one listener for ten that want the Web service', async () => {
    const bench = setUpWorkbench();
    const { done, refused } = split(
      await inParallel(bench, repeated('web', 'start', '--listen=127.0.0.1:0')),
    );

    expect(refused.map((loser) => [loser.code, errorOf(loser).code])).toEqual(
      refused.map(() => [1, 'already_running']),
    );
    expect(done).toHaveLength(1);
    const winner = JSON.parse(done[0]?.stdout ?? '');
    for (const loser of refused) expect(errorOf(loser).details).toEqual(winner);
    const [pid, ...others] = daemonsOf(bench.home);
    expect(others).toEqual([]);
    expect(listenersOf(pid ?? -1)).toEqual([Number(winner.listen.split(':')[1])]);
    expect(await bench.json('web', 'status')).toEqual(winner);
  });

  it('stops a daemon for everyone who asks for it at once', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb();
    const all = await inParallel(bench, repeated('daemon', 'stop'));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
    for (const { stdout } of all) expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped' });
    expect(daemonsOf(bench.home)).toEqual([]);
  });

  itLong('stops the Web service once for everyone who asks for it at once', async () => {
    const bench = setUpWorkbench();
    await bench.startWeb();
    const all = await inParallel(bench, repeated('web', 'stop'));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
    for (const { stdout } of all) expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped' });
    expect(bench.log.match(/"name":"stopped"/g)).toHaveLength(1);
    expect(await bench.json('daemon', 'status')).toMatchObject({ web: 'stopped' });
  });

  const storm: readonly string[][] = [
    ['daemon', 'start'],
    ['web', 'start', '--listen=127.0.0.1:0'],
    ['daemon', 'stop'],
    ['web', 'stop'],
    ['web', 'start', '--listen=127.0.0.1:0'],
    ['daemon', 'status'],
    ['daemon', 'start'],
    ['web', 'status'],
    ['daemon', 'stop'],
    ['web', 'start', '--listen=127.0.0.1:0'],
  ];

  itLong.each([1, 2])('survives a storm of starts and stops (round %i)', async () => {
    const bench = setUpWorkbench();
    const commands = [...storm, ...storm.toReversed()];
    const all = await inParallel(bench, commands);

    const failures = all.flatMap((outcome, index) => {
      const command = commands[index]?.slice(0, 2).join(' ') ?? '';
      return outcome.code === 0 ? [] : [{ command, exit: outcome.code, ...errorOf(outcome) }];
    });
    const questions = failures.filter(({ command }) => /stop|status/.test(command));
    expect(questions, 'whether it runs or not, there is an answer').toEqual([]);
    const documented = await documentedCodes(bench);
    const surprises = failures.filter(
      ({ command, code }) => code === 'internal_error' || !documented.get(command)?.has(code),
    );
    expect(surprises).toEqual([]);

    const left = daemonsOf(bench.home);
    expect(left.length).toBeLessThanOrEqual(1);
    expect(await bench.json('daemon', 'status')).toMatchObject({
      state: left.length === 1 ? 'running' : 'stopped',
      pid: left[0] ?? null,
    });
    expect(bench.log).not.toContain('"event":"defect"');
    await bench.json('daemon', 'stop');
    expect(daemonsOf(bench.home)).toEqual([]);
    await bench.startWeb();
  });
});
