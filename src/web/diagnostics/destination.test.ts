import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { openLogDestination, type WriteBytes } from './destination.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-log-'));
  file = join(directory, 'web.log');
});

afterEach(() => rmSync(directory, { recursive: true }));

const content = (): string => readFileSync(file, 'utf8');

const failing = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

const refusal = (path: string): BusbarError => {
  try {
    openLogDestination(path);
  } catch (thrown) {
    if (thrown instanceof BusbarError) return thrown;
  }
  return expect.fail('it was opened');
};

describe('a log file', () => {
  it('is made for its owner alone and reported by its absolute path', () => {
    const destination = openLogDestination(relative(process.cwd(), file));
    expect(destination.name).toBe(file);
    expect(destination.write('one')).toBe(true);
    expect(destination.write('two')).toBe(true);
    destination.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(content()).toBe('one\ntwo\n');
  });

  it('keeps what it held, and begins a new line if the last one was unfinished', () => {
    writeFileSync(file, 'old\nunfinished', { mode: 0o644 });
    for (const record of ['first', 'second']) {
      const destination = openLogDestination(file);
      destination.write(record);
      destination.close();
    }
    expect(content()).toBe('old\nunfinished\nfirst\nsecond\n');
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it('takes nothing after it was closed, and can be closed twice', () => {
    const destination = openLogDestination(file);
    destination.close();
    destination.close();
    expect(destination.write('late')).toBe(false);
    expect(content()).toBe('');
  });

  it.each([
    ['in a missing directory', 'missing/web.log', 'its directory does not exist'],
    ['that is a directory', 'folder', 'it is a directory'],
    ['below a file', 'plain/web.log', 'part of the path is not a directory'],
    ['with a NUL in its name', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
  ])('%s is refused with the reason', (_case, name, reason) => {
    mkdirSync(join(directory, 'folder'));
    writeFileSync(join(directory, 'plain'), '');
    const path = join(directory, name);
    const error = refusal(path);
    expect(error.code).toBe('file_unavailable');
    expect(error.details).toEqual({ field: 'log_file', path, reason });
  });

  it('that is a pipe without a reader is refused instead of waited for', () => {
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    expect(refusal(file).details.reason).toBe('no process reads from the pipe');
  });
});

describe('stderr', () => {
  it('is the destination without a path, and stays open when the log is closed', () => {
    const written: [number, string][] = [];
    const write: WriteBytes = (fd, bytes) => written.push([fd, bytes.toString()]) && bytes.length;
    const destination = openLogDestination(undefined, { write });
    expect(destination.name).toBe('stderr');
    destination.write('one');
    destination.close();
    expect(written).toEqual([[2, 'one\n']]);
    expect(() => writeSync(2, '')).not.toThrow();
  });
});

describe('a difficult write', () => {
  it('goes on after partial writes, interruptions and short refusals', () => {
    let calls = 0;
    const write: WriteBytes = (fd, bytes) => {
      calls++;
      if (calls % 3 === 1) failing('EAGAIN');
      if (calls % 3 === 2) failing('EINTR');
      return writeSync(fd, bytes, 0, 1);
    };
    const record = 'x'.repeat(100);
    const destination = openLogDestination(file, { write });
    expect(destination.write(record)).toBe(true);
    destination.close();
    expect(content()).toBe(`${record}\n`);
  });

  it.each(['EAGAIN', 'ENOSPC', 'EIO', 'EPIPE'])(
    'that keeps failing with %s is given up without throwing',
    (code) => {
      const destination = openLogDestination(file, { write: () => failing(code) });
      expect(destination.write('lost')).toBe(false);
      expect(() => destination.close()).not.toThrow();
      expect(content()).toBe('');
    },
  );

  it('that takes no byte is given up', () => {
    const destination = openLogDestination(file, { write: () => 0 });
    expect(destination.write('lost')).toBe(false);
    destination.close();
  });

  it('on a disk that fills up inside a record is completed before the next record', () => {
    let room = 10;
    const write: WriteBytes = (fd, bytes, offset, length) => {
      if (room === 0) failing('ENOSPC');
      const written = writeSync(fd, bytes, offset, Math.min(length, room));
      room -= written;
      return written;
    };
    const destination = openLogDestination(file, { write });
    expect(destination.write('first')).toBe(true);
    expect(destination.write('second')).toBe(true);
    expect(content()).toBe('first\nseco');
    expect(destination.write('third')).toBe(false);
    room = 100;
    expect(destination.write('fourth')).toBe(true);
    destination.close();
    expect(content()).toBe('first\nsecond\nfourth\n');
  });
});

describe('a log file that was renamed', () => {
  const rotated = (): string => `${file}.1`;
  const rotate = (): void => renameSync(file, rotated());

  it('is left as it is once the log is opened anew', () => {
    const destination = openLogDestination(file);
    destination.write('old');
    rotate();
    destination.write('still old');
    destination.reopen();
    destination.write('new');
    destination.close();
    expect(readFileSync(rotated(), 'utf8')).toBe('old\nstill old\n');
    expect(content()).toBe('new\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('goes on where it stopped if nothing was renamed', () => {
    const destination = openLogDestination(file);
    destination.write('one');
    destination.reopen();
    destination.write('two');
    destination.close();
    expect(content()).toBe('one\ntwo\n');
  });

  it('is written on where no new one can be made', () => {
    const destination = openLogDestination(file);
    rotate();
    mkdirSync(file);
    expect(() => destination.reopen()).toThrow(
      expect.objectContaining({ code: 'file_unavailable', details: expect.anything() }),
    );
    expect(destination.write('kept')).toBe(true);
    destination.close();
    expect(readFileSync(rotated(), 'utf8')).toBe('kept\n');
  });

  it.each([
    ['renamed', 'record\n'],
    ['the same', 'rec\nrecord\n'],
  ])('leaves no record torn when it is full: the new one has it whole (%s)', (which, whole) => {
    let room = 3;
    const write: WriteBytes = (fd, bytes, offset, length) => {
      if (room === 0) failing('ENOSPC');
      const written = writeSync(fd, bytes, offset, Math.min(length, room));
      room -= written;
      return written;
    };
    const destination = openLogDestination(file, { write });
    expect(destination.write('record')).toBe(true);
    if (which === 'renamed') rotate();
    destination.reopen();
    room = 100;
    destination.write('next');
    destination.close();
    expect(content()).toBe(`${whole}next\n`);
  });

  it('is nothing to standard error, or to a log that is closed', () => {
    expect(() => openLogDestination(undefined).reopen()).not.toThrow();
    const destination = openLogDestination(file);
    destination.close();
    rotate();
    destination.reopen();
    expect(() => statSync(file)).toThrow();
  });
});
