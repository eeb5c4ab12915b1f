import { decodeResponse } from '../pdu/decode-response.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { answersAlike } from '../pdu/response-shape.ts';
import { UnitBackOff } from './unit-back-off.ts';
import type { ProbeAnswer } from './unit-probe.ts';
import { nextUnitState, type UnitEvent, type UnitState } from './unit-state.ts';

/** Answers later than that are not reckoned with. */
const latestUs = 10_000_000;
/** For so long what a unit says unasked is taken for something late, and not for a wrong answer. */
const strayUs = 60_000_000;
/** Of more requests given up than this, the oldest are forgotten. */
const mostOwed = 64;

/** A request that was given up and may still be answered. */
interface Owed {
  readonly request: ModbusRequest;
  /** It is not answered any more after that. */
  readonly untilUs: number;
}

/**
 * What a request to a unit has to do first. `repeat`: as many answers as are owed may be old ones, so
 * the same is asked once more than that, and the last answer counts.
 */
export type Admission = 'ask' | 'probe' | 'repeat' | 'wait';

/** Asking these twice changes nothing in a unit. */
const isRepeatable = ({ kind }: ModbusRequest): boolean =>
  kind === 'read_bits' || kind === 'read_registers' || kind === 'identify';

/** A unit on a session: what it may still have to say, and how it has answered lately. */
export class UnitRecord {
  readonly unit: number;
  readonly backOff = new UnitBackOff();
  /** When it was asked last. */
  askedUs = Number.NEGATIVE_INFINITY;
  #state: UnitState = 'healthy';
  /** Requests given up that it may still answer, in their order. */
  readonly #owed: Owed[] = [];
  /** How many of them were sent before the last probe. */
  #beforeProbe = 0;
  /** Probes that it has not answered. */
  #probes = 0;
  #probedUs = Number.NEGATIVE_INFINITY;
  #answersProbes: 'unknown' | 'yes' | 'no' = 'unknown';
  /** It is left alone until then. */
  #untilUs = Number.NEGATIVE_INFINITY;
  #strayUntilUs = Number.NEGATIVE_INFINITY;

  constructor(unit: number) {
    this.unit = unit;
  }

  get state(): UnitState {
    return this.#state;
  }

  get isHealthy(): boolean {
    return this.#state === 'healthy';
  }

  /** Until when it is left alone, if it is. */
  get untilUs(): number {
    return this.#untilUs;
  }

  /** Whether what it says unasked may be the answer to something given up. */
  maySpeakLate(nowUs: number): boolean {
    return nowUs < this.#strayUntilUs;
  }

  /** Gives up what can no longer come. */
  forget(nowUs: number): void {
    if (this.isHealthy) return;
    const count = this.#owed.findIndex(({ untilUs }) => untilUs > nowUs);
    if (count !== 0) this.#pay(count < 0 ? this.#owed.length : count);
  }

  /** What a request has to do first. */
  admit(request: ModbusRequest, mayProbe: boolean, nowUs: number): Admission {
    if (this.isHealthy) return 'ask';
    this.forget(nowUs);
    if (!this.hasOutstanding(request)) return 'ask';
    const isProbed = mayProbe && this.#answersProbes !== 'no';
    if (!isProbed) this.#step('leave');
    if (this.#state === 'left_alone') {
      if (nowUs < this.#untilUs) return 'wait';
      this.#step('rested');
    }
    if (isProbed) return 'probe';
    if (mayProbe && isRepeatable(request)) return 'repeat';
    this.#step('settled');
    return 'ask';
  }

  /** Whether it may still answer something with what could be taken for the answer to this. */
  hasOutstanding(request: ModbusRequest): boolean {
    return this.#owed.some((owed) => answersAlike(owed.request, request));
  }

  /** Answers to come that could be taken for one of this function, were it only an exception. */
  outstandingOf(functionCode: number): number {
    return this.#owed.filter(({ request }) => request.function === functionCode).length;
  }

  /** A request was given up, and is left alone for so long unless it can be probed. */
  addOutstanding(request: ModbusRequest, nowUs: number, restUs: number): void {
    if (this.#owed.length === mostOwed) this.#pay(1);
    this.#rest(nowUs, restUs);
    this.#owed.push({ request, untilUs: Math.max(nowUs + latestUs, this.#untilUs) });
    this.#strayUntilUs = nowUs + strayUs;
    this.#step('missed');
  }

  /**
   * A request was answered that is made once more, as this may have been the answer to the oldest
   * that is owed. Then its own is owed in its place.
   */
  passOver(request: ModbusRequest): void {
    const index = this.#owed.findIndex((owed) => owed.request.function === request.function);
    const [passed] = this.#owed.splice(index, 1);
    if (passed) this.#owed.push({ request, untilUs: passed.untilUs });
    if (index < this.#beforeProbe) this.#beforeProbe -= 1;
  }

  /** A probe goes out. */
  probe(nowUs: number): void {
    if (nowUs >= this.#probedUs + latestUs) this.#probes = 0;
    this.#probedUs = nowUs;
    this.#probes += 1;
    this.#beforeProbe = this.#owed.length;
    this.#step('probe');
  }

  /** The probe was not answered; `isSilent` when nothing else came either. */
  missProbe(isSilent: boolean, nowUs: number, restUs: number): void {
    if (isSilent && this.#answersProbes === 'unknown') this.#answersProbes = 'no';
    this.#rest(nowUs, restUs);
    this.#step('missed');
  }

  /** The probe is not waited for, as its caller has gone. */
  cancelProbe(): void {
    this.#step('cancelled');
  }

  /** The answer to a request that was sent after everything that is owed. */
  settle(): void {
    this.#step('settled');
  }

  /** Takes note of what it said late. True when that was owed, or answers a probe. */
  hear(answer: ProbeAnswer, bytes: Uint8Array, at: number, length: number): boolean {
    if (answer !== 'none') {
      this.#answersProbes = 'yes';
      this.#hearProbe(answer);
      return true;
    }
    const index = this.#owed.findIndex(
      ({ request }) => decodeResponse(request, bytes, at, length).kind !== 'flawed',
    );
    // A unit answers in order, so what is older than this is not to come either.
    if (index >= 0) this.#pay(index + 1);
    return index >= 0;
  }

  #hearProbe(answer: ProbeAnswer): void {
    // The oldest of the probes is refused; others still may be. An echo tells which it is.
    if (answer === 'refusal') this.#probes = Math.max(0, this.#probes - 1);
    const isOfLast = answer === 'echo' || (answer === 'refusal' && this.#probes === 0);
    if (isOfLast) this.#pay(this.#beforeProbe);
  }

  #pay(count: number): void {
    this.#owed.splice(0, count);
    this.#beforeProbe = Math.max(0, this.#beforeProbe - count);
    if (this.#owed.length === 0) this.#step('settled');
  }

  #rest(nowUs: number, restUs: number): void {
    this.#untilUs = Math.max(this.#untilUs, nowUs + restUs);
  }

  #step(event: UnitEvent): void {
    this.#state = nextUnitState(this.#state, event);
    if (event !== 'settled') return;
    this.#owed.length = 0;
    this.#beforeProbe = 0;
    this.#untilUs = Number.NEGATIVE_INFINITY;
  }
}
