// A thousand signal plans over busy channels: whether every frame is decoded, what that costs the
// client thread, and whether the bench thread's deadlines notice. The peer is the same load without
// any plan, measured in the same run.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const busbar = resolve(import.meta.dirname, '../../bin/busbar');
const seconds = Number(process.argv[2] ?? 8);
const planCount = 1000;
const messages = 50;
const cycleUs = 5000;
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const run = promisify(execFile);

/** A message with eight signals for every identifier that is sent. */
const dbc = [
  'VERSION ""',
  'BU_: A B',
  ...Array.from({ length: messages }, (_, index) => [
    `BO_ ${0x100 + index} Message${index}: 8 A`,
    ...Array.from(
      { length: 8 },
      (_, signal) => ` SG_ S${signal} : ${8 * signal}|8@1+ (0.5,-10) [0|0] "x" B`,
    ),
    '',
  ]).flat(),
].join('\n');

const cpuOf = (pid, thread) => {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Processor time of all threads but the main one, which is where clients are served. */
const otherCpu = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .filter((thread) => thread !== String(pid))
    .reduce((sum, thread) => sum + cpuOf(pid, thread), 0);

const settled = (delayMs) => new Promise((done) => setTimeout(done, delayMs));

const measure = async (plans) => {
  const home = mkdtempSync(join(tmpdir(), 'busbar-plans-'));
  const env = { ...inherited, BUSBAR_HOME: join(home, 'home') };
  const cli = async (...args) => {
    const { stdout } = await run(process.execPath, [busbar, ...args, '--format=json'], {
      env,
      cwd: home,
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout);
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 110 });
  try {
    writeFileSync(join(home, 'load.dbc'), dbc);
    const fast = 'bus=canfd,bitrate=1000000,data_bitrate=8000000';
    const ports = [0, 1, 2, 3].map((port) => `--channel=SIM00001/${port},${fast}`);
    const { pid } = await cli(
      'daemon',
      'start',
      ...ports,
      '--channel=SIM00001/4',
      '--channel=SIM00001/5',
    );
    const { listen } = await cli('web', 'start', '--listen=127.0.0.1:0', '--log-level=error');
    await cli('database', 'load', 'load.dbc');
    const port = Number(listen.split(':').at(-1));
    const post = (path, body) =>
      new Promise((done, failed) => {
        const headers = { 'content-type': 'application/json', host: listen };
        const call = request(
          { port, host: '127.0.0.1', path, method: 'POST', headers, agent },
          (answer) => {
            let text = '';
            answer.on('data', (chunk) => {
              text += chunk;
            });
            answer.on('end', () =>
              answer.statusCode < 300 ? done(JSON.parse(text)) : failed(new Error(text)),
            );
          },
        );
        call.on('error', failed);
        call.end(JSON.stringify(body));
      });
    for (let plan = 0; plan < plans; plan++) {
      await post('/api/v1/signals/plans', {
        channel: `SIM00001/${plan % 4}`,
        database: 'load',
        message: `Message${Math.floor(plan / 4) % messages}`,
      });
    }
    const count = Math.round((seconds * 1e6) / cycleUs);
    const before = otherCpu(pid);
    const batch = (channel, index) =>
      post('/api/v1/messages', {
        channel: `SIM00001/${channel}`,
        id: 0x100 + index,
        fd: true,
        brs: true,
        data: '1122334455667788',
        count,
        cycle_us: cycleUs,
      });
    const batches = [0, 2].flatMap((channel) =>
      Array.from({ length: messages }, (_, index) => batch(channel, index)),
    );
    await Promise.all(batches);
    const cpu = (otherCpu(pid) - before) / seconds;
    await settled(500);
    const list = await cli('signal', 'list', '--limit=4096');
    const { daemon } = await cli('health');
    const decoded = list.plans.reduce((sum, { frames }) => sum + frames, 0);
    return {
      cpu,
      missed: list.missed_events,
      decoded,
      expected: plans * count,
      lateness: daemon.scheduler.lateness_us,
    };
  } finally {
    agent.destroy();
    await cli('daemon', 'stop');
    rmSync(home, { recursive: true, force: true });
  }
};

const without = await measure(0);
const withPlans = await measure(planCount);
const rate = Math.round((2 * messages * 1e6) / cycleUs);
console.log(`${rate} frames/s for ${seconds} s, ${planCount} plans of eight signals`);
console.log(
  `decoded ${withPlans.decoded} of ${withPlans.expected} frames, ${withPlans.missed} events missed`,
);
console.log(
  `processor time beside the bench thread: ${withPlans.cpu.toFixed(2)} of a core, without plans ${without.cpu.toFixed(2)}`,
);
const ratio = withPlans.lateness.p99 / without.lateness.p99;
console.log(
  `lateness p50/p99 with plans ${withPlans.lateness.p50}/${withPlans.lateness.p99} µs, without ${without.lateness.p50}/${without.lateness.p99} µs (${ratio.toFixed(2)}× at p99)`,
);
if (withPlans.missed > 0 || withPlans.decoded !== withPlans.expected) process.exitCode = 1;
