import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { openBoard } from './call-board.ts';
import { isUnresponsive, PluginGuard } from './plugin-guard.ts';

const filter = { instance: 'plant', plugin: 'filter' };

const setUp = () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-guard-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const clock = new FakeClock();
  const callsFile = join(folder, 'calls');
  const received: string[] = [];
  const guard = new PluginGuard({
    clock,
    projectRoot: folder,
    program: '',
    callsFile,
    librariesFolder: join(folder, 'libraries'),
    onHung: ({ plugin }, error) => received.push(`${plugin} ${isUnresponsive(error)}`),
    onStuck: () => received.push('stuck'),
    onReturned: ({ plugin }) => received.push(`${plugin} returned`),
  });
  onTestFinished(() => guard.close());
  return { clock, callsFile, guard, heard: received };
};

describe('the guard of plugins', () => {
  it('names a plugin that does not return, with the error that callers get meanwhile', async () => {
    const { clock, callsFile, guard, heard: received } = setUp();
    await guard.watch();
    const board = openBoard(koffi, callsFile);
    board.enter(board.claim(filter));
    clock.advanceUs(2_000_000);
    expect(guard.hung).toEqual(filter);
    board.leave();
    clock.advanceUs(1_000_000);
    expect(received).toEqual(['filter true', 'filter returned']);
  });

  it('goes on where another one has watched plugins before', async () => {
    const { clock, callsFile, guard } = setUp();
    const board = openBoard(koffi, callsFile);
    board.enter(board.claim(filter));
    await guard.resume();
    clock.advanceUs(2_000_000);
    expect(guard.hung).toEqual(filter);
  });

  it('does not begin before there are plugins', async () => {
    const { clock, callsFile, guard } = setUp();
    await guard.resume();
    const board = openBoard(koffi, callsFile);
    board.enter(board.claim(filter));
    clock.advanceUs(2_000_000);
    expect(guard.hung).toBeNull();
  });
});
