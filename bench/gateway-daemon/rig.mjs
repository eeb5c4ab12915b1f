// A daemon with both CAN segments open at the highest rates, and helpers of these measurements.
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchDaemon, fastChannels } from '../daemon.mjs';
import { mainThreadCpu } from '../process-usage.mjs';

const realtimePriority = 20;

/** Ports 0 and 1 are one segment, ports 2 and 3 the other. */
const networks = {
  'first-a': 'SIM00001/0',
  'first-b': 'SIM00001/1',
  'second-a': 'SIM00001/2',
  'second-b': 'SIM00001/3',
};

/** A port that is currently free. */
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

export class GatewayRig {
  #daemon = new BenchDaemon('gateway-daemon');
  #agent = new Agent({ keepAlive: true });
  #listen = '';
  isRealtime = false;
  #loop;
  pid = 0;
  /** Port of the network `modbus` on this machine. */
  modbusPort = 0;

  async start({ realtime }) {
    const { folder } = this.#daemon;
    this.modbusPort = await freePort();
    const modbus = { tcp: { host: '127.0.0.1', port: this.modbusPort } };
    const bench = { networks: { ...networks, modbus } };
    writeFileSync(join(folder, 'busbar.bench.json'), JSON.stringify(bench));
    const started = await this.#daemon.start(...(realtime ? ['--realtime'] : []), ...fastChannels);
    this.isRealtime = started.realtime === 'active';
    if (realtime && !this.isRealtime) console.log('real-time scheduling was refused');
    this.pid = started.pid;
    this.#listen = await this.#daemon.startWeb();
    try {
      const program = join(folder, 'timerfd_loop');
      const source = join(import.meta.dirname, '../pauses/timerfd_loop.c');
      execFileSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' });
      this.#loop = program;
    } catch {
      console.log('C omitted: cc is not installed');
    }
  }

  /** WebSocket address of the frames of all channels. */
  get framesUrl() {
    return `ws://${this.#listen}/api/v1/messages/ws`;
  }

  get folder() {
    return this.#daemon.folder;
  }

  fork(program, args) {
    return this.#daemon.fork(program, args);
  }

  /** Sends a request and returns its JSON; throws an API error. */
  ask(method, path, body) {
    const [host, port] = this.#listen.split(':');
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = text === '' ? {} : { 'content-type': 'application/json' };
    const options = { host, port, method, path: `/api/v1/${path}`, headers, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          if (response.statusCode >= 400) reject(new Error(`${method} ${path}: ${answer}`));
          else resolve(JSON.parse(answer));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }

  async load(name, project) {
    const file = `${name}.gwproj`;
    writeFileSync(join(this.#daemon.folder, file), JSON.stringify(project));
    await this.ask('POST', 'gateways', { file, instance: name });
  }

  startInstance(name) {
    return this.ask('POST', `gateways/${name}/start`);
  }

  async end(name) {
    await this.ask('POST', `gateways/${name}/stop`);
    await this.ask('DELETE', `gateways/${name}`);
  }

  /** Lateness of a transmit task of one millisecond during an action. */
  async lateness(channel, meanwhile) {
    const task = { channel, id: 0x7f0, data: '0011223344556677', period_us: 1000 };
    const { task_id } = await this.ask('POST', 'tx-tasks', { ...task, pattern: 'increment_data' });
    await meanwhile();
    const { lateness_us, missed } = await this.ask('DELETE', `tx-tasks/${task_id}`);
    return { ...lateness_us, missed };
  }

  /** Lateness of all deadlines of the bench thread in the last minute. */
  async deadlines() {
    return (await this.ask('GET', 'health')).daemon.scheduler.last_minute_lateness_us;
  }

  /** Share of a core that the bench thread uses during an action. */
  async benchThread(meanwhile) {
    const startMs = performance.now();
    const before = mainThreadCpu(this.pid);
    await meanwhile();
    return ((mainThreadCpu(this.pid) - before) * 1000) / (performance.now() - startMs);
  }

  /**
   * Prints the lateness of a C loop on each processor, scheduled like the bench thread: time
   * taken by the kernel or the host.
   */
  async showLoops(seconds) {
    if (!this.#loop) return;
    const priority = this.isRealtime ? realtimePriority : 0;
    const loops = await Promise.all(
      Array.from({ length: availableParallelism() }, async (_, processor) => {
        const args = [String(processor), String(priority), String(seconds)];
        const run = await promisify(execFile)(this.#loop, args, { maxBuffer: 1 << 26 });
        const { p99, p999, worst } = JSON.parse(run.stdout);
        return `p99 ${p99}, p99.9 ${p999}, worst ${worst} µs`;
      }),
    );
    const load = loadavg()[0].toFixed(1);
    console.log(`  C loops in the same seconds: ${loops.join('; ')}; load average ${load}`);
  }

  stop() {
    this.#agent.destroy();
    return this.#daemon.stop();
  }
}
