import { describe, expect, it } from 'vitest';
import { cases } from '../base/testing/long.ts';
import type { RecordedEvent } from '../drivers/testing/recording-sink.ts';
import { VirtualRig } from '../drivers/virtual/testing/virtual-rig.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import { FrameEncoder } from './frame-layout.ts';
import { readAlive, readSignal } from './testing/read-signal.ts';
import { Vehicle } from './vehicle.ts';
import { canFrames, lightSwitch, linSlotUs, rainSensor, wiperCommand } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const s = 1_000_000;
const drive = cases(60, 120) * s;

const setUp = async () => {
  const rig = new VirtualRig();
  const powertrain = await rig.openCan(0);
  const powertrainPeer = await rig.openCan(1);
  const body = await rig.openCan(2);
  const bodyPeer = await rig.openCan(3);
  const master = await rig.openLin(4);
  const slave = await rig.openLin(5);
  const scheduled = { is: false };
  const vehicle = new Vehicle({
    clock: rig.clock,
    scheduler: rig.scheduler,
    powertrain: powertrain.channel,
    body: body.channel,
    lin: { master: master.channel, slave: slave.channel, isScheduled: () => scheduled.is },
  });
  const peers = { powertrain: powertrainPeer.events, body: bodyPeer.events, lin: slave.events };
  const received = ({ bus, id }: { bus: keyof typeof peers; id: number }): RecordedEvent[] =>
    peers[bus].received.filter((event) => event.id === id);
  const clear = () => {
    for (const events of [...Object.values(peers), master.events]) events.clear();
  };
  return {
    rig,
    vehicle,
    heard: received,
    clear,
    powertrain,
    powertrainPeer,
    master,
    slave,
    scheduled,
  };
};

