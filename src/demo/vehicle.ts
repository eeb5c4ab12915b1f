import type { Clock } from '../base/clock/clock.ts';
import { nextPeriod } from '../base/schedule/period.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import { builtInBench } from '../bench/built-in-bench.ts';
import type { Channel } from '../bench/channel.ts';
import type { ChannelTable } from '../bench/channel-table.ts';
import type { Lane, TxOutcome } from '../bench/outbox/lane.ts';
import type { CanChannel, LinChannel, LinControl, LinReadDone } from '../drivers/driver-channel.ts';
import type { SendResult } from '../drivers/send-result.ts';
import { linMasterRequestId, linSlaveResponseId, maxLinLength } from '../frame/lin.ts';
import { DiagnosticSlots } from '../lin/diagnostic-slots.ts';
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
  /** Where diagnostic links find the slots of the vehicle's LIN schedule, by channel slot. */
  readonly slots?: Map<number, DiagnosticSlots>;
  /** Whether a client runs a LIN schedule on a channel; the vehicle then sends no headers on it. */
  readonly isScheduled?: (slot: number) => boolean;
  /** Called when a channel of the vehicle opens. */
  readonly onOpened?: (name: DemoName, channel: Channel) => void;
}

export type DemoName = (typeof demoPorts)[number]['name'];

class DemoChannels {
  readonly #hardware = new Map<DemoName, Channel['hardware']>();
  readonly #lanes = new Map<DemoName, Lane>();
  readonly #isScheduled: (slot: number) => boolean;
  #requests: Lane | undefined;
  #masterSlot = -1;

  constructor(isScheduled: (slot: number) => boolean) {
    this.#isScheduled = isScheduled;
  }

  use(name: DemoName, { hardware, outbox, slot }: Channel): void {
    this.#hardware.set(name, hardware);
    // Urgent, because a car sends its frames on time.
    this.#lanes.set(name, outbox.open({}, { isUrgent: true }));
    if (name !== 'door-master') return;
    this.#masterSlot = slot;
    const settled = (outcome: TxOutcome, atUs: number): void =>
      this.requestSettled(outcome === 'sent', atUs);
    this.#requests = outbox.open({ settled }, { isUrgent: true });
  }

  requestSettled: (isSent: boolean, atUs: number) => void = () => undefined;

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
      requests: {
        masterWrite: (...frame: Parameters<Lane['masterWrite']>) =>
          this.#requests?.masterWrite(...frame) ?? 'lost',
      },
      isScheduled: () => this.#isScheduled(this.#masterSlot),
    } as const;
  }
}

export const startDemoVehicle = async ({
  place,
  channels,
  clock,
  scheduler,
  slots,
  isScheduled = () => false,
  onOpened,
}: DemoParts): Promise<void> => {
  if (!place) return;
  const open = new DemoChannels(isScheduled);
  const [powertrain, body] = [open.can('powertrain'), open.can('body')];
  const vehicle = new Vehicle({ clock, scheduler, powertrain, body, lin: open.lin });
  open.requestSettled = (isSent, atUs) => vehicle.diagnostics.settled(isSent, atUs);
  channels.onOpened((channel) => {
    const port = demoPorts.find((candidate) => candidate.channel === channel.selector);
    if (!port) return;
    open.use(port.name, channel);
    if (port.name === 'door-master') {
      // A frame at the port of the closed channel has no outcome.
      vehicle.diagnostics.settled(false, clock.monotonicUs());
      slots?.set(channel.slot, vehicle.diagnostics);
    }
    if (port.name === 'body') channel.onFrame((record, at) => vehicle.receiveOnBody(record, at));
    onOpened?.(port.name, channel);
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
  /** Lane of diagnostic requests, whose outcomes are reported to `diagnostics` of the vehicle. */
  readonly requests?: Pick<LinChannel, 'masterWrite'>;
  /** Whether another schedule sends the headers; the slave still publishes its responses. */
  readonly isScheduled?: () => boolean;
}

const ignoreRead: LinReadDone = () => undefined;

/** Frames alternate with diagnostic slots, which are silent without a request. */
class LinSchedule {
  readonly #ends: LinEnds;
  readonly #diagnostics: DiagnosticSlots;
  readonly #counts: SendCounts;
  readonly #wiper = new FrameEncoder(wiperCommand);
  readonly #sensors = [new FrameEncoder(lightSwitch), new FrameEncoder(rainSensor)];
  #slot = 0;

  constructor(ends: LinEnds, counts: SendCounts, diagnostics: DiagnosticSlots) {
    this.#ends = ends;
    this.#counts = counts;
    this.#diagnostics = diagnostics;
  }

  runSlot(state: VehicleState, nowUs: number): void {
    const slot = this.#slot;
    this.#slot = (slot + 1) % (2 * (1 + this.#sensors.length));
    const sensor = slot % 2 === 0 ? this.#sensors[slot / 2 - 1] : undefined;
    if (sensor) this.#publish(sensor, state);
    if (this.#ends.isScheduled?.()) return;
    if (slot === 1) this.#request(nowUs);
    else if (slot % 2 === 1) this.#poll();
    else if (sensor) this.#read(sensor);
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

  #publish(sensor: FrameEncoder, state: VehicleState): void {
    sensor.encode(state);
    const { layout, flags, data } = sensor;
    this.#ends.slave.setResponse(layout.id, flags, data, 0, layout.length);
  }

  #read({ layout, flags }: FrameEncoder): void {
    const { id, length } = layout;
    this.#counts.count(this.#ends.master.masterRead(id, flags, length, this.#readDone));
  }

  #request(nowUs: number): void {
    const data = this.#diagnostics.next(nowUs);
    if (!data) return;
    const { requests } = this.#ends;
    const result = requests?.masterWrite(linMasterRequestId, 0, data, 0, data.length);
    if (result !== 'accepted') this.#diagnostics.settled(false, nowUs);
  }

  #poll(): void {
    if (!this.#diagnostics.isBegun) return;
    this.#ends.master.masterRead(linSlaveResponseId, 0, maxLinLength, ignoreRead);
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
  readonly diagnostics = new DiagnosticSlots(() => (this.#running ? 3.5 * linSlotUs : null));
  #originUs = 0;
  #drivenUs = 0;
  #running = false;

  constructor({ clock, scheduler, powertrain, body, lin }: VehicleOptions) {
    this.#clock = clock;
    this.#wiperRequests = new WiperRequests(clock);
    this.#linSchedule = lin && new LinSchedule(lin, this.#counts, this.diagnostics);
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
      schedule.runSlot(this.#stateAt(dueUs), nowUs);
      return this.#next(dueUs, linSlotUs / 2, nowUs);
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
