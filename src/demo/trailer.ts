import type { Clock } from '../base/clock/clock.ts';
import { nextPeriod } from '../base/schedule/period.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import { globalAddress } from '../database/j1939.ts';
import type { CanChannel } from '../drivers/driver-channel.ts';
import { frameFlag } from '../frame/frm2-layout.ts';
import {
  broadcastFrame,
  dataFrame,
  packetsOf,
  transportLength,
} from '../pdu/j1939/transport-frames.ts';

const address = 0xc8;
const diagnosticGroup = 0xfeca;
const periodUs = 1_000_000;
const gapUs = 50_000;
/** After the first frames of the car. */
const startUs = 500_000;

interface FaultCode {
  readonly spn: number;
  readonly fmi: number;
  readonly count: number;
}

/** Reservoir pressure of the brake low, and a wheel speed sensor without signal. */
const faultCodes: readonly FaultCode[] = [
  { spn: 1087, fmi: 1, count: 3 },
  { spn: 904, fmi: 5, count: 12 },
];

/** Amber warning on, steady. */
const lamps = [0x04, 0xff];

/** Least significant byte first: SPN 19 bits with FMI 5 bits above, then the count. */
const codeBytes = ({ spn, fmi, count }: FaultCode): number[] => [
  spn & 0xff,
  (spn >> 8) & 0xff,
  ((spn >> 16) << 5) | fmi,
  count,
];

export const trailerFaults = Uint8Array.from([...lamps, ...faultCodes.flatMap(codeBytes)]);

interface TrailerOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly lane: Pick<CanChannel, 'send'>;
}

/** A J1939 trailer on the body bus. It reports two faults every second (DM1 over TP.BAM). */
export class Trailer {
  readonly #clock: Clock;
  readonly #lane: TrailerOptions['lane'];
  readonly #task: Task;
  readonly #ends = { source: address, destination: globalAddress };
  /** Announcement, then the packets from 1. */
  #next = 0;
  #startedUs = 0;

  constructor({ clock, scheduler, lane }: TrailerOptions) {
    this.#clock = clock;
    this.#lane = lane;
    this.#task = scheduler.createTask('trailer', (nowUs, dueUs) => this.#send(nowUs, dueUs));
  }

  start(): void {
    this.#startedUs = this.#clock.monotonicUs() + startUs;
    this.#task.scheduleAt(this.#startedUs);
  }

  #send(nowUs: number, dueUs: number): number {
    if (this.#next === 0) this.#startedUs = dueUs;
    const { id, data } =
      this.#next === 0
        ? broadcastFrame(address, diagnosticGroup, trailerFaults.length)
        : dataFrame(this.#ends, trailerFaults, this.#next);
    this.#lane.send(id, frameFlag.extended, transportLength, data, 0, transportLength);
    const isLast = this.#next === packetsOf(trailerFaults.length);
    this.#next = isLast ? 0 : this.#next + 1;
    return isLast ? nextPeriod(this.#startedUs, periodUs, nowUs) : nowUs + gapUs;
  }
}
