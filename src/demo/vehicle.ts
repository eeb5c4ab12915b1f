import type { Clock } from '../base/clock/clock.ts';
import { nextPeriod } from '../base/schedule/period.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import { builtInBench } from '../bench/built-in-bench.ts';
import type { Channel } from '../bench/channel.ts';
import type { ChannelTable } from '../bench/channel-table.ts';
import type { Lane } from '../bench/outbox/lane.ts';
import type { CanChannel, LinChannel, LinControl, LinReadDone } from '../drivers/driver-channel.ts';
import type { SendResult } from '../drivers/send-result.ts';
import { type DemoFiles, demoPorts } from './demo-bench.ts';
import { FrameEncoder, type FrameLayout } from './frame-layout.ts';
import { Trailer } from './trailer.ts';
import { canFrames, lightSwitch, linSlotUs, rainSensor, wiperCommand } from './vehicle-frames.ts';
import { VehicleModel, type VehicleState } from './vehicle-model.ts';
import { WiperRequests } from './wiper-request.ts';

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
  new Trailer({ clock, scheduler, lane: body }).start();
};

class SendCounts {
  accepted = 0;
  /** Frames dropped because of a full queue; the next frame is newer anyway. */
  full = 0;
  /** Frames dropped because the channel could not send. */
  refused = 0;
  answered = 0;
  unanswered = 0;

  count(result: SendResult): void {
    if (result === 'accepted') this.accepted += 1;
    else if (result === 'full') this.full += 1;
    else this.refused += 1;
  }
}

interface LinEnds {
  readonly master: Pick<LinChannel, 'masterWrite' | 'masterRead'>;
  readonly slave: Pick<LinChannel, 'setResponse' | 'clearResponse'>;
}

class LinSchedule {
  readonly #ends: LinEnds;
  readonly #counts: SendCounts;
  readonly #wiper = new FrameEncoder(wiperCommand);
  readonly #sensors = [new FrameEncoder(lightSwitch), new FrameEncoder(rainSensor)];
  #slot = 0;

  constructor(ends: LinEnds, counts: SendCounts) {
    this.#ends = ends;
    this.#counts = counts;
  }

  runSlot(state: VehicleState): void {
    const slot = this.#slot;
    this.#slot = (slot + 1) % (1 + this.#sensors.length);
    const sensor = this.#sensors[slot - 1];
    if (sensor) this.#read(sensor, state);
    else this.#write(state);
  }

  clear(): void {
    this.#slot = 0;
    for (const { layout } of this.#sensors) this.#ends.slave.clearResponse(layout.id);
  }

  #write(state: VehicleState): void {
    const { layout, flags, data } = this.#wiper;
    this.#wiper.encode(state);
    const { id, length } = layout;
    this.#counts.count(this.#ends.master.masterWrite(id, flags, data, 0, length));
  }

  #read(sensor: FrameEncoder, state: VehicleState): void {
    sensor.encode(state);
    const { layout, flags, data } = sensor;
    const { id, length } = layout;
    const { master, slave } = this.#ends;
    slave.setResponse(id, flags, data, 0, length);
    this.#counts.count(master.masterRead(id, flags, length, this.#readDone));
  }

  readonly #readDone: LinReadDone = (outcome) => {
    if (outcome === 'answered') this.#counts.answered += 1;
    else this.#counts.unanswered += 1;
  };
}

type CanLane = Pick<CanChannel, 'send'>;

export interface VehicleOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** A channel opened as `canfd`. */
  readonly powertrain: CanLane;
  readonly body: CanLane;
  readonly lin?: LinEnds;
}

/** Offset between frames of equal period, as in a car. */
const staggerUs = 700;

/**
 * A simulated vehicle for demonstrations and tests. It repeats a drive cycle of almost three
 * minutes. Nothing is random: two vehicles started at the same time send the same bytes, if they
 * receive the same requests (`wiper-request.ts`).
 *
 * On the built-in bench, powertrain is port 0, body is port 2, and LIN uses ports 4 and 5.
 * Clients that open ports 1 and 3 receive all frames; without them no node acknowledges. The
 * vehicle neither opens nor closes its channels, and continues when a lost device returns.
 */
export class Vehicle {
  readonly #counts = new SendCounts();
  readonly #clock: Clock;
  readonly #model = new VehicleModel();
  readonly #wiperRequests: WiperRequests;
  readonly #tasks: readonly Task[];
  readonly #linSchedule: LinSchedule | undefined;
  #originUs = 0;
  #drivenUs = 0;
  #running = false;

  constructor({ clock, scheduler, powertrain, body, lin }: VehicleOptions) {
    this.#clock = clock;
    this.#wiperRequests = new WiperRequests(clock);
    this.#linSchedule = lin && new LinSchedule(lin, this.#counts);
    const tasks = canFrames.map((layout) =>
      this.#sending(scheduler, layout, layout.bus === 'powertrain' ? powertrain : body),
    );
    if (this.#linSchedule) tasks.push(this.#scheduling(scheduler, this.#linSchedule));
    this.#tasks = tasks;
  }

  get counts(): Readonly<SendCounts> {
    return this.#counts;
  }

  get isRunning(): boolean {
    return this.#running;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    const nowUs = this.#clock.monotonicUs();
    this.#originUs = nowUs - this.#drivenUs;
    for (const [place, task] of this.#tasks.entries()) task.scheduleAt(nowUs + place * staggerUs);
  }

  /** Stops. Accepted frames are still sent. */
  stop(): void {
    if (!this.#running) return;
    this.#running = false;
    this.#drivenUs = this.#clock.monotonicUs() - this.#originUs;
    for (const task of this.#tasks) task.cancel();
    this.#linSchedule?.clear();
  }

  receiveOnBody(record: DataView, at: number): void {
    this.#wiperRequests.receive(record, at);
  }

  #sending(scheduler: Scheduler, layout: FrameLayout, lane: CanLane): Task {
    const encoder = new FrameEncoder(layout);
    const { flags, dlc, data } = encoder;
    const { id, length, periodUs } = layout;
    return scheduler.createTask(`vehicle ${layout.name}`, (nowUs, dueUs) => {
      encoder.encode(this.#stateAt(dueUs));
      this.#counts.count(lane.send(id, flags, dlc, data, 0, length));
      return this.#next(dueUs, periodUs, nowUs);
    });
  }

  #scheduling(scheduler: Scheduler, schedule: LinSchedule): Task {
    return scheduler.createTask('vehicle LIN schedule', (nowUs, dueUs) => {
      schedule.runSlot(this.#stateAt(dueUs));
      return this.#next(dueUs, linSlotUs, nowUs);
    });
  }

  #stateAt(dueUs: number): VehicleState {
    return this.#model.advance(dueUs - this.#originUs, this.#wiperRequests.modeAt(dueUs));
  }

  /** A listener can stop the vehicle during a send. */
  #next(dueUs: number, periodUs: number, nowUs: number): number {
    return this.#running ? nextPeriod(dueUs, periodUs, nowUs) : Number.POSITIVE_INFINITY;
  }
}
