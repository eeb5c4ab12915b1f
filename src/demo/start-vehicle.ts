import type { Clock } from '../base/clock/clock.ts';
import { BusbarError } from '../base/errors/busbar-error.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import { builtInBench } from '../bench/built-in-bench.ts';
import type { ChannelTable } from '../bench/channel-table.ts';
import type { LinControl } from '../drivers/driver-channel.ts';
import { type DemoPlace, demoPorts } from './demo-bench.ts';
import { Vehicle } from './vehicle.ts';

interface DemoParts {
  /** Undefined where there is no demonstration. */
  readonly place: DemoPlace | undefined;
  readonly channels: ChannelTable;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** Opens the whole virtual bench and lets the simulated vehicle drive on it, where that was asked for. */
export const startDemoVehicle = async ({
  place,
  channels,
  clock,
  scheduler,
}: DemoParts): Promise<void> => {
  if (!place) return;
  for (const port of demoPorts) await channels.open(port, async () => builtInBench);
  const named = (name: string) => {
    const channel = channels.channels.find((candidate) => candidate.name === name);
    if (channel) return channel;
    throw new BusbarError('internal_error', { message: `The demonstration lacks ${name}` });
  };
  // What a car sends is due at its time, whatever else is sent on the bench.
  const laneOf = (name: string) => named(name).outbox.open({}, { isUrgent: true });
  const vehicle = new Vehicle({
    clock,
    scheduler,
    powertrain: laneOf('powertrain'),
    body: laneOf('body'),
    lin: { master: laneOf('door-master'), slave: named('door-slave').hardware as LinControl },
  });
  named('body').onFrame((record, at) => vehicle.receiveOnBody(record, at));
  vehicle.start();
};
