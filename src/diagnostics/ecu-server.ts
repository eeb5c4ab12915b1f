import { parseHex } from '../frame/hex-bytes.ts';
import { uint16At, uintBytes } from './big-endian.ts';
import { type Conditions, EcuDids, maxResponse, type SignalReader } from './ecu-dids.ts';
import { EcuDtcs } from './ecu-dtcs.ts';
import { EcuMemory } from './ecu-memory.ts';
import type { EcuFault, EcuModel } from './ecu-model.ts';
import { EcuSecurity } from './ecu-security.ts';
import { isSilentWhenFunctional, nrc } from './nrc.ts';
import {
  hasSubFunction,
  isSuppressed,
  negativeResponse,
  responseBit,
  sid,
  suppressBit,
} from './services.ts';

/** A fault of one frame of a response, which the link applies. */
export interface FrameFault {
  readonly kind: 'drop' | 'delay' | 'sequence';
  /** From 1. */
  readonly frame: number;
  readonly delayUs: number;
}

export interface EcuResponse {
  readonly payload: Uint8Array;
  readonly atUs: number;
  readonly faults: readonly FrameFault[];
}

export interface EcuServerOptions {
  readonly model: EcuModel;
  readonly readSignal: SignalReader;
}

const never = Number.POSITIVE_INFINITY;
const defaultSession = 1;

/** Services that need another session than the default one. */
const notInDefault: ReadonlySet<number> = new Set([
  sid.security,
  sid.communication,
  sid.ioControl,
  sid.download,
  sid.transfer,
  sid.transferExit,
  sid.dtcSetting,
]);

const supported: ReadonlySet<number> = new Set(Object.values(sid));

/** Sub-functions of services that have few. */
const subFunctions: Readonly<Record<number, readonly number[]>> = {
  [sid.reset]: [1, 2, 3],
  [sid.communication]: [0, 1, 2, 3],
  [sid.routine]: [1, 2, 3],
  [sid.testerPresent]: [0],
  [sid.dtcSetting]: [1, 2],
};

/** Share of P2 and P2* after which 0x78 is sent, so that it is in time for the client. */
const pendingShare = 0.8;

const refusal = (request: Uint8Array, code: number): Uint8Array =>
  Uint8Array.of(negativeResponse, request[0] as number, code);

const standardSessions: NonNullable<EcuModel['sessions']> = { '1': {}, '2': {}, '3': {} };

/** A positive response that is ready after a duration. */
interface Slow {
  readonly payload: Uint8Array;
  readonly durationUs: number;
}

type Reply = Uint8Array | Slow | number;

type Routine = NonNullable<EcuModel['routines']>[string];

interface Work {
  readonly request: Uint8Array;
  readonly payload: Uint8Array;
  readonly endUs: number;
  /** Time of the next 0x78. */
  pendingUs: number;
  isAnnounced: boolean;
}

/**
 * A UDS server. One request is processed at a time; a response that takes longer than P2 is
 * announced by 0x78.
 *
 *     state    input                     next state, response
 *     idle     request                   idle, response now
 *              start of a long routine   working
 *     working  P2, then P2* nearly over  working, 0x78
 *              time of the routine over  idle, response
 *              request                   working, 0x21; TesterPresent without response: none
 *
 * Requests without a response restart S3, too; it does not run while working.
 */
export class EcuServer {
  session = defaultSession;
  readonly #options: EcuServerOptions;
  readonly #sessions: NonNullable<EcuModel['sessions']>;
  readonly #dids: EcuDids;
  readonly #dtcs: EcuDtcs;
  readonly #security: EcuSecurity;
  readonly #memory: EcuMemory | null;
  readonly #routines: ReadonlyMap<number, Routine>;
  readonly #started = new Set<number>();
  /** Responses that each fault still affects. */
  readonly #faultsLeft: number[];
  readonly #responses: EcuResponse[] = [];
  #work: Work | null = null;
  #s3EndUs = never;

