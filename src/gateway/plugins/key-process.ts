import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { maxKeyBytes } from './abi.ts';
import type { LibrarySnapshot } from './library-files.ts';
import { type Ffi, NativeLibrary, pluginFailed } from './native-library.ts';
import { killMarked, trialMarker } from './probe-libraries.ts';

/** Time for loading the library and computing a key. */
export const keyMs = 2000;
const plugin = 'seed_key';

export interface KeyCall {
  readonly library: string;
  readonly entry: string;
  readonly level: number;
  /** In hex, since it crosses a process border. */
  readonly seed: string;
}

export interface KeyOrder {
  readonly key: KeyCall & { readonly path: string };
  readonly parent: number;
  readonly stepSeconds: number;
}

/** In the process of its own: the key in hex. */
export const runKey = (ffi: Ffi, { key }: Pick<KeyOrder, 'key'>): string => {
  const { path, library, entry, level } = key;
  const name = { id: plugin, kind: 'processor', library, entry } as const;
  const keyOf = new NativeLibrary(ffi, path, name).seedKey(name);
  const seed = Buffer.from(key.seed, 'hex');
  const bytes = new Uint8Array(maxKeyBytes);
  const length = Uint32Array.of(maxKeyBytes);
  const code = keyOf(level, seed, seed.length, bytes, length);
  if (code !== 0) throw pluginFailed(plugin, 'create_failed', `${entry} returned ${code}`);
  const used = length[0] as number;
  if (used === 0 || used > maxKeyBytes) {
    throw pluginFailed(plugin, 'wrong_shape', `${entry} returned a key of ${used} bytes`);
  }
  return Buffer.from(bytes.subarray(0, used)).toString('hex');
};

interface KeyOptions {
  readonly program: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly signal: AbortSignal;
}

const keyIn = (report: string): Uint8Array | BusbarError | null => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(report);
  } catch {
    return null;
  }
  const { key, error } = parsed as { key?: unknown; error?: { message?: unknown } };
  if (typeof key === 'string' && /^([0-9a-f]{2}){1,4096}$/.test(key)) {
    return new Uint8Array(Buffer.from(key, 'hex'));
  }
  const message = error?.message;
  if (typeof message !== 'string') return null;
  return new BusbarError('plugin_failed', { message, details: { field: plugin, plugin } });
};

/** Computes a key in a process of its own, which a library can crash or block at will. */
export const keyInProcess = async (
  call: KeyCall,
  snapshot: Pick<LibrarySnapshot, 'trialLibraries' | 'fds' | 'directory'>,
  { program, clock, signal }: KeyOptions,
): Promise<Uint8Array> => {
  const path = snapshot.trialLibraries[0]?.path ?? '';
  const order: KeyOrder = {
    key: { ...call, path },
    parent: process.pid,
    stepSeconds: Math.ceil(keyMs / 1000) + 1,
  };
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'ignore', 'ignore', 'pipe', ...snapshot.fds],
    env: { ...process.env, ...trialMarker(snapshot.directory) },
    detached: true,
  });
  const pipe = child.stdio?.[3] as Readable;
  const failed = (reason: 'timed_out' | 'crashed' | 'interfered', words: string): BusbarError => {
    const error = pluginFailed(plugin, reason, `${call.entry} ${words}`);
    return error.with({ details: { ...error.details, field: plugin } });
  };
  let stop = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    const timer = clock.after(keyMs, () =>
      reject(failed('timed_out', `did not return within ${keyMs / 1000} s`)),
    );
    const leave = (): void => reject(new BusbarError('operation_cancelled'));
    signal.addEventListener('abort', leave);
    stop = () => {
      timer.cancel();
      signal.removeEventListener('abort', leave);
    };
    child.on('error', (cause) => reject(new BusbarError('internal_error', { cause })));
  });
  ended.catch(() => undefined);
  try {
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(order));
    const report = await Promise.race([text(pipe), ended]);
    const key = keyIn(report);
    if (key === null) throw failed('crashed', 'crashed');
    if (key instanceof BusbarError) throw key;
    return key;
  } finally {
    stop();
    pipe.destroy();
    child.stdin?.destroy();
    if (child.pid !== undefined) killGroup(child.pid);
    killMarked(snapshot.directory);
  }
};

const killGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has exited.
  }
};
