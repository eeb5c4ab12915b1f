// Loads, lists, saves and unloads a gateway project of 100 MiB while a task of one millisecond
// runs and a WebSocket client follows both segments: lateness of the task compared with an idle
// daemon, missing frames, and memory. Usage: node bench/gateway-load/gateway-load.mjs
// [messages]

import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { BenchDaemon } from '../daemon.mjs';
import { residentMb } from '../process-usage.mjs';

/** Eight signals each, which makes 107 MB. */
const messages = Number(process.argv[2] ?? 46_000);
const maxLateUs = 400;
const timedOutMs = 180_000;
const sourceSequenceAt = 32;
const channelAt = 8;

const daemon = new BenchDaemon('gateway-load');

/** Writes row by row: the whole text would first be an object of a gigabyte. */
const writeProject = async (path) => {
  const out = createWriteStream(path);
  const list = async (name, rowsOf) => {
    let separator = `"${name}":[`;
    for (let message = 0; message < messages; message++) {
      for (const row of rowsOf(`Message_${message}`, message)) {
        if (!out.write(separator + JSON.stringify(row))) await once(out, 'drain');
        separator = ',';
      }
    }
    out.write('],');
  };
  const signals = Array.from({ length: 8 }, (_, place) => place);
  out.write('{"format":"gwproj","schema_version":1,"id":"large",');
  await list('signals', (name) =>
    signals.map((place) => ({
      id: `${name}.Signal_${place}`,
      type: 'float64',
      producer: 'software',
      initial: '20.5',
      unit: 'degC',
    })),
  );
  await list('messages', (id, can_id) => [
    { id, endpoint: 'can', direction: 'tx', can_id, extended: true, length: 8, period_ms: 100 },
  ]);
  await list('bindings', (message) =>
    signals.map((place) => ({
      id: `${message}.Signal_${place}.tx`,
      signal: `${message}.Signal_${place}`,
      direction: 'tx',
      message,
      codec: 'u8',
      start_bit: 8 * place,
    })),
  );
  await list('tx_tasks', (id) => [{ id, message: id }]);
  const codec = { kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel' };
  out.write(`"codecs":[${JSON.stringify({ id: 'u8', ...codec, factor: 0.5, offset: -40 })}],`);
  out.end('"endpoints":[{"id":"can","kind":"can","network":"powertrain"}]}');
  await once(out, 'finish');
};

const follow = async (listen) => {
  const socket = new WebSocket(`ws://${listen}/api/v1/messages/ws`, ['svc.frames.v2']);
  const last = new Map();
  const seen = { frames: 0, missing: 0 };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return;
    const channel = data.readUInt16BE(channelAt);
    const sequence = Number(data.readBigUInt64BE(sourceSequenceAt));
    if (last.has(channel)) seen.missing += sequence - last.get(channel) - 1;
    last.set(channel, sequence);
    seen.frames += 1;
  });
  await once(socket, 'open');
  return { seen, close: () => socket.close() };
};

/** Lateness of a task of one millisecond during an action. */
const lateness = async (meanwhile) => {
  const frame = ['SIM00001/0', '700#0011223344556677', '--period=1ms', '--pattern=increment_data'];
  const { task_id } = await daemon.cli('tx-task', 'add', ...frame);
  await meanwhile();
  return (await daemon.cli('tx-task', 'remove', task_id)).lateness_us;
};

const { pid } = await daemon.start('--channel=SIM00001/0', '--channel=SIM00001/1');
try {
  const file = join(daemon.folder, 'large.gwproj');
  await writeProject(file);
  const listen = await daemon.startWeb();
  const follower = await follow(listen);
  const before = residentMb(pid);
  const alone = await lateness(() => wait(10_000));
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, 100);
  let loaded;
  let loadedMs;
  const beside = await lateness(async () => {
    const startMs = performance.now();
    const answer = await fetch(`http://${listen}/api/v1/gateways`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file: 'large.gwproj' }),
      signal: AbortSignal.timeout(timedOutMs),
    });
    loaded = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(loaded));
    loadedMs = performance.now() - startMs;
    await daemon.cli('gateway', 'status');
    await daemon.cli('gateway', 'signals', '--instance=large', '--offset=300000', '--limit=1000');
    await daemon.cli('gateway', 'save', '--instance=large', '--file=saved.gwproj');
    await daemon.cli('gateway', 'unload', '--instance=large');
  });
  clearInterval(watch);
  const again = await daemon.cli('gateway', 'load', '--file=saved.gwproj', '--instance=again');
  await daemon.cli('gateway', 'unload', '--instance=again');
  follower.close();
  const { seen } = follower;
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const savedMegabytes = (statSync(join(daemon.folder, 'saved.gwproj')).size / 1e6).toFixed(0);
  const charged = (loaded.memory_budget_bytes / 1024 / 1024).toFixed(0);
  console.log(
    `${megabytes} MB, ${loaded.task_total} tasks: loaded in ${(loadedMs / 1000).toFixed(1)} s, charged ${charged} MiB`,
  );
  console.log(`saved as ${savedMegabytes} MB, and loaded again with ${again.task_total} tasks`);
  console.log(
    `resident memory: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${residentMb(pid).toFixed(0)} MB after`,
  );
  console.log(
    `a task of 1 ms: lateness p99 ${beside.p99} µs meanwhile, limit ${maxLateUs}; ${alone.p99} µs alone`,
  );
  console.log(`a WebSocket client: ${seen.frames} frames, ${seen.missing} missing`);
  if (beside.p99 > maxLateUs || seen.missing > 0) process.exitCode = 1;
} finally {
  await daemon.stop();
}