  constructor(options: EcuServerOptions) {
    const { model, readSignal } = options;
    this.#options = options;
    this.#sessions = { '1': {}, ...(model.sessions ?? standardSessions) };
    this.#dids = new EcuDids(model.dids, readSignal);
    this.#dtcs = new EcuDtcs(model.dtcs);
    this.#security = new EcuSecurity(model.security);
    this.#routines = new Map(
      Object.entries(model.routines ?? {}).map(([id, each]) => [Number.parseInt(id, 16), each]),
    );
    this.#memory = model.memory === undefined ? null : new EcuMemory(model.memory);
    this.#faultsLeft = (model.faults ?? []).map(({ count = 0 }) => (count === 0 ? never : count));
  }

  get securityLevel(): number {
    return this.#security.unlocked;
  }

  /** Responses that each fault of the model still affects; null for all. */
  get faultsLeft(): readonly (number | null)[] {
    return this.#faultsLeft.map((left) => (left === never ? null : Math.max(0, left)));
  }

  /** Bytes of the memory; null without. */
  get memory(): Uint8Array | null {
    return this.#memory?.bytes ?? null;
  }

  /** Time of the next `expire`; Infinity if none. */
  get deadlineUs(): number {
    return this.#work === null ? this.#s3EndUs : Math.min(this.#work.endUs, this.#work.pendingUs);
  }

  /** The next response to be sent. */
  takeResponse(): EcuResponse | null {
    return this.#responses.shift() ?? null;
  }

  /** A request was received. Its bytes are copied. */
  request(payload: Uint8Array, functional: boolean, nowUs: number): void {
    if (payload.length === 0) return;
    this.expire(nowUs);
    const isQuiet = isSuppressed(payload);
    if (this.#work !== null) {
      const isKeepAlive = payload[0] === sid.testerPresent && isQuiet;
      if (!isKeepAlive) this.#refuse(payload, nrc.busyRepeatRequest, functional, nowUs);
      return;
    }
    const reply = this.#serve(payload, nowUs);
    if (typeof reply === 'number') this.#refuse(payload, reply, functional, nowUs);
    else if (!(reply instanceof Uint8Array)) this.#begin(payload.slice(), reply, nowUs);
    else if (!isQuiet) this.#respond(payload, reply, nowUs);
    this.#restartS3(nowUs);
  }

  /** A deadline may have passed. */
  expire(nowUs: number): void {
    const work = this.#work;
    if (work === null) {
      if (nowUs >= this.#s3EndUs) this.#enter(defaultSession);
      return;
    }
    // After a late alarm both can be due.
    if (nowUs >= work.pendingUs && work.pendingUs < work.endUs) this.#announce(work, nowUs);
    if (nowUs >= work.endUs) this.#finish(work, nowUs);
  }

  get #p2Us(): number {
    return (this.#sessions[String(this.session)]?.p2_ms ?? 50) * 1000;
  }

  get #p2StarUs(): number {
    return (this.#sessions[String(this.session)]?.p2_star_ms ?? 5000) * 1000;
  }

  #begin(request: Uint8Array, { payload, durationUs }: Slow, nowUs: number): void {
    const pendingUs = nowUs + pendingShare * this.#p2Us;
    this.#work = { request, payload, endUs: nowUs + durationUs, pendingUs, isAnnounced: false };
    this.#s3EndUs = never;
  }

  #announce(work: Work, nowUs: number): void {
    work.isAnnounced = true;
    work.pendingUs = nowUs + pendingShare * this.#p2StarUs;
    this.#push(refusal(work.request, nrc.responsePending), nowUs);
  }

  #finish({ request, payload, isAnnounced }: Work, nowUs: number): void {
    this.#work = null;
    // After 0x78, the response is sent in any case.
    if (isAnnounced || !isSuppressed(request)) this.#respond(request, payload, nowUs);
    this.#restartS3(nowUs);
  }

  #restartS3(nowUs: number): void {
    if (this.#work !== null || this.session === defaultSession) {
      this.#s3EndUs = never;
      return;
    }
    const { s3_ms: s3Ms = 5000 } = this.#sessions[String(this.session)] ?? {};
    this.#s3EndUs = nowUs + s3Ms * 1000;
  }

  #enter(session: number): void {
    this.session = session;
    this.#s3EndUs = never;
    this.#security.lock();
    this.#memory?.abort();
    this.#dids.release();
  }

  /** The checks of a server in their order: service, session, sub-function, then its own. */
  #serve(request: Uint8Array, nowUs: number): Reply {
    const service = request[0] as number;
    if (!supported.has(service) || this.#lacks(service)) return nrc.serviceNotSupported;
    if (this.session === defaultSession && notInDefault.has(service)) {
      return nrc.serviceNotInSession;
    }
    if (!hasSubFunction(service)) return this.#serveData(request);
    if (request.length < 2) return nrc.incorrectLength;
    const plain = request.slice();
    plain[1] = (plain[1] as number) & ~suppressBit;
    const known = subFunctions[service];
    if (known !== undefined && !known.includes(plain[1])) return nrc.subFunctionNotSupported;
    return this.#serveFunction(plain, nowUs);
  }

  #lacks(service: number): boolean {
    switch (service) {
      case sid.readMemory:
      case sid.writeMemory:
      case sid.download:
      case sid.transfer:
      case sid.transferExit:
        return this.#memory === null;
      case sid.upload:
        return true;
      case sid.security:
        return Object.keys(this.#options.model.security ?? {}).length === 0;
      default:
        return false;
    }
  }

  #serveData(request: Uint8Array): Reply {
    const refuse = (conditions: Conditions): number | null =>
      this.#unmet(conditions, nrc.requestOutOfRange);
    switch (request[0]) {
      case sid.clearDtcs:
        return this.#dtcs.clear(request);
      case sid.readDids:
        return this.#dids.read(request);
      case sid.writeDid:
        return this.#dids.write(request, refuse);
      case sid.ioControl:
        return this.#dids.control(request, refuse);
      default: {
        const { memory } = this.#options.model;
        const unmet = this.#unmet(memory ?? {}, nrc.serviceNotInSession);
        return unmet ?? this.#memory?.request(request) ?? nrc.serviceNotSupported;
      }
    }
  }

  #serveFunction(request: Uint8Array, nowUs: number): Reply {
    const [service, subFunction] = request as Uint8Array & [number, number];
    const response = Uint8Array.of(service | responseBit, subFunction);
    switch (service) {
      case sid.session:
        return this.#changeSession(request);
      case sid.reset:
        if (request.length !== 2) return nrc.incorrectLength;
        this.#enter(defaultSession);
        this.#started.clear();
        return response;
      case sid.readDtcs:
        return this.#dtcs.read(request);
      case sid.security:
        return this.#security.request(request, nowUs);
      case sid.routine:
        return this.#runRoutine(request);
      case sid.communication:
        return request.length === 3 ? response : nrc.incorrectLength;
      case sid.dtcSetting:
        return response;
      default:
        return request.length === 2 ? response : nrc.incorrectLength;
    }
  }

  #changeSession(request: Uint8Array): Reply {
    const session = request[1] as number;
    if (this.#sessions[String(session)] === undefined) return nrc.subFunctionNotSupported;
    if (request.length !== 2) return nrc.incorrectLength;
    this.#enter(session);
    const times = [...uintBytes(this.#p2Us / 1000, 2), ...uintBytes(this.#p2StarUs / 10_000, 2)];
    return Uint8Array.of(sid.session | responseBit, session, ...times);
  }

  #runRoutine(request: Uint8Array): Reply {
    if (request.length < 4) return nrc.incorrectLength;
    const id = uint16At(request, 2);
    const routine = this.#routines.get(id);
    if (routine === undefined) return nrc.requestOutOfRange;
    const unmet = this.#unmet(routine, nrc.requestOutOfRange);
    if (unmet !== null) return unmet;
    const { result = '', duration_ms: durationMs = 0 } = routine;
    const bytes = parseHex(result, { field: 'result', maxLength: maxResponse });
    const payload = Uint8Array.of(sid.routine | responseBit, ...request.subarray(1, 4), ...bytes);
    if (request[1] !== 1) return this.#started.has(id) ? payload : nrc.requestSequenceError;
    this.#started.add(id);
    return durationMs === 0 ? payload : { payload, durationUs: durationMs * 1000 };
  }

  /** The code of a condition that is not met. */
  #unmet({ security, sessions }: Conditions, wrongSession: number): number | null {
    if (sessions !== undefined && !sessions.includes(this.session)) return wrongSession;
    const isLocked = security !== undefined && this.#security.unlocked !== security;
    return isLocked ? nrc.securityAccessDenied : null;
  }

  #refuse(request: Uint8Array, code: number, functional: boolean, nowUs: number): void {
    if (functional && isSilentWhenFunctional(code)) return;
    this.#respond(request, refusal(request, code), nowUs);
  }

  /** Sends a final response with the faults that apply to it. */
  #respond(request: Uint8Array, payload: Uint8Array, nowUs: number): void {
    const frames: FrameFault[] = [];
    let sent: Uint8Array | null =
      payload.length > maxResponse ? refusal(request, nrc.responseTooLong) : payload;
    for (const fault of this.#useFaults()) {
      const {
        kind,
        frame = 1,
        delay_us: delayUs = 0,
        nrc: code = nrc.conditionsNotCorrect,
      } = fault;
      if (kind === 'silent') sent = null;
      else if (kind === 'silent_after_pending') sent = refusal(request, nrc.responsePending);
      else if (kind === 'nrc') sent = refusal(request, code);
      else frames.push({ kind, frame, delayUs });
    }
    if (sent !== null) this.#push(sent, nowUs, frames);
  }

  #useFaults(): EcuFault[] {
    return (this.#options.model.faults ?? []).filter((_, index) => {
      const left = this.#faultsLeft[index] as number;
      this.#faultsLeft[index] = left - 1;
      return left > 0;
    });
  }

  #push(payload: Uint8Array, atUs: number, faults: readonly FrameFault[] = []): void {
    this.#responses.push({ payload, atUs, faults });
  }
}
