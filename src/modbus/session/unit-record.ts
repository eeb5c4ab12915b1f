import { decodeResponse } from '../pdu/decode-response.ts';
import type { ModbusRequest } from '../pdu/requests.ts';
import { answersAlike } from '../pdu/response-shape.ts';
import type { ProbeAnswer } from './unit-probe.ts';

/**
 * State of a unit whose responses do not identify their requests, managed by `unit-record.ts`:
 *
 * ```
 *           missed            probe             missed
 *  healthy ────────▶ late ──────────────▶ probing ───────▶ left_alone
 *                   │ ▲ ▲ ◀─ cancelled ──┘   ▲              ▲    │
 *                   │ │ │                    └── probe ──┐  │    │ rested
 *                   │ │ └───────────── missed ──────── doubtful ◀┘
 *                   └─┼───────────────── leave ─────────────┘
 *                missed (late and left_alone stay unchanged)
 *
 *  settled: from every state to healthy
 * ```
 *
 * - `late`: a request was abandoned and may still get a response.
 * - `probing`: a probe was sent. Its response shows that nothing older is pending.
 * - `left_alone`: it did not respond to a probe, or must not be probed, and rests instead.
 * - `doubtful`: the rest is over, but the next response may still be an old one.
 */
export const unitStates = ['healthy', 'late', 'probing', 'left_alone', 'doubtful'] as const;
export type UnitState = (typeof unitStates)[number];

export const unitEvents = ['missed', 'probe', 'cancelled', 'leave', 'rested', 'settled'] as const;
/**
 * `missed`: the request was abandoned. `cancelled`: the caller of the probe cancelled. `leave`:
 * the unit must not be probed. `settled`: nothing older is outstanding.
 */
type UnitEvent = (typeof unitEvents)[number];

type Transitions = Readonly<Partial<Record<UnitEvent, UnitState>>>;

const transitions: Readonly<Record<UnitState, Transitions>> = {
  healthy: { missed: 'late' },
  late: { missed: 'late', probe: 'probing', leave: 'left_alone' },
  probing: { missed: 'left_alone', cancelled: 'late' },
  left_alone: { missed: 'left_alone', rested: 'doubtful' },
  doubtful: { missed: 'late', probe: 'probing' },
};

export const nextUnitState = (state: UnitState, event: UnitEvent): UnitState =>
  event === 'settled' ? 'healthy' : (transitions[state][event] ?? state);

/** A silent unit may use at most a twentieth of the link's time. */
const maxInTimeouts = 20;

const maxUs = 30_000_000;

const growth = 4;

/**
 * Delay before polls send to a silent unit again. It grows with each miss, and is zero after
 * the first miss of a unit that has responded.
 */
export class UnitBackOff {
  misses = 0;
  untilUs = Number.NEGATIVE_INFINITY;
  hasAnswered = false;

  answered(): void {
    this.hasAnswered = true;
    this.misses = 0;
    this.untilUs = Number.NEGATIVE_INFINITY;
  }

  missed(nowUs: number, timeoutUs: number): void {
    this.misses += 1;
    const steps = this.hasAnswered ? this.misses - 1 : this.misses;
    if (steps === 0) return;
    const factor = Math.min(maxInTimeouts, growth ** steps);
    this.untilUs = nowUs + Math.min(maxUs, factor * timeoutUs);
  }
}

/** No late response is expected after this time. */
const latestUs = 10_000_000;
/** An unrequested frame within this time counts as late, not as invalid. */
const strayUs = 60_000_000;
/** Maximum number of outstanding responses. The oldest are dropped. */
const maxLateAnswers = 64;

interface LateAnswer {
  readonly request: ModbusRequest;
  readonly untilUs: number;
}

/**
 * Action required before a request. `repeat`: as many responses as are outstanding may be old,
 * so the request is repeated and the last response counts.
 */
export type Admission = 'ask' | 'probe' | 'repeat' | 'wait';

