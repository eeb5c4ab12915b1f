import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type KeyOrder, runKey } from './key-process.ts';
import { bitsOf, checkShape, NativeInstance } from './native-instance.ts';
import { type Ffi, NativeLibrary } from './native-library.ts';
import { type ProbeOrder, type ProbeReport, reportFd } from './probe-contract.ts';

const marker = { enter: () => undefined, leave: () => undefined };

/**
 * Performs the steps of a start in a separate process: a plugin that crashes or never returns
 * affects only this process. `begin` is called before each step.
 */
export const runProbe = (
  ffi: Ffi,
  { plugins }: Pick<ProbeOrder, 'plugins'>,
  begin: () => void,
): void => {
  const libraries = new Map<string, NativeLibrary>();
  for (const { path, uses, context, ...name } of plugins) {
    begin();
    const library = libraries.get(path) ?? new NativeLibrary(ffi, path, name);
    libraries.set(path, library);
    begin();
    const plugin = library.plugin(name);
    for (const use of uses) {
      checkShape(plugin, use);
      const bitLength = name.kind === 'codec' ? bitsOf(plugin, use.bitLength) : 0;
      begin();
      const instance = new NativeInstance(ffi, plugin, { ...use, bitLength }, context, marker);
      begin();
      instance.reset();
      begin();
      instance.destroy();
    }
  }
};

const endItself = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const parentDeathSignal = 1;

/** Makes the kernel kill this process when its parent exits, even while a plugin blocks. */
const dieWith = (ffi: Ffi, parent: number): void => {
  const long = 'unsigned long';
  const prctl = ffi.load(null).func('prctl', 'int', ['int', long, long, long, long]);
  prctl(parentDeathSignal, constants.signals.SIGKILL, 0, 0, 0);
  // The parent exited before, and another process adopted this one.
  if (process.ppid !== parent) endItself();
};

const say = (report: ProbeReport | { readonly key: string }): void => {
  writeSync(reportFd, `${JSON.stringify(report)}\n`);
};

export const probe = async (): Promise<void> => {
  try {
    const pieces: Buffer[] = [];
    for await (const piece of process.stdin) pieces.push(piece);
    const order: ProbeOrder | KeyOrder = JSON.parse(Buffer.concat(pieces).toString());
    const { default: ffi } = await import('koffi');
    dieWith(ffi, order.parent);
    const alarm = ffi.load(null).func('unsigned int alarm(unsigned int seconds)');
    if ('key' in order) {
      alarm(order.stepSeconds);
      say({ key: runKey(ffi, order) });
      endItself();
      return;
    }
    let step = 0;
    runProbe(ffi, order, () => {
      alarm(order.stepSeconds);
      say({ step: step++ });
    });
    say({ done: true });
  } catch (thrown) {
    say({ error: BusbarError.from(thrown).toRecord() });
  }
  endItself();
};
