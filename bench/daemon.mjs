// A daemon with its own home, for benchmarks of the whole product.
import { execFile, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export const busbar = resolve(import.meta.dirname, '../bin/busbar');

const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
export const environment = inherited;

/** Options of `daemon start` for the ports of both CAN segments at the highest rates. */
export const fastChannels = [0, 1, 2, 3].map(
  (port) => `--channel=SIM00001/${port},bus=canfd,bitrate=1000000,data_bitrate=8000000`,
);

export const messageOf = (child) => new Promise((done) => child.once('message', done));

export class BenchDaemon {
  #options;

  /** `name` is part of the names of temporary folders. */
  constructor(name) {
    this.folder = mkdtempSync(join(tmpdir(), `busbar-${name}-`));
    const env = { ...environment, BUSBAR_HOME: join(this.folder, 'home') };
    this.#options = { env, cwd: this.folder };
  }

  async cli(...args) {
    const command = [busbar, ...args, '--format=json'];
    const options = { ...this.#options, maxBuffer: 1 << 26 };
    return JSON.parse((await promisify(execFile)(process.execPath, command, options)).stdout);
  }

  /** Starts a command that runs in parallel. */
  spawn(args, stdio = 'ignore') {
    return spawn(process.execPath, [busbar, ...args], { ...this.#options, stdio });
  }

  /** Runs another program in the folder and environment of the commands. */
  fork(program, args, options = {}) {
    return fork(program, args, { ...this.#options, ...options });
  }

  start(...options) {
    return this.cli('daemon', 'start', ...options);
  }

  /** Starts the Web service and returns its address. */
  async startWeb(...options) {
    const quiet = ['--listen=127.0.0.1:0', '--log-level=error'];
    return (await this.cli('web', 'start', ...quiet, ...options)).listen;
  }

  /** Stops the daemon and removes its folder. */
  async stop() {
    await this.cli('daemon', 'stop');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
