import { execFile } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DescriptorOutput } from './output.ts';

const text = 'Brüggli → ✓\n'.repeat(20_000);

describe.runIf(process.platform === 'linux')('DescriptorOutput', () => {
  let folder: string;
  const open: number[] = [];

  const opened = (path: string, flags: number): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };

  const pipe = async (): Promise<string> => {
    const path = join(folder, 'pipe');
    await promisify(execFile)('mkfifo', [path]);
    return path;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-output-'));
  });

  afterEach(() => {
    for (const fd of open.splice(0)) closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  it('writes text as UTF-8, one after the other', () => {
    const path = join(folder, 'file');
    const output = new DescriptorOutput(opened(path, constants.O_CREAT | constants.O_WRONLY));
    output.write('one ✓\n');
    output.write('');
    output.write('two\n');
    output.write(Buffer.from('three ✓\n'));
    expect(readFileSync(path, 'utf8')).toBe('one ✓\ntwo\nthree ✓\n');
    expect(output.isTerminal).toBe(false);
  });

  it('knows a terminal when it writes to one', () => {
    expect(new DescriptorOutput(opened('/dev/ptmx', constants.O_RDWR)).isTerminal).toBe(true);
  });

  it('takes a descriptor that is closed for no terminal', () => {
    expect(new DescriptorOutput(1_000_000).isTerminal).toBe(false);
  });

  it('waits for a slow reader instead of losing what does not fit', async () => {
    const path = await pipe();
    // Opens both ends together, so that neither waits for the other.
    const fd = opened(path, constants.O_RDWR | constants.O_NONBLOCK);
    const reader = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const { closeSync, openSync, readSync } = require('node:fs');
       const fd = openSync(workerData.path, 'r');
       const chunk = Buffer.alloc(4096);
       const parts = [];
       let size = 0;
       while (size < workerData.size) {
         const read = readSync(fd, chunk);
         parts.push(Buffer.from(chunk.subarray(0, read)));
         size += read;
       }
       closeSync(fd);
       parentPort.postMessage(Buffer.concat(parts).toString());`,
      { eval: true, workerData: { path, size: Buffer.byteLength(text) } },
    );
    const received = new Promise((resolve) => reader.once('message', resolve));
    new DescriptorOutput(fd).write(text);
    expect(await received).toBe(text);
  });

  it('stops quietly when its reader has left', async () => {
    const path = await pipe();
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const output = new DescriptorOutput(opened(path, constants.O_WRONLY));
    output.write('first');
    expect(readSync(reader, Buffer.alloc(10))).toBe(5);
    closeSync(reader);
    expect(output.isAbandoned).toBe(false);
    expect(() => output.write('second')).not.toThrow();
    expect(output.isAbandoned).toBe(true);
  });

  it('does not hide that a disk is full', () => {
    const output = new DescriptorOutput(opened('/dev/full', constants.O_WRONLY));
    expect(() => output.write('x')).toThrow(
      expect.objectContaining({ code: 'output_failed', details: { reason: 'ENOSPC' } }),
    );
  });
});
