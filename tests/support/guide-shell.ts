import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { eventually, isAlive } from './workbench.ts';

const mark = 'busbar-guide-step';

/** Result of a step: its output in order, and the first failed command. */
export interface StepOutcome {
  readonly output: string;
  readonly failed: string | null;
}

/** Interrupts repeatedly, because a loop continues if its command was just about to end. */
const interruptUntilGone = (pid: number): string =>
  `while kill -INT -- -${pid}; do
    for _ in {1..50}; do kill -0 ${pid} || break 2; sleep 0.1; done
  done 2>/dev/null`;

/** One bash for a whole guide, so that its variables and directories stay. */
export class GuideShell {
  readonly #directory: string;
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;
  #text = '';
  #wake = (): void => {};
  #count = 0;
  #endless: number | null = null;

  constructor(directory: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#directory = directory;
    this.#shell = spawn('/bin/bash', ['--norc', '--noprofile'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      // A separate process group, so that a command that hangs ends with it.
      detached: true,
    });
    this.#shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    // A rejected command has failed; a stream that is ended after a while has succeeded.
    this.#shell.stdin.write(`curl() { command curl --fail-with-body "$@" || [ $? -eq 28 ]; }\n`);
    // The demonstration vehicle, running in another terminal.
    this.#shell.stdin.write(
      `start_vehicle() {
        : >vehicle.txt
        busbar demo "$@" >>vehicle.txt 2>/dev/null & vehicle=$!
        until grep -q Ctrl-C vehicle.txt; do kill -0 $vehicle || return; sleep 0.05; done
      }
      stop_vehicle() { kill $vehicle; wait $vehicle; rm vehicle.txt; }\n`,
    );
    this.#shell.stdin.write(
      `exec 2>&1; trap 'case $BASH_COMMAND in *"exit "*) ;; *) failed="\${failed:-$BASH_COMMAND}" ;; esac' ERR; status=0\n`,
    );
  }

  async run(command: string): Promise<StepOutcome> {
    const file = join(this.#directory, `step-${++this.#count}.sh`);
    writeFileSync(file, `(exit $status)\n${command}\n`);
    this.#shell.stdin.write(
      `failed=; . ${file} </dev/null; status=$?; printf '%s %s\\n%s\\n' '${mark}' "\${failed@Q}" '${mark}'\n`,
    );
    const end = `\n${mark}\n`;
    while (!this.#text.endsWith(end)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const from = this.#text.lastIndexOf(`${mark} `);
    const failed = this.#text.slice(from + mark.length + 1, -end.length);
    const output = this.#text.slice(0, from);
    this.#text = '';
    return { output, failed: failed === "''" ? null : failed };
  }

  /**
   * Runs a command that only Ctrl-C ends until it has printed enough. Fails if it ends earlier.
   */
  async runUntilInterrupted(
    command: string,
    isEnough: (output: string) => boolean,
  ): Promise<StepOutcome> {
    const file = join(this.#directory, `endless-${++this.#count}`);
    writeFileSync(`${file}.sh`, command);
    const output = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    // With job control, so that it is a group of its own that does not ignore SIGINT.
    const job = await this.run(`set -m; . ${file}.sh >${file} 2>&1 & set +m; echo $!`);
    const pid = Number(job.output);
    this.#endless = pid;
    await eventually(() => !isAlive(pid) || isEnough(output()));
    const failed = isAlive(pid) ? null : command;
    if (failed === null) await this.run(interruptUntilGone(pid));
    await this.run(`wait ${pid}`);
    this.#endless = null;
    return { output: output(), failed };
  }

  close(): void {
    if (this.#endless !== null) process.kill(-this.#endless, 'SIGKILL');
    if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, 'SIGKILL');
  }
}
