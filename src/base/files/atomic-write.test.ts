import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cases } from '../testing/long.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { notFound, refusal, unavailable } from './testing/refusals.ts';

/** Reads a file continuously and reports the first text that is neither all a nor all b. */
const reader = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData: { path, shared } } = require('node:worker_threads');
  const cells = new Int32Array(shared);
  let torn;
  while (Atomics.load(cells, 1) === 0 && torn === undefined) {
    const text = readFileSync(path, 'utf8');
    if (!/^(a{4096}|b{9000})$/.test(text)) torn = text.length;
    Atomics.add(cells, 0, 1);
    Atomics.notify(cells, 0);
  }
  parentPort.postMessage({ torn });
`;

describe('writing a file atomically', () => {
  let sandbox: FileSandbox;
  let path: string;

  beforeEach(() => {
    sandbox = new FileSandbox();
    path = join(sandbox.project, 'state.json');
  });

  afterEach(() => {
    sandbox.dispose();
  });

  it('makes the file, replaces it whole, and leaves nothing else behind', () => {
    writeFileAtomically(path, 'a longer first text');
    writeFileAtomically(path, 'short ü');
    expect(readFileSync(path, 'utf8')).toBe('short ü');
    expect(readdirSync(sandbox.project)).toEqual(['state.json']);
    expect(sandbox.heldDescriptors()).toBe(0);
  });

  it('gives the file the mode asked for, whatever it had and whatever the umask', () => {
    writeFileAtomically(path, 'x');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o600);
    writeFileAtomically(path, 'x', 0o666);
    expect(statSync(path).mode & 0o777).toBe(0o666);
  });

  it('replaces a link instead of writing through it', () => {
    const target = sandbox.write('outside/target', 'untouched');
    symlinkSync(target, path);
    writeFileAtomically(path, 'new');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('refuses with a code and leaves no temporary file when the file cannot be replaced', () => {
    const lost = join(sandbox.project, 'missing/state.json');
    expect(refusal(() => writeFileAtomically(lost, 'x'))).toEqual(notFound(lost));
    mkdirSync(path);
    expect(refusal(() => writeFileAtomically(path, 'x'))).toEqual(unavailable(path, 'not_a_file'));
    expect(readdirSync(sandbox.project)).toEqual(['state.json']);
    expect(sandbox.heldDescriptors()).toBe(0);
  });

  it('never shows a reader a part of a text', async () => {
    writeFileAtomically(path, 'a'.repeat(4096));
    const cells = new Int32Array(new SharedArrayBuffer(8));
    const workerData = { path, shared: cells.buffer };
    const worker = new Worker(reader, { eval: true, workerData });
    const report = new Promise<unknown>((done, failed) =>
      worker.on('message', done).on('error', failed),
    );
    // The limit only prevents a thread that failed to start from blocking the test.
    expect(Atomics.wait(cells, 0, 0, 60_000)).not.toBe('timed-out');
    for (let n = 0; n < cases(60, 300); n += 1) {
      writeFileAtomically(path, n % 2 === 0 ? 'b'.repeat(9000) : 'a'.repeat(4096));
    }
    Atomics.store(cells, 1, 1);
    expect(await report).toEqual({ torn: undefined });
    expect(Atomics.load(cells, 0)).toBeGreaterThan(1);
  });
});
