// 1,000 registers that mirror a bus: latency for a client that reads at full speed, compared
// with registers of `modbus serve` in the same daemon, with the same frames and without other
// load.
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mirror } from './projects.mjs';

const registers = 1000;
const periodUs = 10_000;
const words = 32;
const firstId = 0x100;
const read = 125;
const turns = 4;
const limitTimes = 1.5;

export const measureMirror = async (rig, seconds, judge) => {
  const program = join(rig.folder, 'load');
  const source = join(import.meta.dirname, '../modbus-server/load.c');
  execFileSync('cc', ['-O2', '-o', program, source]);
  // Scheduled like the bench thread, so that other work on the machine is not measured.
  const asBench = (command, args) =>
    rig.isRealtime ? ['chrt', ['-r', '1', command, ...args]] : [command, args];
  const readAll = async () => {
    const milliseconds = (seconds * 1000) / turns;
    const args = [rig.modbusPort, 1, read, milliseconds, registers / read].map(String);
    return 1e6 / Number((await promisify(execFile)(...asBench(program, args))).stdout);
  };
  const plain = async () => {
    await rig.ask('POST', 'modbus/serve', { network: 'modbus', unit: 1 });
    const time = await readAll();
    await rig.ask('POST', 'modbus/stop', { network: 'modbus' });
    return time;
  };
  const frame = { channel: 'SIM00001/1', fd: true, brs: true, data: '00'.repeat(2 * words) };
  const withFrames = async (meanwhile) => {
    const tasks = [];
    for (let id = firstId; id < firstId + registers / words; id++) {
      const task = { ...frame, id, period_us: periodUs, pattern: 'random_data' };
      tasks.push((await rig.ask('POST', 'tx-tasks', task)).task_id);
    }
    await wait(500);
    const time = await meanwhile();
    for (const task of tasks) await rig.ask('DELETE', `tx-tasks/${task}`);
    return time;
  };
  const mirrored = async () => {
    await rig.startInstance('mirror');
    const time = await withFrames(readAll);
    await rig.ask('POST', 'gateways/mirror/stop');
    return time;
  };
  await rig.load('mirror', mirror({ registers, network: 'first-a', firstId }));
  const times = { plain: 0, framed: 0, mirrored: 0 };
  for (let turn = 0; turn < turns; turn++) {
    times.plain += (await plain()) / turns;
    times.framed += (await withFrames(plain)) / turns;
    times.mirrored += (await mirrored()) / turns;
  }
  await rig.ask('DELETE', 'gateways/mirror');
  const shown = (name) => `${times[name].toFixed(1)} µs`;
  console.log(
    `${read} of ${registers} registers in a request that mirror CAN at 100 Hz: ${shown('mirrored')}; of modbus serve ${shown('plain')}, and ${shown('framed')} with the same frames`,
  );
  // The virtual bus and its senders use the same thread, unlike real hardware.
  judge('a request, with the same frames', times.mirrored / times.framed, limitTimes, 'times');
  judge('a request, without other load', times.mirrored / times.plain, limitTimes, 'times');
};
