import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler } from '../base/schedule/scheduler.ts';
import { builtInBench } from '../bench/built-in-bench.ts';
import type { Channel } from '../bench/channel.ts';
import type { ChannelTable } from '../bench/channel-table.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import type { LinControl } from '../drivers/driver-channel.ts';
import { type DemoFiles, demoPorts } from './demo-bench.ts';
import { type CanLane, Vehicle } from './vehicle.ts';

interface DemoParts {
  readonly place: DemoFiles | undefined;
  readonly channels: ChannelTable;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

type DemoName = (typeof demoPorts)[number]['name'];

class DemoChannels {
  readonly #hardware = new Map<DemoName, Channel['hardware']>();
  readonly #lanes = new Map<DemoName, Lane>();

  use(name: DemoName, { hardware, outbox }: Channel): void {
    this.#hardware.set(name, hardware);
    // Urgent, because a car sends its frames on time.
    this.#lanes.set(name, outbox.open({}, { isUrgent: true }));
  }

  can(name: DemoName): CanLane {
    return { send: (...frame) => this.#lanes.get(name)?.send(...frame) ?? 'lost' };
  }

  get lin() {
    const master = () => this.#lanes.get('door-master');
    const slave = () => this.#hardware.get('door-slave') as LinControl | undefined;
    return {
      master: {
        masterWrite: (...frame: Parameters<Lane['masterWrite']>) =>
          master()?.masterWrite(...frame) ?? 'lost',
        masterRead: (...frame: Parameters<Lane['masterRead']>) =>
          master()?.masterRead(...frame) ?? 'lost',
      },
      slave: {
        setResponse: (...response: Parameters<LinControl['setResponse']>) =>
          slave()?.setResponse(...response),
        clearResponse: (id: number) => slave()?.clearResponse(id),
      },
    } as const;
  }
}

export const startDemoVehicle = async ({
  place,
  channels,
  clock,
  scheduler,
}: DemoParts): Promise<void> => {
  if (!place) return;
  const open = new DemoChannels();
  const [powertrain, body] = [open.can('powertrain'), open.can('body')];
  const vehicle = new Vehicle({ clock, scheduler, powertrain, body, lin: open.lin });
  channels.onOpened((channel) => {
    const port = demoPorts.find((candidate) => candidate.channel === channel.selector);
    if (!port) return;
    open.use(port.name, channel);
    if (port.name === 'body') channel.onFrame((record, at) => vehicle.receiveOnBody(record, at));
  });
  for (const port of demoPorts) await channels.open(port, async () => builtInBench);
  vehicle.start();
};
