import {
  canControllerError,
  canErrorClass,
  canErrorLength,
  canErrorLocation,
  canProtocolError,
  writeCanErrorDetails,
} from '../../frame/can-error-frame.ts';
import type { BusState } from '../channel-stats.ts';
import { eventStatus } from '../event-status.ts';
import type { PortReporter } from '../port-reporter.ts';
import type { BusErrorLetter, ControllerState } from './status-text.ts';

const { bit, form, stuff } = canProtocolError;

interface ErrorKind {
  readonly id: number;
  readonly status: number;
  readonly controller?: number;
  readonly protocol?: number;
  readonly location?: number;
}

const protocolError = (protocol: number, location = canErrorLocation.unspecified as number) => ({
  id: canErrorClass.protocol | canErrorClass.busError,
  status: eventStatus.bus_error,
  protocol,
  location,
});

const kinds: Readonly<Record<Exclude<BusErrorLetter, 'o'>, ErrorKind>> = {
  a: { id: canErrorClass.noAcknowledge, status: eventStatus.no_acknowledge },
  b: protocolError(bit),
  B: protocolError(bit),
  c: protocolError(0, canErrorLocation.crcSequence),
  f: protocolError(form),
  s: protocolError(stuff),
  O: {
    id: canErrorClass.controller,
    status: eventStatus.bus_error,
    controller: canControllerError.txOverflow,
  },
};

const someError: ErrorKind = { id: canErrorClass.busError, status: eventStatus.bus_error };

const stateDetail: Readonly<Record<BusState, number>> = {
  error_active: canControllerError.active,
  error_warning: canControllerError.txWarning | canControllerError.rxWarning,
  error_passive: canControllerError.txPassive | canControllerError.rxPassive,
  bus_off: 0,
};

export class SlcanReports {
  state: BusState = 'error_active';
  txErrorCount = 0;
  rxErrorCount = 0;
  overruns = 0;
  readonly #reporter: PortReporter;
  #hasCounters = false;
  readonly #details = new Uint8Array(canErrorLength);

  constructor(reporter: PortReporter) {
    this.#reporter = reporter;
  }

  reset(): void {
    this.txErrorCount = 0;
    this.rxErrorCount = 0;
  }

  error(letter: BusErrorLetter, atUs: number): void {
    if (letter === 'o') this.overruns += 1;
    else this.#report(kinds[letter], atUs);
  }

  someErrors(atUs: number): void {
    this.#report(someError, atUs);
  }

  counters({ rxErrorCount, txErrorCount }: ControllerState): void {
    this.#hasCounters = true;
    this.rxErrorCount = rxErrorCount;
    this.txErrorCount = txErrorCount;
  }

  /** Reported states are more precise than status bits. */
  get reportsState(): boolean {
    return this.#hasCounters;
  }

  enter(state: BusState, atUs: number): void {
    if (state === this.state) return;
    this.state = state;
    const id = state === 'bus_off' ? canErrorClass.busOff : canErrorClass.controller;
    this.#fill({ id, status: 0, controller: stateDetail[state] });
    this.#reporter.canState(this.#known(id), eventStatus.state_change, this.#details, atUs);
    this.#reporter.sink.stateChanged(state, this.#reporter.unixUs(atUs));
  }

  #report(kind: ErrorKind, atUs: number): void {
    this.#fill(kind);
    this.#reporter.canError(this.#known(kind.id), kind.status, this.#details, atUs);
  }

  #known(id: number): number {
    return this.#hasCounters ? id | canErrorClass.counters : id;
  }

  #fill({ controller = 0, protocol = 0, location = 0 }: ErrorKind): void {
    const { txErrorCount, rxErrorCount } = this;
    writeCanErrorDetails(
      this.#details,
      0,
      controller,
      protocol,
      location,
      txErrorCount,
      rxErrorCount,
    );
  }
}
