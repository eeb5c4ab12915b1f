// 100 units of 100 registers, polled every second over one session: no poll may be missed in a
// minute.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon } from '../daemon.mjs';
import { pollers } from './projects.mjs';

const units = 100;
const registers = 100;
const periodMs = 1000;
const leastSeconds = 60;

const serveUnits = async (daemon, port) => {
  const map = {
    units: Array.from({ length: units }, (_, index) => ({
      unit: index + 1,
      holding: [{ address: 0, values: Array.from({ length: registers }, (_, row) => row) }],
    })),
  };
  writeFileSync(join(daemon.folder, 'units.map.json'), JSON.stringify(map));
  await daemon.start();
  const endpoint = `--endpoint=tcp:127.0.0.1:${port}`;
  await daemon.cli('modbus', 'serve', endpoint, '--map=units.map.json');
};

export const measurePolls = async (rig, seconds, judge) => {
  const peer = new BenchDaemon('gateway-units');
  await serveUnits(peer, rig.modbusPort);
  try {
    await rig.load('pollers', pollers({ units, registers, periodMs }));
    const answers = async () => {
      const { sessions } = await rig.ask('GET', 'modbus');
      return sessions.reduce((sum, { responses }) => sum + responses, 0);
    };
    await rig.startInstance('pollers');
    const watched = Math.max(seconds, leastSeconds);
    const core = await rig.benchThread(() => wait(watched * 1000));
    const answered = await answers();
    const { poll_missed, poll_coalesced, health } = await rig.ask(
      'GET',
      'gateways?instance=pollers&limit=1',
    );
    await rig.end('pollers');
    console.log(
      `${units} units of ${registers} registers every ${periodMs} ms for ${watched} s: ${answered} answers, ${poll_coalesced} coalesced, ${health}; bench thread ${core.toFixed(3)} of a core`,
    );
    judge('polls missed', poll_missed, 0, 'of them');
  } finally {
    await peer.stop();
  }
};
