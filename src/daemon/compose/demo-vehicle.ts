import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { builtInBench } from '../../bench/bench.ts';
import type { ChannelTable } from '../../bench/channel-table.ts';
import { demoPorts } from '../../demo/demo-bench.ts';
import { Vehicle } from '../../demo/vehicle.ts';
import type { CanChannel, LinChannel } from '../../drivers/driver-channel.ts';

interface DemoParts {
  readonly channels: ChannelTable;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

/** Opens the whole virtual bench and lets the simulated vehicle drive on it. */
export const startDemoVehicle = async ({
  channels,
  clock,
  scheduler,
}: DemoParts): Promise<Vehicle> => {
  for (const port of demoPorts) await channels.open(port, async () => builtInBench);
  const named = (name: string) => {
    const channel = channels.channels.find((candidate) => candidate.name === name);
    if (channel) return channel.hardware;
    throw new BusbarError('internal_error', { message: `The demonstration lacks ${name}` });
  };
  const vehicle = new Vehicle({
    clock,
    scheduler,
    powertrain: named('powertrain') as CanChannel,
    body: named('body') as CanChannel,
    lin: { master: named('door-master') as LinChannel, slave: named('door-slave') as LinChannel },
  });
  vehicle.start();
  return vehicle;
};
