import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../testing/bundle-program.ts';

// Product threads run CommonJS bundles with an external koffi, and each test changes its thread.
// So each test runs in a worker made the same way.
const program = `
  import { readFileSync, readlinkSync } from 'node:fs';
  import { basename } from 'node:path';
  import { parentPort, Worker, workerData } from 'node:worker_threads';
  import { SystemClock } from '../clock/system-clock.ts';
  import { loadLibc, requestFifo } from './libc.ts';
  import { loadSystemTimer } from './system-timer.ts';
  import { niceThisThread } from './this-thread.ts';
  import { threadsBeside } from './process-threads.ts';

  const schedulingOf = (thread) => {
    const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8');
    return fieldsOf(stat);
  };
  const fieldsOf = (stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { niceness: Number(fields[16]), policy: Number(fields[38]) };
  };
  const scheduling = () => fieldsOf(readFileSync('/proc/thread-self/stat', 'utf8'));

  /** As reported by sched_getattr. */
  const sliceHere = async () => {
    const { default: koffi } = await import('koffi');
    const syscall = koffi
      .load(null)
      .func('long syscall(long number, long pid, void *attributes, long size, long flags)');
    const attributes = new Uint32Array(14);
    const number = { x64: 315, arm64: 275 }[process.arch];
    syscall(number, 0, attributes, attributes.byteLength, 0);
    return attributes[6];
  };

  const doings = {
    loadLibc: async () => {
      const { available, reason } = await loadLibc();
      return { available, reason };
    },
    timer: async () => {
      const clock = new SystemClock();
      const open = await loadSystemTimer(clock);
      const atUs = clock.monotonicUs() + 2000;
      const expiredUs = await new Promise((resolve) => {
        const timer = open(() => {
          resolve(clock.monotonicUs());
          timer.close();
        });
        timer.arm(atUs);
      });
      return expiredUs >= atUs - 1;
    },
    nice: () => ({ done: niceThisThread(7), ...scheduling() }),
    niceBeyondRange: () => ({ done: niceThisThread(100), ...scheduling() }),
    look: () => scheduling(),
    slice: async () => {
      niceThisThread(7);
      const { libc } = await loadLibc();
      const granted = libc.requestSlice(100_000);
      const own = scheduling();
      const child = new Worker(__filename, { workerData: 'sliceOf' });
      const inherited = await new Promise((resolve) => child.once('message', resolve));
      return { granted, ...own, slice: await sliceHere(), inherited };
    },
    sliceOf: () => sliceHere(),
    fifo: async () => {
      const outcome = await requestFifo(3);
      const own = scheduling().policy;
      const child = new Worker(__filename, { workerData: 'look' });
      const inherited = await new Promise((resolve) => child.once('message', resolve));
      return { outcome, own, inherited: inherited.policy };
    },
    raisedForAWhile: async () => {
      niceThisThread(7);
      const { libc } = await loadLibc();
      const outcome = libc.requestFifo(3);
      const raised = scheduling().policy;
      libc.leaveFifo();
      return { outcome, raised, ...scheduling() };
    },
    fifoOfAnother: async () => {
      const child = new Worker(__filename, { workerData: 'stay' });
      const other = await new Promise((resolve) => child.once('message', resolve));
      const before = schedulingOf(other);
      const outcome = await requestFifo(3, other);
      const after = schedulingOf(other);
      const isListed = threadsBeside(process.pid).includes(other);
      await child.terminate();
      return { outcome, before: before.policy, after: after.policy, isListed };
    },
    stay: () => {
      parentPort.on('message', () => undefined);
      return Number(basename(readlinkSync('/proc/thread-self')));
    },
    fifoOfNone: () => requestFifo(3, 2 ** 30),
    impossibleFifo: async () => ({ outcome: await requestFifo(1000), own: scheduling().policy }),
  };
  Promise.resolve(doings[workerData]()).then((result) => parentPort.postMessage(result));
`;

