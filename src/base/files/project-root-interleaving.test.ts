import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { openByDescriptor } from './descriptor-handle.ts';
import type { OpenEntry } from './entry-handle.ts';
import { openByPath } from './path-handle.ts';
import { ProjectRoot } from './project-root.ts';
import { FileSandbox } from './testing/file-sandbox.ts';
import { refusal, textOf, unavailable } from './testing/refusals.ts';

/** Called before every file system access: the moments at which another process could act. */
const moment = vi.hoisted(() => {
  // Other test files of this process have loaded the modules already, with the true node:fs.
  vi.resetModules();
  return { passes: (_call: string, _args: readonly unknown[]): void => undefined };
});
afterAll(() => vi.resetModules());

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const watched =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      moment.passes(call.name, args);
      return call(...args);
    };
  return {
    ...fs,
    openSync: watched(fs.openSync),
    fstatSync: watched(fs.fstatSync),
    lstatSync: watched(fs.lstatSync),
    readlinkSync: watched(fs.readlinkSync),
    ftruncateSync: watched(fs.ftruncateSync),
    realpathSync: Object.assign(watched(fs.realpathSync), {
      native: watched(fs.realpathSync.native),
    }),
  };
});

type Outcome = 'inside' | 'refused' | 'LEAKED';
type Attempt = (root: ProjectRoot, sandbox: FileSandbox) => Outcome;

/** `dir/secret.txt` is inside; the spare links point outside. */
const prepare = (): FileSandbox => {
  const sandbox = new FileSandbox();
  sandbox.write('project/dir/secret.txt', 'inside');
  sandbox.write('outside/secret.txt', 'SECRET');
  sandbox.link('project/spare-dir', sandbox.outside);
  sandbox.link('project/spare-file', join(sandbox.outside, 'secret.txt'));
  sandbox.link('project/spare-new', join(sandbox.outside, 'new.txt'));
  return sandbox;
};

const exchange = (sandbox: FileSandbox, one: string, other: string): void => {
  const [a, b, parked] = [one, other, 'parked'].map((name) => join(sandbox.project, name));
  renameSync(String(a), String(parked));
  renameSync(String(b), String(a));
  renameSync(String(parked), String(b));
};

const swapDirectory = (sandbox: FileSandbox) => exchange(sandbox, 'dir', 'spare-dir');
const swapFile = (sandbox: FileSandbox) => exchange(sandbox, 'dir/secret.txt', 'spare-file');

/** Puts a dangling link in place of the next new file, or removes it again. */
const plantLink = ({ project }: FileSandbox): void => {
  const [spare, planted] = [join(project, 'spare-new'), join(project, 'dir/new.txt')];
  if (readdirSync(project).includes('spare-new')) renameSync(spare, planted);
  else renameSync(planted, spare);
};

const refused = (thrown: unknown): Outcome => {
  if (thrown instanceof BusbarError && thrown.code !== 'internal_error') return 'refused';
  throw thrown;
};

const outsideIsUntouched = ({ outside }: FileSandbox): boolean =>
  readdirSync(outside).join() === 'secret.txt' &&
  readFileSync(join(outside, 'secret.txt'), 'utf8') === 'SECRET';

const reads: Attempt = (root) => {
  try {
    return textOf(root.openForReading('dir/secret.txt')) === 'inside' ? 'inside' : 'LEAKED';
  } catch (thrown) {
    return refused(thrown);
  }
};

const writes =
  (path: string): Attempt =>
  (root) => {
    try {
      closeSync(root.openForWriting(path, { create: true, truncate: true }).fd);
      return 'inside';
    } catch (thrown) {
      return refused(thrown);
    }
  };

/**
 * Runs an attempt with the swap before each of the given moments; returns the number of
 * moments.
 */
const play = (
  pinPath: OpenEntry,
  attempt: Attempt,
  swap: (sandbox: FileSandbox) => void,
  at: readonly number[],
): { outcome: Outcome; moments: number } => {
  const sandbox = prepare();
  const root = ProjectRoot.open(sandbox.project, {}, pinPath);
  const held = sandbox.heldDescriptors();
  let moments = 0;
  moment.passes = () => {
    moments += 1;
    if (at.includes(moments)) swap(sandbox);
  };
  try {
    const outcome = attempt(root, sandbox);
    moment.passes = () => undefined;
    expect(sandbox.heldDescriptors()).toBe(held);
    return { outcome: outsideIsUntouched(sandbox) ? outcome : 'LEAKED', moments };
  } finally {
    moment.passes = () => undefined;
    root.close();
    sandbox.dispose();
  }
};

