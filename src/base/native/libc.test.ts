import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { type Libc, loadLibc } from './libc.ts';

const libcHere = async (): Promise<Libc> => {
  const loaded = await loadLibc();
  if (!loaded.available) throw new Error(loaded.reason);
  return loaded.libc;
};

describe('tryLockFile', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-lock-'));
    path = join(folder, 'lock');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('lets one open file have the lock and the next only once the first is closed', async () => {
    const libc = await libcHere();
    const first = openSync(path, 'w');
    const second = openSync(path, 'w');

    expect(libc.tryLockFile(first)).toBe(true);
    expect(libc.tryLockFile(second)).toBe(false);
    closeSync(first);
    expect(libc.tryLockFile(second)).toBe(true);
    closeSync(second);
  });

  it('grants the lock again to the open file that has it', async () => {
    const libc = await libcHere();
    const fd = openSync(path, 'w');

    expect(libc.tryLockFile(fd)).toBe(true);
    expect(libc.tryLockFile(fd)).toBe(true);
    closeSync(fd);
  });

  it('names the errno when the descriptor is not open', async () => {
    const libc = await libcHere();
    const fd = openSync(path, 'w');
    closeSync(fd);

    const refusal = (() => {
      try {
        return libc.tryLockFile(fd);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(BusbarError);
    expect(refusal).toMatchObject({ code: 'internal_error', details: { errno: 'EBADF' } });
  });
});

describe('loadLibc', () => {
  it('loads once for all callers', () => {
    expect(loadLibc()).toBe(loadLibc());
  });
});