const isKernelAtLeast = (major: number, minor: number): boolean => {
  const [ownMajor = 0, ownMinor = 0] = release().split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
};

describe.runIf(process.platform === 'linux')('in a thread that runs a bundle', () => {
  let folder: string;
  const bundle = (): string => join(folder, 'installed', 'thread.cjs');
  const bundleWithoutKoffi = (): string => join(folder, 'bare', 'thread.cjs');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-native-'));
    for (const outfile of [bundle(), bundleWithoutKoffi()]) {
      const text = { text: program, folder: import.meta.dirname };
      await bundleProgram(text, outfile, { external: ['koffi'] });
    }
    symlinkSync(resolve('node_modules'), join(folder, 'installed', 'node_modules'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const inThread = (doing: string, file = bundle()): Promise<unknown> =>
    new Promise((resolveResult, reject) => {
      const worker = new Worker(file, { workerData: doing });
      worker.once('message', resolveResult);
      worker.once('error', reject);
    });

  it('finds the C library', async () => {
    expect(await inThread('loadLibc')).toEqual({ available: true, reason: undefined });
  });

  it('says why when koffi is not installed', async () => {
    expect(await inThread('loadLibc', bundleWithoutKoffi())).toEqual({
      available: false,
      reason: expect.stringContaining('koffi'),
    });
  });

  it('refuses real-time scheduling with the same words when koffi is not installed', async () => {
    expect(await inThread('fifo', bundleWithoutKoffi())).toEqual({
      outcome: { granted: false, reason: expect.stringContaining('koffi') },
      own: 0,
      inherited: 0,
    });
  });

  it('is woken by a timer of the kernel', async () => {
    expect(await inThread('timer')).toBe(true);
  });

  it('nices that thread alone', async () => {
    expect(await inThread('nice')).toEqual({ done: true, niceness: 7, policy: 0 });
    expect(await inThread('look')).toEqual({ niceness: 0, policy: 0 });
  });

  it('takes short slices without being less nice, and keeps them from threads started later', async () => {
    const hasCall = ['x64', 'arm64'].includes(process.arch);
    const isShort = hasCall && isKernelAtLeast(6, 12);
    const slice = isShort ? 100_000 : expect.anything();
    expect(await inThread('slice')).toEqual({
      granted: hasCall,
      niceness: 7,
      policy: 0,
      slice,
      inherited: expect.toSatisfy((ns) => ns !== 100_000),
    });
  });

  it('says so when a niceness cannot be set', async () => {
    expect(await inThread('niceBeyondRange')).toMatchObject({ done: false, niceness: 0 });
  });

  it('takes SCHED_FIFO where permitted, and keeps it from threads started later', async () => {
    const result = await inThread('fifo');
    expect([
      { outcome: { granted: true }, own: 1, inherited: 0 },
      { outcome: { granted: false, reason: 'EPERM' }, own: 0, inherited: 0 },
    ]).toContainEqual(result);
  });

  it('is scheduled as before once it has left SCHED_FIFO', async () => {
    const result = await inThread('raisedForAWhile');
    const after = { niceness: 7, policy: 0 };
    expect([
      { outcome: { granted: true }, raised: 1, ...after },
      { outcome: { granted: false, reason: 'EPERM' }, raised: 0, ...after },
    ]).toContainEqual(result);
  });

  it('takes SCHED_FIFO for another thread of the process, where permitted', async () => {
    const result = await inThread('fifoOfAnother');
    expect([
      { outcome: { granted: true }, before: 0, after: 1, isListed: true },
      { outcome: { granted: false, reason: 'EPERM' }, before: 0, after: 0, isListed: true },
    ]).toContainEqual(result);
    expect(await inThread('fifoOfNone')).toEqual({ granted: false, reason: 'ESRCH' });
  });

  it('names the errno of a priority that does not exist', async () => {
    expect(await inThread('impossibleFifo')).toEqual({
      outcome: { granted: false, reason: 'EINVAL' },
      own: 0,
    });
  });
});
