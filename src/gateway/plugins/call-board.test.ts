import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boardBytes, CallBoard, openBoard, takeCrash } from './call-board.ts';

describe('the board of calls', () => {
  let board: CallBoard;

  beforeEach(() => {
    board = new CallBoard(new SharedArrayBuffer(boardBytes));
  });

  it('says which plugin is being called, and which call it is', () => {
    const slot = board.claim({ instance: 'plant', plugin: 'filter' });
    expect(board.inside).toBe(0);
    board.enter(slot);
    expect(board.nameOf(board.inside)).toEqual({ instance: 'plant', plugin: 'filter' });
    const first = board.calls;
    board.leave();
    expect(board.inside).toBe(0);
    board.enter(slot);
    expect(board.calls).not.toBe(first);
  });

  it('gives slots to others once they were released', () => {
    const plugin = 'filter';
    const slot = board.claim({ instance: 'one', plugin });
    expect(board.claim({ instance: 'two', plugin })).not.toBe(slot);
    board.release(slot);
    expect(board.nameOf(slot)).toBeNull();
    expect(board.claim({ instance: 'three', plugin })).toBe(slot);
    expect(board.nameOf(slot)).toEqual({ instance: 'three', plugin });
  });

  it('has no names for plugins beyond its slots, and sees their calls all the same', () => {
    const slots = Array.from({ length: 257 }, (_, index) =>
      board.claim({ instance: 'many', plugin: `p${index}` }),
    );
    const [last = 0, unnamed = 0, another] = slots.slice(254);
    expect(new Set(slots).size).toBe(256);
    expect(another).toBe(unnamed);
    board.enter(unnamed);
    expect(board.inside).not.toBe(0);
    expect(board.nameOf(board.inside)).toBeNull();
    board.release(unnamed);
    expect(board.nameOf(last)).toEqual({ instance: 'many', plugin: 'p254' });
  });

  it('cuts names that are too long without touching the next slot', () => {
    const long = board.claim({ instance: 'a'.repeat(100), plugin: 'b'.repeat(400) });
    const next = board.claim({ instance: 'next', plugin: 'one' });
    expect(board.nameOf(long)?.plugin).toMatch(/^b{154}$/);
    expect(board.nameOf(next)).toEqual({ instance: 'next', plugin: 'one' });
  });

  it('knows no plugin for a slot that there cannot be', () => {
    for (const slot of [-1, 256, 1_000_000]) expect(board.nameOf(slot)).toBeNull();
  });
});

describe('the board in a file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-board-'));
    file = join(folder, 'plugin-calls');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the same for all who map it', () => {
    const bench = openBoard(koffi, file);
    const client = openBoard(koffi, file);
    bench.enter(bench.claim({ instance: 'plant', plugin: 'filter' }));
    expect(client.nameOf(client.inside)).toEqual({ instance: 'plant', plugin: 'filter' });
  });

  it('names the plugin in whose call a daemon ended, once', () => {
    const board = openBoard(koffi, file);
    board.enter(board.claim({ instance: 'plant', plugin: 'filter' }));
    expect(takeCrash(file)).toEqual({ instance: 'plant', plugin: 'filter' });
    expect(takeCrash(file)).toBeNull();
  });

  it('names none if the daemon ended outside of calls', () => {
    const board = openBoard(koffi, file);
    board.enter(board.claim({ instance: 'plant', plugin: 'filter' }));
    board.leave();
    expect(takeCrash(file)).toBeNull();
  });

  it('names none if the file is no board', () => {
    writeFileSync(file, 'cut off');
    expect(takeCrash(file)).toBeNull();
    writeFileSync(file, Buffer.alloc(boardBytes, 0xff));
    expect(takeCrash(file)).toBeNull();
  });
});
