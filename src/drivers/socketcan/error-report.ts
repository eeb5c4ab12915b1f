import { errorFrameBits } from '../../frame/can-bits.ts';
import { canControllerError, canErrorClass, canErrorLength } from '../../frame/can-error-frame.ts';
import type { BusState } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import { extendedIdMask, type RawFrames } from './raw-frame.ts';

const { active, rxOverflow, rxPassive, rxWarning, txPassive, txWarning } = canControllerError;
const { busError, busOff, controller, counters, noAcknowledge, protocol, restarted } =
  canErrorClass;

const onTheBus = busError | noAcknowledge | protocol;

const warningCount = 96;
const passiveCount = 128;

const controllerAt = 1;
const txCountAt = 6;
const rxCountAt = 7;

const stateOfCounts = (tx: number, rx: number): BusState => {
  const higher = Math.max(tx, rx);
  if (higher >= passiveCount) return 'error_passive';
  return higher >= warningCount ? 'error_warning' : 'error_active';
};

export class ErrorReport {
  id = 0;
  readonly details = new Uint8Array(canErrorLength);
  status = 0;
  isBusError = false;
  isOverflow = false;
  state: BusState | undefined;
  #isCounted = false;
  txCount: number | undefined;
  rxCount: number | undefined;

  read(frames: RawFrames, slot: number): void {
    const at = frames.dataOffset(slot);
    for (let i = 0; i < canErrorLength; i++) this.details[i] = frames.bytes[at + i] as number;
    this.id = frames.word(slot) & extendedIdMask;
    this.isBusError = (this.id & onTheBus) !== 0;
    const causes = (this.id & controller) === 0 ? 0 : (this.details[controllerAt] as number);
    this.isOverflow = (causes & rxOverflow) !== 0;
    const counts = (this.id & counters) !== 0;
    this.txCount = counts ? (this.details[txCountAt] as number) : undefined;
    this.rxCount = counts ? (this.details[rxCountAt] as number) : undefined;
    this.state = this.#stateOf(causes);
    this.status = this.#statusOf();
  }

  stateAfter(before: BusState): BusState {
    if (before === 'bus_off' && this.#isCounted) return before;
    return this.state ?? before;
  }

  report(reporter: PortReporter, bitrate: number, atUs: number): void {
    if (this.isBusError) {
      reporter.busyUs += (errorFrameBits * 1e6) / bitrate;
      reporter.canError(this.id, this.status, this.details, atUs);
    } else {
      reporter.canState(this.id, this.status, this.details, atUs);
    }
  }

  #stateOf(causes: number): BusState | undefined {
    this.#isCounted = false;
    if ((this.id & busOff) !== 0) return 'bus_off';
    if ((this.id & restarted) !== 0) return 'error_active';
    if ((causes & (rxPassive | txPassive)) !== 0) return 'error_passive';
    if ((causes & (rxWarning | txWarning)) !== 0) return 'error_warning';
    if ((causes & active) !== 0) return 'error_active';
    if (this.txCount === undefined || this.rxCount === undefined) return undefined;
    this.#isCounted = true;
    return stateOfCounts(this.txCount, this.rxCount);
  }

  #statusOf(): number {
    if ((this.id & noAcknowledge) !== 0) return eventStatus.no_acknowledge;
    if (this.isBusError) return eventStatus.bus_error;
    return this.isOverflow ? eventStatus.overrun : eventStatus.state_change;
  }
}
