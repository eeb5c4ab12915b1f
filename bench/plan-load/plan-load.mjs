// A thousand signal plans on busy channels: whether every frame is decoded, the cost for the
// client thread, and the effect on deadlines of the bench thread. The peer is the same load
// without plans in the same run.
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon, fastChannels } from '../daemon.mjs';
import { cpuOf, mainThreadCpu, total } from '../process-usage.mjs';

const seconds = Number(process.argv[2] ?? 8);
const planCount = 1000;
const messages = 50;
const cycleUs = 5000;

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

/** Processor time of all threads except the main one, which is the bench thread. */
const otherCpu = (pid) => total(cpuOf(pid)) - mainThreadCpu(pid);

const measure = async (plans) => {
  const daemon = new BenchDaemon('plans');
  const agent = new Agent({ keepAlive: true, maxSockets: 110 });
  try {
    writeFileSync(join(daemon.folder, 'load.dbc'), dbc);
    const { pid } = await daemon.start(
      ...fastChannels,
      '--channel=SIM00001/4',
      '--channel=SIM00001/5',
    );
    const listen = await daemon.startWeb();
    await daemon.cli('database', 'load', 'load.dbc');
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
    await wait(500);
    const list = await daemon.cli('signal', 'list', '--limit=4096');
    const health = await daemon.cli('health');
    const decoded = list.plans.reduce((sum, { frames }) => sum + frames, 0);
    return {
      cpu,
      missed: list.missed_events,
      decoded,
      expected: plans * count,
      lateness: health.daemon.scheduler.lateness_us,
    };
  } finally {
    agent.destroy();
    await daemon.stop();
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
  `processor time of the other threads: ${withPlans.cpu.toFixed(2)} of a core, without plans ${without.cpu.toFixed(2)}`,
);
const ratio = withPlans.lateness.p99 / without.lateness.p99;
console.log(
  `lateness p50/p99 with plans ${withPlans.lateness.p50}/${withPlans.lateness.p99} µs, without ${without.lateness.p50}/${without.lateness.p99} µs (${ratio.toFixed(2)}× at p99)`,
);
if (withPlans.missed > 0 || withPlans.decoded !== withPlans.expected) process.exitCode = 1;
