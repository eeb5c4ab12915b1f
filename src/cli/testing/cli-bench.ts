import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/clock/clock.ts';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { locateHome } from '../../link/home.ts';
import type { Operation } from '../../operations/define.ts';
import { packCliTable, renderCliTable } from '../../operations/render/cli-table.ts';
import { describeCommands } from '../../operations/render/describe.ts';
import { CommandTable } from '../command-table.ts';
import { runCli } from '../main.ts';
import { type FakeCall, FakeDaemon } from './fake-daemon.ts';
import { Paper } from './paper.ts';

/** Runs command lines in a temporary folder, with a daemon simulated by the test. */
export class CliBench {
  readonly folder = mkdtempSync(join(tmpdir(), 'busbar-cli-'));
  readonly home = join(this.folder, 'home');
  stdout = new Paper();
  stderr = new Paper();
  clock: Clock = new FakeClock();
  env: NodeJS.ProcessEnv = {};
  descriptions = async () => describeCommands(this.#operations);
  readonly #operations: readonly Operation[];
  #daemon: FakeDaemon | undefined;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
    mkdirSync(this.home);
  }

  async serve(answer: (call: FakeCall) => void): Promise<FakeDaemon> {
    this.#daemon = new FakeDaemon(answer);
    await this.#daemon.listen(locateHome({ BUSBAR_HOME: this.home }).socket);
    return this.#daemon;
  }

  run(...argv: string[]): Promise<number> {
    return runCli({
      argv,
      env: { BUSBAR_HOME: this.home, ...this.env },
      workingDirectory: this.folder,
      distribution: this.folder,
      table: new CommandTable(packCliTable(renderCliTable(this.#operations))),
      descriptions: this.descriptions,
      clock: this.clock,
      stdout: this.stdout,
      stderr: this.stderr,
    });
  }

  close(): void {
    this.#daemon?.close();
    rmSync(this.folder, { recursive: true });
  }
}
