import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/base/testing/seeded-random.ts';
import { LiveWire } from '../../src/drivers/lin-uart/testing/live-wire.ts';
import { doorsLdf } from '../support/doors-ldf.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import { api, borrowChannelBench, refusedOverHttp } from './support/channel-bench.ts';

const enhanced = 1 << 8;
const noResponse = 1 << 10;
const wakeUp = 1 << 12;
const sleep = 1 << 13;

/** Slots that are long enough for a busy machine. */
const slowDoors = doorsLdf.replaceAll('delay 10 ms', 'delay 100 ms');

/** Two adapters on one bus, on a bench with names for them. */
const setUp = async () => {
  const wire = new LiveWire(seededRandom(3));
  onTestFinished(() => wire.remove());
  const [one, two] = [await wire.addSocket(), await wire.addSocket()];
  const bench = await borrowChannelBench();
  // On a slow machine a test must not look like a node that does not respond.
  const address = (path: string) => `${path},slack_ms=500`;
  writeBench(bench.project, {
    devices: [
      { driver: 'lin-uart', address: address(one.path), ports: { 0: 'door' } },
      { driver: 'lin-uart', address: address(two.path), ports: { 0: 'seat' } },
    ],
  });
  return { bench, one, two };
};

describe.runIf(hasPeer('/usr/bin/socat', 'socat'))('LIN adapters on a bench', () => {
  it('are listed, opened, used, unplugged and found again', async () => {
    const { bench, one, two } = await setUp();
    const { devices } = (await bench.get(`${api}/devices`)).json();
    const found = devices.filter(({ driver }: { driver: string }) => driver === 'lin-uart');
    expect(found).toMatchObject([
      { state: 'present', ports: [{ port: 0, buses: ['lin'], channel: null }] },
      { state: 'present', ports: [{ port: 0, buses: ['lin'], channel: null }] },
    ]);

    expect(await bench.open('door')).toMatchObject({
      name: 'door',
      selector: `${found[0].sn}/0`,
      bus: 'lin',
      bitrate: 19_200,
      lin: { role: 'master', version: '2.2', checksum: 'enhanced' },
    });
    await bench.open('seat', { lin: { role: 'slave' } });

    const isHeard = async (selector: string, expected: object): Promise<boolean> =>
      (await bench.events(selector)).some((event) => {
        const seen = Object.entries(expected).map(([field]) => [field, event[field]]);
        return JSON.stringify(Object.fromEntries(seen)) === JSON.stringify(expected);
      });
    /**
     * Nodes wait at most half a second for each other: if a pause of the machine breaks this, the
     * step is repeated.
     */
    let corrupted = 0;
    const outcomes = async (): Promise<number> => {
      const { tx_frames, tx_failed } = await bench.stats('door');
      return tx_frames + tx_failed;
    };
    const write = async (send: () => Promise<unknown>, expected: object): Promise<void> => {
      for (;;) {
        const before = await bench.stats('door');
        await send();
        await eventually(async () => (await outcomes()) > before.tx_frames + before.tx_failed);
        if ((await bench.stats('door')).tx_failed === before.tx_failed) break;
        corrupted += 1;
      }
      await eventually(() => isHeard('seat', expected));
    };
    const frame = { id: 0x1a, data: '01FF02', flags: enhanced, status: 0 };
    await write(() => bench.json('message', 'send', 'door', '1A#01FF02'), {
      kind: 'rx_frame',
      ...frame,
    });
    await eventually(() => isHeard('door', { kind: 'tx_complete', ...frame }));

    const response = { channel: 'seat', kind: 'lin_response', id: 0x21, data: 'AAFF' };
    expect((await bench.post(`${api}/tx-tasks`, response)).status).toBe(201);
    const read = (id: number, dlc?: number) =>
      bench.send({ channel: 'door', type: 'master-read', id, ...(dlc && { dlc }) });
    const answered = async (id: number, dlc?: number): Promise<unknown> => {
      for (;;) {
        const answer = await read(id, dlc);
        if (answer.status === 200) return answer.json();
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(500);
        corrupted += 1;
      }
    };
    for (const dlc of [2, undefined]) {
      expect(await answered(0x21, dlc)).toMatchObject({
        response: { id: 0x21, data: 'AAFF', checksum_model: 'enhanced' },
      });
    }
    expect(refusedOverHttp(await read(0x22))).toMatchObject({
      status: 504,
      code: 'hardware_timeout',
      details: { reason: 'no_response' },
    });
    await eventually(() => isHeard('door', { id: 0x22, flags: noResponse }));

    await write(() => bench.send({ channel: 'door', id: 0x3c, data: '00FFFFFFFFFFFFFF' }), {
      id: 0x3c,
      flags: sleep,
    });
    // A header ends the bus sleep.
    await answered(0x21);
    await eventually(() => isHeard('seat', { kind: 'rx_frame', flags: wakeUp }));

    await one.pull();
    const isIn = (state: string) => async () => (await bench.show('door')).state === state;
    await eventually(isIn('lost'));
    expect(refusedOverHttp(await bench.send({ channel: 'door', id: 1, data: '01' }))).toMatchObject(
      {
        details: { channel: 'door' },
      },
    );
    await one.plug();
    await eventually(isIn('open'));
    expect(await answered(0x21, 2)).toMatchObject({ response: { data: 'AAFF' } });
    const { tx_frames, tx_failed, overruns } = await bench.stats('door');
    expect({ tx_frames, overruns }).toEqual({ tx_frames: 2, overruns: 0 });
    expect(tx_failed).toBeLessThanOrEqual(corrupted);
    expect(two.isPlugged).toBe(true);
  });

  it('run a schedule, also past a slave that does not respond', async () => {
    const { bench } = await setUp();
    writeFileSync(join(bench.project, 'doors.ldf'), slowDoors);
    await bench.open('door');
    await bench.open('seat', { lin: { role: 'slave' } });
    await bench.json('database', 'load', 'doors.ldf');
    for (const channel of ['door', 'seat']) {
      await bench.json('database', 'attach', 'doors', `--channel=${channel}`);
    }
    await bench.json('lin', 'simulate', 'seat', '--nodes=DoorLeft');
    await bench.json('lin', 'schedule', 'start', 'door', '--table=Normal');
    await bench.json('lin', 'set', 'door', 'Speed=7');
    const schedule = async () => {
      const path = `${api}/lin-schedules`;
      const [record] = (await bench.get(path)).json().lin_schedules;
      return record;
    };
    // DoorRight has no node on this bus. Lateness is tested on a virtual clock.
    await eventually(async () => (await schedule()).unanswered >= 3);
    const seen = async (selector: string, frame: object): Promise<boolean> =>
      (await bench.events(selector)).some((event) =>
        Object.entries(frame).every(([field, value]) => event[field] === value),
      );
    await eventually(() => seen('seat', { kind: 'rx_frame', id: 1, data: '07', status: 0 }));
    await eventually(() => seen('door', { kind: 'rx_frame', id: 2, data: '00', status: 0 }));
    await bench.json('lin', 'schedule', 'stop', 'door');
  });

  it('refuse what a UART cannot do, naming it, and ports that others use', async () => {
    const { bench, one } = await setUp();
    const refused = async (more: object) =>
      refusedOverHttp(await bench.post(`${api}/channels`, { channel: 'door', ...more }));
    for (const [field, asked] of [
      ['bus', { bus: 'can' }],
      ['pull_up', { pull_up: true }],
      ['power', { power: true }],
      ['mode', { mode: 'loopback' }],
      ['bitrate', { bitrate: 500 }],
    ] as const) {
      expect(await refused(asked)).toMatchObject({
        code: 'unsupported_by_hardware',
        details: { field },
      });
    }
    // Another daemon uses the port.
    const other = await borrowChannelBench();
    writeBench(other.project, {
      devices: [{ driver: 'lin-uart', address: one.path, ports: { 0: 'taken' } }],
    });
    await other.open('taken');
    expect(await refused({})).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'in_use', hint: expect.stringContaining('fuser') },
    });
  });

  it('are not read from a bench file that spells them wrongly', async () => {
    const bench = await borrowChannelBench();
    writeBench(bench.project, {
      devices: [{ driver: 'lin-uart', address: '/dev/ttyUSB0,echo=maybe' }],
    });
    const failure = await bench.failure('channel', 'open', 'door');
    expect(failure).toMatchObject({
      code: 'invalid_bench',
      details: { problems: [{ field: 'devices[0].address' }] },
    });
  });
});
