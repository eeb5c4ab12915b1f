import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/base/clock/system-clock.ts';
import {
  type Dialect,
  dialects,
  EmulatedAdapter,
} from '../../src/drivers/slcan/testing/emulated-adapter.ts';
import { EmulatedBus } from '../../src/drivers/slcan/testing/emulated-bus.ts';
import { SerialSocket, seededRandom } from '../../src/drivers/slcan/testing/serial-socket.ts';
import { eventually } from '../support/workbench.ts';
import { writeBench } from './support/bench-files.ts';
import {
  api,
  borrowChannelBench,
  type ChannelBench,
  refusedOverHttp,
} from './support/channel-bench.ts';

const clock = new SystemClock();

/** A device in the device list. */
interface Listed {
  readonly driver: string;
  readonly sn: string;
  readonly firmware_version: string;
  readonly ports: readonly { readonly buses: readonly string[] }[];
}

/** A serial port with an adapter of that kind. */
const setUpAdapter = async (bus: EmulatedBus, dialect: Dialect, serial: string) => {
  const socket = new SerialSocket(seededRandom(7));
  onTestFinished(() => socket.remove());
  const plug = async (): Promise<EmulatedAdapter> => {
    const nowUs = () => clock.monotonicUs();
    const adapter = new EmulatedAdapter({ dialect, bus, serial, write: socket.say, nowUs });
    await socket.plug(adapter);
    return adapter;
  };
  return { socket, plug, adapter: await plug() };
};

const slcanDevicesOf = (bench: ChannelBench) => async (): Promise<Listed[]> => {
  const { devices } = (await bench.get(`${api}/devices`)).json();
  return devices.filter(({ driver }: Listed) => driver === 'slcan');
};

/** Opens a port; repeats this if its adapter responded too late on a busy machine. */
const openPatiently = async (
  bench: ChannelBench,
  channel: string,
  more: object = {},
): Promise<unknown> => {
  for (;;) {
    const answer = await bench.post(`${api}/channels`, { channel, ...more });
    if (answer.status === 201) return answer.json();
    expect(refusedOverHttp(answer)).toMatchObject({ code: 'hardware_error' });
  }
};

