// A bench with content for every page, at two loads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTasks } from '../console-trace/load.mjs';
import { BenchDaemon, fastChannels } from '../daemon.mjs';
import { project } from './projects.mjs';

const waveCount = 500;
const can = [0, 1, 2, 3].map((port) => `SIM00001/${port}`);
const lin = ['SIM00001/4,lin.role=master', 'SIM00001/5'].map((port) => `--channel=${port}`);

/** Two messages of four signals each, which drive a sawtooth. */
const messages = [
  { name: 'Engine', id: 0x100, signals: ['Speed', 'Torque', 'Heat', 'Turns'] },
  { name: 'Body', id: 0x101, signals: ['Lamps', 'Doors', 'Wiper', 'Level'] },
];

const database = [
  'VERSION ""\n\nBU_: Car\n',
  ...messages.flatMap(({ name, id, signals }) => [
    `BO_ ${id} ${name}: 8 Car`,
    ...signals.map((signal, at) => ` SG_ ${signal} : ${16 * at}|16@1+ (0.25,0) [0|16383] "" Car`),
    '',
  ]),
].join('\n');

const plotted = messages.flatMap(({ name, signals }) =>
  signals.map((signal) => ({ channel: 'SIM00001/1', database: 'car', message: name, signal })),
);

/** 500 frames a second with those of the gateway, each an event of its sender and of its receiver. */
const calmTasks = Array.from({ length: 100 }, (_, at) => ({
  channel: can[at < messages.length ? 0 : 2 * (at % 2)],
  id: 0x100 + at,
  // The messages of the database 100 times a second, the others 200 times in all.
  period_us: at < messages.length ? 10_000 : 490_000,
  data: '10 21 32 43 54 65 76 87',
  pattern: 'increment_data',
}));

const post = async (listen, path, body) => {
  const answer = await fetch(`http://${listen}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
};

export class MeasuredBench {
  #daemon;
  #listen = '';

  static async start(name) {
    const bench = new MeasuredBench();
    bench.#daemon = new BenchDaemon(name);
    const { folder } = bench.#daemon;
    const dashboard = {
      tiles: plotted.slice(0, 4).map(({ signal, ...from }) => {
        return { title: signal, ...from, signals: [signal] };
      }),
      plot: plotted,
    };
    writeFileSync(
      join(folder, 'busbar.bench.json'),
      JSON.stringify({ networks: { car: 'SIM00001/1' }, dashboard }),
    );
    writeFileSync(join(folder, 'car.dbc'), database);
    writeFileSync(join(folder, 'waves.gwproj'), JSON.stringify(project(waveCount)));
    try {
      await bench.#fill();
      return bench;
    } catch (error) {
      await bench.stop();
      throw error;
    }
  }

  get folder() {
    return this.#daemon.folder;
  }

  get url() {
    return `http://${this.#listen}/`;
  }

  async #fill() {
    const daemon = this.#daemon;
    await daemon.start(...fastChannels, ...lin);
    this.#listen = await daemon.startWeb();
    await daemon.cli('database', 'load', 'car.dbc');
    for (const { name } of messages) {
      const from = ['--channel=SIM00001/1', '--database=car', `--message=${name}`];
      await daemon.cli('signal', 'plan', 'create', ...from);
    }
    await daemon.cli('gateway', 'load', '--file=waves.gwproj');
    await daemon.cli('gateway', 'start', '--instance=waves');
    await daemon.cli('modbus', 'serve', '--endpoint=tcp:127.0.0.1:0', '--unit=1');
    for (const task of calmTasks) await post(this.#listen, '/tx-tasks', task);
  }

  /** 20,000 frames a second more. */
  async load() {
    for (const task of loadTasks) await this.#daemon.cli(...task);
  }

  async eventsPerSecond() {
    const stats = await Promise.all(
      can.map((channel) => this.#daemon.cli('channel', 'stats', channel)),
    );
    return stats.reduce((sum, { rx_rate_fps, tx_rate_fps }) => sum + rx_rate_fps + tx_rate_fps, 0);
  }

  async stop() {
    await this.#daemon.stop();
  }
}