describe('a vehicle', () => {
  it('keeps every frame to its period over a long drive', async () => {
    const { rig, vehicle, heard: received } = await setUp();
    vehicle.start();
    rig.advanceUs(drive - 1);
    for (const layout of canFrames) {
      const { length, periodUs, fd = false, extended = false } = layout;
      const events = received(layout);
      // The last one may still be in transit.
      expect(events.length).toBeGreaterThanOrEqual(drive / periodUs - 1);
      expect(events.length).toBeLessThanOrEqual(drive / periodUs);
      expect(events.every(({ data }) => data.length === 2 * length)).toBe(true);
      expect(events.every(({ data }, i) => readAlive(data) === i % 16)).toBe(true);
      const flags = (fd ? frameFlag.fd | frameFlag.brs : 0) | (extended ? frameFlag.extended : 0);
      expect(events.every((event) => event.flags === flags)).toBe(true);
      const first = rig.sinceStart(events[0] ?? { timestampUs: Number.NaN });
      const drift = events.map((event, i) => rig.sinceStart(event) - first - i * periodUs);
      expect(Math.max(...drift.map(Math.abs))).toBeLessThan(1_500);
    }
    expect(vehicle.counts).toMatchObject({ full: 0, refused: 0, unanswered: 0 });
  });

  it('says on the bus what its model does', async () => {
    const { rig, vehicle, heard: received } = await setUp();
    vehicle.start();
    rig.advanceUs(drive);
    const model = new VehicleModel();
    for (const [place, layout] of canFrames.entries()) {
      const wrong = received(layout).filter(({ data }, i) => {
        const state = model.advance(place * 700 + i * layout.periodUs);
        return layout.signals.some((signal) => {
          const error = readSignal(layout, signal.name, data) - signal.of(state);
          return Math.abs(error) > signal.factor / 2 + 1e-9;
        });
      });
      expect(received(layout).length).toBeGreaterThan(100);
      expect(wrong).toEqual([]);
    }
  });

  it('leaves the headers to a schedule of a client, and answers them', async () => {
    const { rig, vehicle, heard: received, master, scheduled } = await setUp();
    vehicle.start();
    rig.advanceUs(s);
    scheduled.is = true;
    rig.advanceUs(s);
    const before = received(wiperCommand).length;
    rig.advanceUs(s);
    expect(received(wiperCommand)).toHaveLength(before);
    const { id, length } = rainSensor;
    const answers = master.events.received.filter((event) => event.id === id).length;
    const { flags } = new FrameEncoder(rainSensor);
    master.channel.masterRead(id, flags, length, () => undefined);
    rig.advanceUs(s);
    expect(master.events.received.filter((event) => event.id === id)).toHaveLength(answers + 1);
    scheduled.is = false;
    rig.advanceUs(s);
    expect(received(wiperCommand).length).toBeGreaterThan(before);
  });

  it('runs a LIN schedule whose answers change', async () => {
    const { rig, vehicle, heard: received, master, slave } = await setUp();
    vehicle.start();
    rig.advanceUs(120 * s);
    const round = 3 * linSlotUs;
    expect(received(wiperCommand)).toHaveLength((120 * s) / round);
    const read = (id: number) => master.events.received.filter((event) => event.id === id);
    for (const layout of [lightSwitch, rainSensor]) {
      const events = read(layout.id);
      expect(events).toHaveLength((120 * s) / round);
      expect(events.every(({ data }, i) => readAlive(data) === i % 16)).toBe(true);
    }
    const rains = read(rainSensor.id).map(({ data }) =>
      readSignal(rainSensor, 'RainIntensity', data),
    );
    expect(new Set(rains).size).toBeGreaterThan(50);
    const times = [...received(wiperCommand), ...read(lightSwitch.id), ...read(rainSensor.id)]
      .map((event) => rig.sinceStart(event))
      .sort((a, b) => a - b);
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    // A frame with four bytes ends later in its slot than one with two.
    expect(Math.min(...gaps)).toBeGreaterThan(linSlotUs - 1_500);
    expect(Math.max(...gaps)).toBeLessThan(linSlotUs + 1_500);
    expect(slave.events.errors).toEqual([]);
    expect(vehicle.counts.answered).toBe((2 * 120 * s) / round);
  });

  it('drives without LIN', async () => {
    const rig = new VirtualRig();
    const { channel } = await rig.openCan(0);
    const { events } = await rig.openCan(1);
    const { clock, scheduler } = rig;
    new Vehicle({ clock, scheduler, powertrain: channel, body: channel }).start();
    rig.advanceUs(1 * s);
    expect(new Set(events.received.map(({ id }) => id)).size).toBe(canFrames.length);
  });

  it('stops, and goes on from where it stopped', async () => {
    const { rig, vehicle, heard: received, clear, master } = await setUp();
    const [, transmission] = canFrames;
    if (!transmission) return;
    vehicle.start();
    vehicle.start();
    rig.advanceUs(30 * s);
    const before = received(transmission).at(-1);
    vehicle.stop();
    vehicle.stop();
    expect(vehicle.isRunning).toBe(false);
    rig.advanceUs(1 * s);
    clear();
    master.channel.masterRead(lightSwitch.id, 0, 2, () => undefined);
    rig.advanceUs(60 * s);
    expect(received(transmission)).toEqual([]);
    expect(master.events.received).toEqual([]);
    vehicle.start();
    rig.advanceUs(1 * s);
    const after = received(transmission)[0];
    const odometer = (event?: RecordedEvent) =>
      readSignal(transmission, 'Odometer', event?.data ?? '00');
    expect(odometer(after) - odometer(before)).toBeGreaterThanOrEqual(0);
    expect(odometer(after) - odometer(before)).toBeLessThan(0.01);
  });

  it('drops what a full queue does not take, and counts it', async () => {
    const { rig, vehicle, powertrainPeer, heard: received } = await setUp();
    await powertrainPeer.channel.close();
    vehicle.start();
    rig.advanceUs(20 * s);
    expect(vehicle.counts.full).toBeGreaterThan(1000);
    expect(vehicle.counts.refused).toBe(0);
    expect(received({ bus: 'body', id: 0x300 }).length).toBeGreaterThan(190);
  });

  it('outlives a lost device and a closed channel', async () => {
    const { rig, vehicle, heard: received, clear, powertrain } = await setUp();
    vehicle.start();
    rig.advanceUs(1 * s);
    rig.driver.faults.loseDevice();
    clear();
    rig.advanceUs(1 * s);
    expect(vehicle.counts.refused).toBeGreaterThan(300);
    rig.driver.faults.returnDevice();
    rig.advanceUs(1 * s);
    expect(received({ bus: 'powertrain', id: 0x100 }).length).toBeGreaterThan(98);
    expect(received(wiperCommand).length).toBeGreaterThan(14);
    await powertrain.channel.close();
    clear();
    rig.advanceUs(1 * s);
    expect(received({ bus: 'powertrain', id: 0x100 })).toEqual([]);
    expect(received({ bus: 'body', id: 0x300 }).length).toBeGreaterThan(8);
  });

  it('skips what it missed instead of sending stale values in a burst', async () => {
    const { rig, vehicle, heard: received } = await setUp();
    vehicle.start();
    rig.advanceUs(1 * s);
    const counted = received({ bus: 'powertrain', id: 0x100 }).length;
    const busy = rig.scheduler.createTask('busy', () => {
      rig.clock.advanceUs(5 * s);
    });
    busy.scheduleAt(rig.clock.monotonicUs());
    rig.advanceUs(1 * s);
    expect(received({ bus: 'powertrain', id: 0x100 }).length - counted).toBeLessThan(10);
  });

  it('can be stopped by the listener that hears it', async () => {
    const { rig, vehicle, powertrainPeer } = await setUp();
    powertrainPeer.events.onEvent = () => vehicle.stop();
    vehicle.start();
    rig.advanceUs(10 * s);
    expect(vehicle.isRunning).toBe(false);
    expect(vehicle.counts.accepted).toBeLessThan(10);
    expect(rig.scheduler.scheduledTasks).toBe(0);
  });
});
