// STmin of requests of a daemon in real time, while WebSocket clients receive all frames. A task
// on another segment shows how late deadlines of the same thread are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../daemon.mjs';
import { GatewayRig } from '../gateway-daemon/rig.mjs';
import { quantile } from '../gateway-daemon/timing-windows.mjs';

const stMinUs = 2000;
const clientCount = 8;
const requests = 40;
const loadTasks = 5;
const settings = { fd: true, padding: 'none', p2_ms: 1000 };
const identifiers = {
  paused: { request_id: 0x7e0, response_id: 0x7e8, st_min_us: stMinUs },
  unpaused: { request_id: 0x7e1, response_id: 0x7e9, st_min_us: 0 },
};
/** A first frame, consecutive frames of 64 bytes, and a shorter one. */
const data = '36'.repeat(4000);

const openEcus = async (rig) => {
  writeFileSync(join(rig.folder, 'ecu.json'), '{}');
  for (const [name, { st_min_us, ...ids }] of Object.entries(identifiers)) {
    const ecu = { channel: 'SIM00001/1', file: 'ecu.json', ...settings, ...ids, st_min_us };
    await rig.ask('POST', 'simulated-ecus', ecu);
    await rig.ask('POST', 'diagnostics', { channel: 'SIM00001/0', name, ...settings, ...ids });
  }
};

/** From the end of a full consecutive frame to the end of the next, in one request. */
const stepsOf = async (rig, name) => {
  const history = `messages/history?channel=SIM00001/0&id=${identifiers[name].request_id.toString(16)}`;
  const { newest_available } = await rig.ask('GET', `${history}&limit=1`);
  await rig.ask('POST', `diagnostics/${name}/requests`, { data, protocol: 'isotp' });
  const page = await rig.ask('GET', `${history}&limit=4096&after=${newest_available}`);
  const ends = page.events.slice(1, -1).map(({ timestamp_us }) => timestamp_us);
  return ends.slice(1).map((end, index) => end - ends[index]);
};

export const measureStMin = async () => {
  const rig = new GatewayRig();
  await rig.start({ realtime: true });
  try {
    await openEcus(rig);
    const clients = rig.fork(join(import.meta.dirname, '../daemon-load/clients.mjs'), [
      rig.framesUrl,
      String(clientCount),
    ]);
    await messageOf(clients);
    const task = { channel: 'SIM00001/2', data: '0011223344556677', period_us: 1000 };
    const load = [];
    for (let id = 0x100; id < 0x100 + loadTasks; id++) {
      load.push((await rig.ask('POST', 'tx-tasks', { ...task, id })).task_id);
    }
    const frameUs = quantile(await stepsOf(rig, 'unpaused'), 0.5);
    const gaps = [];
    const lateness = await rig.lateness('SIM00001/2', async () => {
      for (let count = 0; count < requests; count++) {
        gaps.push(...(await stepsOf(rig, 'paused')).map((step) => step - frameUs));
      }
    });
    for (const id of load) await rig.ask('DELETE', `tx-tasks/${id}`);
    clients.send('report');
    const reports = await messageOf(clients);
    clients.kill();
    return {
      stMinUs,
      isRealtime: rig.isRealtime,
      count: gaps.length,
      least: quantile(gaps, 0),
      late: [0.5, 0.99, 1].map((share) => quantile(gaps, share) - stMinUs),
      taskP99: lateness.p99,
      missing: reports.reduce((sum, { missing }) => sum + missing, 0),
    };
  } finally {
    await rig.stop();
  }
};
