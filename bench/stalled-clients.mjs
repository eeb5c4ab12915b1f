// Cost of two clients that stop reading, one of each stream, while both virtual CAN segments
// are saturated and another client of each stream reads everything. Usage: node
// bench/stalled-clients.mjs [seconds]
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { BenchDaemon, fastChannels } from './daemon.mjs';
import { residentMb } from './process-usage.mjs';

const seconds = Number(process.argv[2] ?? 60);
const settlingSeconds = Math.min(10, seconds / 2);
const growthLimitMb = 20;
const daemon = new BenchDaemon('stalled');

/** Ids must be consecutive except at a reported gap. */
class Account {
  events = 0;
  gaps = 0;
  missed = 0;
  skipped = 0;
  broken = 0;
  last = 0;
  closedWith = null;
  #resumesAt = null;

  event(id) {
    this.events++;
    if (id !== (this.#resumesAt ?? this.last + 1)) this.broken++;
    this.skipped += id - this.last - 1;
    this.#resumesAt = null;
    this.last = id;
  }

  gap({ oldest_available, missed = Number.NaN }) {
    this.gaps++;
    this.missed += missed;
    this.#resumesAt = oldest_available;
  }
}

/** A client of the event stream that parses only ids and gaps. */
const openSse = (base) =>
  new Promise((opened, failed) => {
    const account = new Account();
    get(`${base}/messages/stream`, { agent: false }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (chunk) => {
        const blocks = (text + chunk).split('\n\n');
        text = blocks.pop();
        for (const block of blocks) {
          if (block.startsWith(':')) continue;
          if (!block.includes('\nevent: gap\n')) account.event(Number.parseInt(block.slice(4), 10));
          else account.gap(JSON.parse(block.slice(block.indexOf('{'))));
        }
      });
      response.on('close', () => {
        account.closedWith ??= 'end';
      });
      opened({ account, socket: response.socket, close: () => response.destroy() });
    }).on('error', failed);
  });

const openWebSocket = (base) =>
  new Promise((opened, failed) => {
    const account = new Account();
    const socket = new WebSocket(`${base.replace('http', 'ws')}/messages/ws`, 'svc.frames.v2');
    socket.on('message', (data, isBinary) => {
      if (isBinary) account.event(Number(data.readBigUInt64BE(24)));
      else account.gap(JSON.parse(data));
    });
    socket.on('error', failed);
    socket.on('close', (code) => {
      account.closedWith ??= code;
    });
    socket.on('open', () => opened({ account, socket, close: () => socket.terminate() }));
  });

const frame = { type: 'data', id: 0x55, fd: true, brs: true, data: '5A'.repeat(64), count: 1000 };

const startTraffic = (base) => {
  let isWanted = true;
  const send = async (port) => {
    while (isWanted) {
      const answer = await fetch(`${base}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ channel: `SIM00001/${port}`, ...frame }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  // Two per segment, so that one frame always waits for the other.
  const senders = [0, 0, 2, 2].map(send);
  return async () => {
    isWanted = false;
    await Promise.all(senders);
  };
};

const read = async (base, path) => (await fetch(`${base}${path}`)).json();

const check = (what, isReached) => {
  console.log(`${what}${isReached ? '' : ', missed'}`);
  if (!isReached) process.exitCode = 1;
};

const describeStalled = (name, { gaps, missed, skipped, closedWith, broken }) => {
  const told = Number.isNaN(missed) ? 'by its bounds' : `as ${missed}`;
  const end = closedWith === null ? 'still open' : `closed with ${closedWith}`;
  const isExact = broken === 0 && (Number.isNaN(missed) || missed === skipped);
  check(
    `stalled ${name.padEnd(9)} ${skipped} events lost, ${told} reported in ${gaps} gaps, ${end}`,
    gaps > 0 && isExact && closedWith === null,
  );
};

try {
  const { pid } = await daemon.start(...fastChannels);
  const listen = await daemon.startWeb();
  const base = `http://${listen}/api/v1`;
  const readers = { sse: await openSse(base), websocket: await openWebSocket(base) };
  const stalled = { sse: await openSse(base), websocket: await openWebSocket(base) };
  for (const { socket } of Object.values(stalled)) socket.pause();

  const start = process.hrtime.bigint();
  const stopTraffic = startTraffic(base);
  await wait(settlingSeconds * 1000);
  const settled = residentMb(pid);
  let highest = settled;
  let load = 0;
  let samples = 0;
  for (let second = settlingSeconds; second < seconds; second++) {
    await wait(1000);
    highest = Math.max(highest, residentMb(pid));
    load += (await read(base, '/channels/SIM00001%2F0/stats')).bus_load_percent;
    samples++;
  }
  const grown = residentMb(pid) - settled;
  const elapsed = Number(process.hrtime.bigint() - start) / 1e9;
  const { newest_available: sent } = await read(base, '/messages/history?limit=1');

  // Traffic continues while they resume.
  for (const { socket } of Object.values(stalled)) socket.resume();
  await wait(3000);
  await stopTraffic();
  await wait(1000);
  const { newest_available: newest } = await read(base, '/messages/history?limit=1');

  console.log(
    `${seconds} s: ${Math.round(sent / elapsed)} events/s, bus load ${(load / samples).toFixed(0)} %`,
  );
  for (const [name, { account }] of Object.entries(readers)) {
    check(
      `reading ${name.padEnd(9)} ${account.events} of ${newest} events, ${account.gaps} gaps`,
      account.events === newest && account.gaps === 0 && account.broken === 0,
    );
  }
  for (const [name, { account }] of Object.entries(stalled)) describeStalled(name, account);
  check(
    `resident ${settled.toFixed(0)} MB when settled, ${grown.toFixed(1)} MB more at the end, highest ${highest.toFixed(0)} MB (limit +${growthLimitMb} MB)`,
    grown <= growthLimitMb,
  );
  for (const { close } of [...Object.values(readers), ...Object.values(stalled)]) close();
} finally {
  await daemon.stop();
}
