import type { LinChannel, LinReadDone } from '../drivers/driver-channel.ts';
import { FrameEncoder } from './frame-layout.ts';
import type { SendCounts } from './send-counts.ts';
import { lightSwitch, rainSensor, wiperCommand } from './vehicle-frames.ts';
import type { VehicleState } from './vehicle-model.ts';

/** Both ends of a LIN bus: the master, and a slave with the sensors on it. */
export interface LinEnds {
  readonly master: Pick<LinChannel, 'masterWrite' | 'masterRead'>;
  readonly slave: Pick<LinChannel, 'setResponse' | 'clearResponse'>;
}

/** The schedule table of the master, and the answers of the slave to it. */
export class LinSchedule {
  readonly #ends: LinEnds;
  readonly #counts: SendCounts;
  readonly #wiper = new FrameEncoder(wiperCommand);
  readonly #sensors = [new FrameEncoder(lightSwitch), new FrameEncoder(rainSensor)];
  #slot = 0;

  constructor(ends: LinEnds, counts: SendCounts) {
    this.#ends = ends;
    this.#counts = counts;
  }

  /** Does what the next slot is for. */
  runSlot(state: VehicleState): void {
    const slot = this.#slot;
    this.#slot = (slot + 1) % (1 + this.#sensors.length);
    const sensor = this.#sensors[slot - 1];
    if (sensor) this.#read(sensor, state);
    else this.#write(state);
  }

  /** Takes the answers back, so that the identifiers are free for others. */
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