/** Every position of one swap, and every position of a swap and its reversal. */
const schedules = (moments: number, swaps: 1 | 2): number[][] => {
  const places = Array.from({ length: moments }, (_, index) => index + 1);
  const single = places.map((place) => [place]);
  const pairs = places.flatMap((a) => places.filter((b) => b > a).map((b) => [a, b]));
  return swaps === 1 ? single : [...single, ...pairs];
};

const outcomes = (
  pinPath: OpenEntry,
  attempt: Attempt,
  swap: (sandbox: FileSandbox) => void,
  swaps: 1 | 2,
): Set<Outcome> => {
  const { moments } = play(pinPath, attempt, swap, []);
  expect(moments).toBeGreaterThan(2);
  // A few more than an undisturbed run: following a link takes extra calls.
  const plans = schedules(moments + 4, swaps);
  return new Set(plans.map((at) => play(pinPath, attempt, swap, at).outcome));
};

afterEach(() => {
  moment.passes = () => undefined;
});

describe('a link swapped in at any moment of an open', () => {
  const both = new Set<Outcome>(['inside', 'refused']);

  it.each([
    ['its directory', swapDirectory],
    ['the file itself', swapFile],
  ])('never yields outside content when it replaces %s, also if swapped back', (_what, swap) => {
    expect(outcomes(openByDescriptor, reads, swap, 2)).toEqual(both);
  });

  it.each([
    ['truncated, by a swapped directory', 'dir/secret.txt', swapDirectory],
    ['truncated, by a swapped file', 'dir/secret.txt', swapFile],
    ['created, by a swapped directory', 'dir/new.txt', swapDirectory],
    ['created, by a link under the new name', 'dir/new.txt', plantLink],
  ])('never gets anything outside %s', (_what, path, swap) => {
    expect(outcomes(openByDescriptor, writes(path), swap, 2)).toEqual(both);
  });

  it('does not fool the way without descriptors with a single swap', () => {
    expect(outcomes(openByPath, reads, swapDirectory, 1)).toEqual(both);
    expect(outcomes(openByPath, reads, swapFile, 1)).toEqual(both);
    expect(outcomes(openByPath, writes('dir/secret.txt'), swapDirectory, 1)).toEqual(both);
    expect(outcomes(openByPath, writes('dir/secret.txt'), swapFile, 1)).toEqual(both);
  });

  it('would get through a check that is separate from its open', () => {
    const checksThenOpens: Attempt = (_root, { project }) => {
      const path = realpathSync.native(join(project, 'dir/secret.txt'));
      if (!path.startsWith(`${project}/`)) return 'refused';
      const fd = openSync(path, 'r');
      const text = textOf({ fd, path });
      return text === 'inside' ? 'inside' : 'LEAKED';
    };
    const plans = schedules(6, 1);
    const seen = plans.map((at) => play(openByDescriptor, checksThenOpens, swapDirectory, at));
    expect(seen.map(({ outcome }) => outcome)).toContain('LEAKED');
  });
});

describe('a name that changes hands during an open', () => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;

  beforeEach(() => {
    sandbox = prepare();
    root = ProjectRoot.open(sandbox.project);
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  const isCreation = (call: string, args: readonly unknown[]): boolean =>
    call === 'openSync' && (Number(args[1]) & constants.O_CREAT) !== 0;

  it('leads into the directory that has taken the place of a link', () => {
    swapDirectory(sandbox);
    moment.passes = (call) => {
      if (call === 'readlinkSync') swapDirectory(sandbox);
    };
    expect(reads(root, sandbox)).toBe('inside');
  });

  it('opens the file that someone else makes first', () => {
    moment.passes = (call, args) => {
      if (isCreation(call, args)) sandbox.write('project/dir/new.txt', 'theirs');
    };
    const opened = root.openForWriting('dir/new.txt', { create: true });
    closeSync(opened.fd);
    expect(readFileSync(opened.path, 'utf8')).toBe('theirs');
  });

  it('refuses the file that someone else makes first if it had to be new', () => {
    moment.passes = (call, args) => {
      if (isCreation(call, args)) sandbox.write('project/dir/new.txt', 'theirs');
    };
    const create = () => root.openForWriting('dir/new.txt', { exclusive: true });
    expect(refusal(create)).toEqual(unavailable('dir/new.txt', 'EEXIST'));
  });

  it('is given up if others keep making and removing the file', () => {
    moment.passes = (call, args) => {
      rmSync(join(sandbox.project, 'dir/new.txt'), { force: true });
      if (isCreation(call, args)) sandbox.write('project/dir/new.txt', 'theirs');
    };
    const create = () => root.openForWriting('dir/new.txt', { create: true });
    expect(refusal(create)).toEqual(unavailable('dir/new.txt', 'EAGAIN'));
  });
});
