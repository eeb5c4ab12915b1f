// What greedy clients cost the others: the latency of `info` for one client, beside 20,000 frames a
// second and a client of each stream, while connections pipeline requests for large answers that
// they do not read, or a hundred clients ask for large pages or send bodies in tiny chunks. Usage:
// node bench/busy-clients/busy-clients.mjs [seconds of each load]
import { execFile, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const here = import.meta.dirname;
const busbar = resolve(here, '../../bin/busbar');
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

const home = mkdtempSync(join(tmpdir(), 'busbar-busy-'));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const env = { ...inherited, BUSBAR_HOME: join(home, 'home') };
const run = promisify(execFile);
const cli = async (...args) => {
  const { stdout } = await run(process.execPath, [busbar, ...args, '--format=json'], {
    env,
    cwd: home,
  });
  return JSON.parse(stdout);
};

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1024;

const failures = [];
const check = (what, isMet) => {
  console.log(`  ${what}${isMet ? '' : ', missed'}`);
  if (!isMet) failures.push(what);
};

const message = (child) => new Promise((done) => child.once('message', done));

/** Milliseconds that `info` takes, once. */
const askInfo = (listen, agent) =>
  new Promise((done, failed) => {
    const startedAt = performance.now();
    get(`http://${listen}${api}/info`, { agent }, (response) => {
      response.resume().on('end', () => done(performance.now() - startedAt));
    }).on('error', failed);
  });

/** How `info` fares while something else goes on, and the most memory that the daemon had. */
const measure = async (listen, pid) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  let mostMb = 0;
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    times.push(await askInfo(listen, agent));
    mostMb = Math.max(mostMb, residentMb(pid));
    await wait(askEveryMs);
  }
  agent.destroy();
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { asked: times.length, p50: at(0.5), p99: at(0.99), most: times.at(-1), mostMb };
};

const describe = ({ asked, p50, p99, most }) =>
  `info ${asked} times: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${most.toFixed(1)} ms`;

const startTraffic = () => {
  const frame = '100##11122334455667788';
  const options = [`--count=100000000`, `--cycle-us=${cycleUs}`, '--format=json'];
  return [0, 2].map((port) =>
    spawn(process.execPath, [busbar, 'message', 'send', `SIM00001/${port}`, frame, ...options], {
      env,
      cwd: home,
      stdio: 'ignore',
    }),
  );
};

/** Until no more memory than this is in use, or for half a minute. */
const settledBelow = async (pid, limitMb) => {
  for (let second = 0; second < 30 && residentMb(pid) > limitMb; second++) await wait(1000);
  return residentMb(pid);
};

try {
  const fast = 'bus=canfd,bitrate=1000000,data_bitrate=8000000';
  const channels = [0, 1, 2, 3].map((port) => `--channel=SIM00001/${port},${fast}`);
  const { pid } = await cli('daemon', 'start', ...channels);
  const { listen } = await cli('web', 'start', '--listen=127.0.0.1:0', '--log-level=error');
  const streams = fork(join(here, 'streams.mjs'), [listen], { env });
  await message(streams);
  const senders = startTraffic();
  await wait(3000);
  const startedAt = performance.now();
  console.log('nobody else');
  console.log(`  ${describe(await measure(listen, pid))}`);
  for (const [name, connections, path, mode] of loads) {
    const beforeMb = residentMb(pid);
    const greedy = fork(join(here, 'greedy.mjs'), [listen, String(connections), path, mode], {
      env,
    });
    await message(greedy);
    const found = await measure(listen, pid);
    const { state } = await cli('web', 'status');
    greedy.send('leave');
    const { answers, refused } = await message(greedy);
    console.log(`${name}${mode === 'pipeline' ? '' : `, ${Math.round(answers / seconds)}/s`}`);
    check(`${describe(found)} (limit ${limits.p99} ms at p99)`, found.p99 <= limits.p99);
    const grownMb = found.mostMb - beforeMb;
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
  const reports = await message(streams);
  streams.kill();
  for (const [name, { events, gaps }] of Object.entries(reports)) {
    const rate = Math.round(events / (elapsed + 3));
    check(`${name}: ${events} events, about ${rate}/s, ${gaps} gaps`, gaps === 0 && events > 0);
  }
} finally {
  await cli('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
