import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLong } from '../../src/base/testing/long.ts';
import { eventually, Workbench } from '../support/workbench.ts';
import { runInBackground } from './support/background-command.ts';

/** A workbench whose daemon's threads load nothing until a certain file exists. */
class GatedWorkbench extends Workbench {
  readonly #gate = join(this.project, 'open');
  readonly #preload = join(this.project, 'gate.cjs');

  constructor() {
    super();
    const script = `
const { existsSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');
const memory = new Int32Array(new SharedArrayBuffer(4));
while (!isMainThread && !existsSync(${JSON.stringify(this.#gate)})) Atomics.wait(memory, 0, 0, 20);
`;
    writeFileSync(this.#preload, script);
    onTestFinished(async () => {
      this.openGate();
      await this.dispose();
    });
  }

  override get environment(): NodeJS.ProcessEnv {
    return { ...super.environment, NODE_OPTIONS: `--require ${this.#preload}` };
  }

  openGate(): void {
    writeFileSync(this.#gate, '');
  }
}

const noticesIn = (text: string): (string | undefined)[] =>
  [...text.matchAll(/still starting after \d+ s: (.+)$/gm)].map(([, stage]) => stage);

describe.runIf(isLong)('a daemon whose threads take very long to load', () => {
  it('is waited for, says what it is at, and serves in the end', async () => {
    const bench = new GatedWorkbench();
    const starter = runInBackground(bench, 'daemon', 'start');
    // The second call comes after many times the usual start time.
    await eventually(() => noticesIn(starter.stderr).length >= 2 || !starter.isRunning);
    expect(noticesIn(starter.stderr).at(-1)).toBe('starting its threads');
    const second = runInBackground(bench, 'daemon', 'start');
    bench.openGate();
    expect(await starter.ended).toEqual({ code: 0, signal: null });
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr).toContain('A daemon is already running');
    expect(await bench.json('daemon', 'status')).toMatchObject({ state: 'running' });
  });
});
