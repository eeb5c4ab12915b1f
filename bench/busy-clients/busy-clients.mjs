// Cost of greedy clients for others: latency of `info` for one client, with 20,000 frames/s and
// a client of each stream, while connections pipeline requests without reading the large
// responses, or a hundred clients request large pages or send bodies in tiny chunks. Usage:
// node bench/busy-clients/busy-clients.mjs [seconds of each load]
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon, fastChannels, messageOf } from '../daemon.mjs';
import { residentMb } from '../process-usage.mjs';

const here = import.meta.dirname;
const seconds = Number(process.argv[2] ?? 5);
const cycleUs = 100;
const askEveryMs = 10;
const limits = { p99: 250, grownMb: 64, keptMb: 32 };
const api = '/api/v1';
const page = `${api}/messages/history?limit=4096`;
const loads = [
  ['20 connections pipeline operations', 20, `${api}/operations`, 'pipeline'],
  ['20 connections pipeline the OpenAPI document', 20, `${api}/openapi.json`, 'pipeline'],
  ['20 connections pipeline pages of 4,096 events', 20, page, 'pipeline'],
  ['20 connections pipeline operations and read them', 20, `${api}/operations`, 'drain'],
  ['100 connections ask for 4,096 events', 100, page, 'ask'],
  ['100 connections send bodies in chunks of one byte', 100, `${api}/messages`, 'chunks'],
];

const daemon = new BenchDaemon('busy');

const failures = [];
const check = (what, isMet) => {
  console.log(`  ${what}${isMet ? '' : ', missed'}`);
  if (!isMet) failures.push(what);
};

const askInfo = (listen, agent) =>
  new Promise((done, failed) => {
    const startedAt = performance.now();
    get(`http://${listen}${api}/info`, { agent }, (response) => {
      response.resume().on('end', () => done(performance.now() - startedAt));
    }).on('error', failed);
  });

/** Latency of `info` during a load, and the peak memory of the daemon. */
const measure = async (listen, pid) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let maxMb = 0;
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    times.push(await askInfo(listen, agent));
    maxMb = Math.max(maxMb, residentMb(pid));
    await wait(askEveryMs);
  }
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { asked: times.length, p50: at(0.5), p99: at(0.99), most: times.at(-1), maxMb };
};

const describe = ({ asked, p50, p99, most }) =>
  `info ${asked} times: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${most.toFixed(1)} ms`;

const startTraffic = () => {
  const frame = '100##11122334455667788';
  const options = [`--count=100000000`, `--cycle-us=${cycleUs}`, '--format=json'];
  return [0, 2].map((port) =>
    daemon.spawn(['message', 'send', `SIM00001/${port}`, frame, ...options]),
  );
};

/** Waits until memory is below a limit, for at most half a minute. */
const settledBelow = async (pid, limitMb) => {
  for (let second = 0; second < 30 && residentMb(pid) > limitMb; second++) await wait(1000);
  return residentMb(pid);
};

try {
  const { pid } = await daemon.start(...fastChannels);
  const listen = await daemon.startWeb();
  const streams = daemon.fork(join(here, 'streams.mjs'), [listen]);
  await messageOf(streams);
  const senders = startTraffic();
  await wait(3000);
  const startedAt = performance.now();
  console.log('no other client');
  console.log(`  ${describe(await measure(listen, pid))}`);
  for (const [name, connections, path, mode] of loads) {
    const beforeMb = residentMb(pid);
    const greedy = daemon.fork(join(here, 'greedy.mjs'), [listen, String(connections), path, mode]);
    await messageOf(greedy);
    const found = await measure(listen, pid);
    const { state } = await daemon.cli('web', 'status');
    greedy.send('leave');
    const { answers, refused } = await messageOf(greedy);
    console.log(`${name}${mode === 'pipeline' ? '' : `, ${Math.round(answers / seconds)}/s`}`);
    check(`${describe(found)} (limit ${limits.p99} ms at p99)`, found.p99 <= limits.p99);
    const grownMb = found.maxMb - beforeMb;
    const keptMb = (await settledBelow(pid, beforeMb + limits.keptMb)) - beforeMb;
    const memory = `${grownMb.toFixed(0)} MB more, ${keptMb.toFixed(0)} MB when they have left`;
    if (mode === 'ask') console.log(`  ${memory}`);
    else {
      check(
        `${memory} (limits ${limits.grownMb} and ${limits.keptMb} MB)`,
        grownMb <= limits.grownMb && keptMb <= limits.keptMb,
      );
    }
    if (state !== 'running' || refused > 0)
      check(`the CLI says ${state}, ${refused} refused`, false);
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  for (const sender of senders) sender.kill('SIGINT');
  await wait(1000);
  streams.send('report');
  const reports = await messageOf(streams);
  streams.kill();
  for (const [name, { events, gaps }] of Object.entries(reports)) {
    const rate = Math.round(events / (elapsed + 3));
    check(`${name}: ${events} events, about ${rate}/s, ${gaps} gaps`, gaps === 0 && events > 0);
  }
} finally {
  await daemon.stop();
}
if (failures.length > 0) process.exitCode = 1;