describe('slcan adapters on a bench', () => {
  it('are listed, opened, used, unplugged and found again', async () => {
    const bus = new EmulatedBus();
    const one = await setUpAdapter(bus, dialects.lawicel, 'C0DE');
    const two = await setUpAdapter(bus, dialects.fd, 'BEEF');
    const bench = await borrowChannelBench();
    expect(await bench.json('device', 'list')).toMatchObject({ devices: [{ sn: 'SIM00001' }] });

    writeBench(bench.project, {
      devices: [
        { driver: 'slcan', address: one.socket.path, ports: { 0: 'chassis' } },
        { driver: 'slcan', address: `${two.socket.path},baud=1000000` },
      ],
      networks: { powertrain: 'BEEF/0' },
    });
    const find = slcanDevicesOf(bench);
    const toldBy = ({ sn, firmware_version, ports }: Listed): string =>
      `${sn} ${firmware_version} ${ports[0]?.buses}`;
    let found = await find();
    // Adapters have a tenth of a second to answer; after a timeout on a busy machine they are
    // plugged in again.
    while (found.map(toldBy).join() !== 'C0DE 1013 can,BEEF 2010 can,canfd') {
      for (const each of [one, two]) {
        each.adapter.remove();
        await each.socket.pull();
      }
      await eventually(async () => (await find()).length === 0);
      for (const each of [one, two]) each.adapter = await each.plug();
      found = await find();
    }
    expect(found).toMatchObject([
      { sn: 'C0DE', firmware_version: '1013', state: 'present', ports: [{ buses: ['can'] }] },
      { sn: 'BEEF', firmware_version: '2010', ports: [{ buses: ['can', 'canfd'] }] },
    ]);

    const flexible = await bench.post(`${api}/channels`, { channel: 'chassis', bus: 'canfd' });
    expect(refusedOverHttp(flexible)).toMatchObject({
      code: 'unsupported_by_hardware',
      details: { field: 'bus' },
    });
    expect(await openPatiently(bench, 'chassis', { bitrate: 250_000 })).toMatchObject({
      name: 'chassis',
      selector: 'C0DE/0',
      bitrate: 250_000,
    });
    await openPatiently(bench, 'powertrain', { bus: 'can', bitrate: 250_000 });
    const received = async (selector: string, id: number, kind: string) =>
      (await bench.events(selector)).some((event) => event.id === id && event.kind === kind);
    await bench.json('message', 'send', 'chassis', '123#0102');
    await eventually(() => received('chassis', 0x123, 'tx_complete'));
    await eventually(() => received('powertrain', 0x123, 'rx_frame'));
    await bench.json('message', 'send', 'powertrain', '18FF50E5#AABB');
    await eventually(() => received('chassis', 0x18ff50e5, 'rx_frame'));
    const recv = [
      'message',
      'recv',
      '--channel=chassis',
      '--after=0',
      '--count=2',
      '--format=jsonl',
    ];
    const { stdout } = await bench.run(recv);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { kind: 'tx_complete', id: 0x123, data: '0102' },
      { kind: 'rx_frame', id: 0x18ff50e5, data: 'AABB' },
    ]);

    one.adapter.remove();
    await one.socket.pull();
    const isIn = (state: string) => async () => (await bench.show('chassis')).state === state;
    await eventually(isIn('lost'));
    const sent = await bench.send({ channel: 'chassis', id: 1 });
    expect(refusedOverHttp(sent)).toMatchObject({ details: { channel: 'chassis' } });
    const again = await one.plug();
    await eventually(isIn('open'));
    expect(again.commands).toContain('S5');
    await bench.json('message', 'send', 'chassis', '124#');
    await eventually(async () => again.commands.includes('t1240'));
    await eventually(() => received('powertrain', 0x124, 'rx_frame'));
    const { rx_frames, tx_failed, overruns } = await bench.stats('chassis');
    expect({ rx_frames, tx_failed }).toEqual({ rx_frames: 1, tx_failed: 0 });
    // The response to a status query counts as lost if a busy machine delays it.
    const questions = [...one.adapter.commands, ...again.commands].filter((text) => text === 'F');
    expect(overruns).toBeLessThanOrEqual(questions.length);
  });

  it('tell what is wrong with them when they are opened', async () => {
    const bus = new EmulatedBus();
    const { socket } = await setUpAdapter(bus, dialects.lawicel, 'C0DE');
    const bench = await borrowChannelBench();
    const address = socket.path;
    writeBench(bench.project, { devices: [{ driver: 'slcan', address, ports: { 0: 'rig' } }] });
    const find = slcanDevicesOf(bench);
    // Reconnected if a busy machine made it seem silent.
    await eventually(async () => {
      await socket.pull();
      await eventually(async () => (await find()).length === 0);
      // Responses at a wrong baud rate.
      await socket.plug({ receive: () => socket.say('\x80\xfe\x00\x9c') });
      const answer = await bench.post(`${api}/channels`, { channel: 'rig' });
      const { code, details } = refusedOverHttp(answer);
      expect({ code, device: details.device }).toEqual({ code: 'hardware_error', device: address });
      return details.reason === 'baud_rate_mismatch';
    });
  });

  it('serve one daemon at a time, and the next one once that is gone', async () => {
    const bus = new EmulatedBus();
    const { socket } = await setUpAdapter(bus, dialects.lawicel, 'C0DE');
    const [first, second] = [await borrowChannelBench(), await borrowChannelBench()];
    for (const { project } of [first, second]) {
      writeBench(project, {
        devices: [{ driver: 'slcan', address: socket.path, ports: { 0: 'rig' } }],
      });
    }
    await openPatiently(first, 'rig');
    const counts = async () => {
      const { tx_frames, tx_failed, overruns } = await first.stats('rig');
      return { outcomes: tx_frames + tx_failed, lost: tx_failed + overruns };
    };
    // Repeated if the machine paused for longer than an adapter may take.
    await eventually(async () => {
      const before = await counts();
      const taken = await second.post(`${api}/channels`, { channel: 'rig' });
      expect(refusedOverHttp(taken)).toMatchObject({
        code: 'hardware_error',
        details: { reason: 'in_use' },
      });
      const frames = 20;
      for (let id = 100; id < 100 + frames; id++) {
        await eventually(
          async () => (await first.send({ channel: 'rig', id, data: '00' })).status === 200,
        );
      }
      await eventually(async () => (await counts()).outcomes === before.outcomes + frames);
      // The second daemon's attempt sent nothing to the adapter, and discarded no data of the
      // first.
      return (await counts()).lost === before.lost;
    });
    // A killed daemon has closed nothing.
    const { pid } = await first.json<{ pid: number }>('daemon', 'status');
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      const answer = await second.post(`${api}/channels`, { channel: 'rig' });
      return answer.status === 201;
    });
    await second.json('message', 'send', 'rig', '123#00');
    await eventually(async () => (await second.stats('rig')).tx_frames === 1);
  });
});
