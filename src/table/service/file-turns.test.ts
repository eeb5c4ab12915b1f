import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTurns, type TurnFile, turnFile } from './file-turns.ts';

/** Ends turn 0 from another thread, which wrote three bytes. */
const otherThread = `
  const { workerData: { fd, memory } } = require('node:worker_threads');
  const turn = new Int32Array(memory, 0, 1);
  const position = new Float64Array(memory, 8, 1);
  require('node:fs').writeSync(fd, Buffer.from('one'), 0, 3, position[0]);
  position[0] += 3;
  Atomics.store(turn, 0, 1);
  Atomics.notify(turn, 0);
`;

describe('turns of a file', () => {
  let folder: string;
  let path: string;
  let file: TurnFile;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-turns-'));
    path = join(folder, 't');
    file = turnFile({ fd: openSync(path, 'w'), named: { path, field: 'output' }, position: 0 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('follow each other, and may write several times or nothing', () => {
    const [one, other] = [new FileTurns(file), new FileTurns(file)];
    one.write(0, Buffer.from('a'));
    one.write(0, Buffer.from('b'));
    one.end(0);
    other.end(1);
    one.write(2, Buffer.from('c'));
    closeSync(file.fd);
    expect(readFileSync(path, 'latin1')).toBe('abc');
  });

  it('wait for other threads', async () => {
    const worker = new Worker(otherThread, { eval: true, workerData: file });
    new FileTurns(file).write(1, Buffer.from('two'));
    closeSync(file.fd);
    expect(readFileSync(path, 'latin1')).toBe('onetwo');
    await worker.terminate();
  });

  it('name the file that cannot be written', () => {
    closeSync(file.fd);
    const closed = { ...file, fd: openSync(path, 'r') };
    expect(() => new FileTurns(closed).write(0, Buffer.from('a'))).toThrowError(
      expect.objectContaining({
        code: 'file_unavailable',
        details: { field: 'output', path, reason: 'EBADF' },
      }),
    );
    closeSync(closed.fd);
  });
});
