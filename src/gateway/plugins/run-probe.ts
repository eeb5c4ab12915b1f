import { writeSync } from 'node:fs';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { bitsOf, checkShape, NativeInstance } from './native-instance.ts';
import { type Ffi, NativeLibrary } from './native-library.ts';
import { type ProbeOrder, type ProbeReport, reportFd } from './probe-contract.ts';

const marker = { enter: () => undefined, leave: () => undefined };

/**
 * Does with the plugins of a project what a start would do, in a process of its own: whatever crashes or never
 * returns, this process does alone.
 */
export const runProbe = (ffi: Ffi, { plugins }: ProbeOrder, say: (report: ProbeReport) => void) => {
  const libraries = new Map<number, NativeLibrary>();
  for (const { fd, uses, context, ...name } of plugins) {
    const { id } = name;
    say({ plugin: id, step: `loading ${name.library}` });
    const library = libraries.get(fd) ?? new NativeLibrary(ffi, `/proc/self/fd/${fd}`, name);
    libraries.set(fd, library);
    say({ plugin: id, step: `asking ${name.entry}` });
    const plugin = library.plugin(name);
    for (const use of uses) {
      checkShape(plugin, use);
      const bitLength = name.kind === 'codec' ? bitsOf(plugin, use.bitLength) : 0;
      say({ plugin: id, step: 'creating an instance' });
      const instance = new NativeInstance(ffi, plugin, { ...use, bitLength }, context, marker);
      say({ plugin: id, step: 'resetting an instance' });
      instance.reset();
      say({ plugin: id, step: 'destroying an instance' });
      instance.destroy();
    }
  }
};

/** The whole of a probe: reads its order, and ends the process. */
export const probe = async (): Promise<void> => {
  const say = (report: ProbeReport): void => {
    writeSync(reportFd, `${JSON.stringify(report)}\n`);
  };
  try {
    const pieces: Buffer[] = [];
    for await (const piece of process.stdin) pieces.push(piece);
    const { default: ffi } = await import('koffi');
    runProbe(ffi, JSON.parse(Buffer.concat(pieces).toString()), say);
    say({ done: true });
  } catch (thrown) {
    say({ error: BusbarError.from(thrown).toRecord() });
  }
  // Whatever threads a plugin has started: they end here.
  process.kill(process.pid, 'SIGKILL');
};