/** Reads can be repeated without side effects. */
const isRepeatable = ({ kind }: ModbusRequest): boolean =>
  kind === 'read_bits' || kind === 'read_registers' || kind === 'identify';

/** A unit on a session: its outstanding responses, and its recent behaviour. */
export class UnitRecord {
  readonly unit: number;
  readonly backOff = new UnitBackOff();
  askedUs = Number.NEGATIVE_INFINITY;
  #state: UnitState = 'healthy';
  /** Abandoned requests that may still get a response, in order. */
  readonly #owed: LateAnswer[] = [];
  /** Number of them sent before the last probe. */
  #beforeProbe = 0;
  #probes = 0;
  #probedUs = Number.NEGATIVE_INFINITY;
  #answersProbes: 'unknown' | 'yes' | 'no' = 'unknown';
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

  get untilUs(): number {
    return this.#untilUs;
  }

  /** Returns whether an unrequested frame may be the response to an abandoned request. */
  maySpeakLate(nowUs: number): boolean {
    return nowUs < this.#strayUntilUs;
  }

  forget(nowUs: number): void {
    if (this.isHealthy) return;
    const count = this.#owed.findIndex(({ untilUs }) => untilUs > nowUs);
    if (count !== 0) this.#pay(count < 0 ? this.#owed.length : count);
  }

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

  hasOutstanding(request: ModbusRequest): boolean {
    return this.#owed.some((owed) => answersAlike(owed.request, request));
  }

  outstandingOf(functionCode: number): number {
    return this.#owed.filter(({ request }) => request.function === functionCode).length;
  }

  /** A request was abandoned. The unit rests for this long unless it can be probed. */
  addOutstanding(request: ModbusRequest, nowUs: number, restUs: number): void {
    if (this.#owed.length === maxLateAnswers) this.#pay(1);
    this.#rest(nowUs, restUs);
    this.#owed.push({ request, untilUs: Math.max(nowUs + latestUs, this.#untilUs) });
    this.#strayUntilUs = nowUs + strayUs;
    this.#step('missed');
  }

  /**
   * The request is repeated, because this may have been the oldest outstanding response. Its
   * own response is outstanding instead.
   */
  passOver(request: ModbusRequest): void {
    const index = this.#owed.findIndex((owed) => owed.request.function === request.function);
    const [passed] = this.#owed.splice(index, 1);
    if (passed) this.#owed.push({ request, untilUs: passed.untilUs });
    if (index < this.#beforeProbe) this.#beforeProbe -= 1;
  }

  probe(nowUs: number): void {
    if (nowUs >= this.#probedUs + latestUs) this.#probes = 0;
    this.#probedUs = nowUs;
    this.#probes += 1;
    this.#beforeProbe = this.#owed.length;
    this.#step('probe');
  }

  /** The probe got no response; `isSilent` if no other bytes were received either. */
  missProbe(isSilent: boolean, nowUs: number, restUs: number): void {
    if (isSilent && this.#answersProbes === 'unknown') this.#answersProbes = 'no';
    this.#rest(nowUs, restUs);
    this.#step('missed');
  }

  /** The caller of the probe cancelled. */
  cancelProbe(): void {
    this.#step('cancelled');
  }

  /** A response to a request sent after all outstanding ones. */
  settle(): void {
    this.#step('settled');
  }

  /** Records a late frame. Returns true if it was outstanding or responds to a probe. */
  hear(answer: ProbeAnswer, bytes: Uint8Array, at: number, length: number): boolean {
    if (answer !== 'none') {
      this.#answersProbes = 'yes';
      this.#hearProbe(answer);
      return true;
    }
    const index = this.#owed.findIndex(
      ({ request }) => decodeResponse(request, bytes, at, length).kind !== 'invalid',
    );
    // A unit responds in order, so older responses will not arrive.
    if (index >= 0) this.#pay(index + 1);
    return index >= 0;
  }

  #hearProbe(answer: ProbeAnswer): void {
    // A refusal belongs to the oldest probe; an echo identifies its own.
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
