import type { Bench } from './bench.ts';
import { BusbarError, NegativeResponse } from './errors.ts';
import type {
  DiagnosticLink,
  DiagnosticResponse,
  FlashReport,
  Job,
  Operations,
  UdsDidValue,
  UdsDtcs,
  UdsSession,
} from './schema.ts';

type Input<Id extends keyof Operations> = Operations[Id]['input'];
type Requests = Pick<Bench, 'call'>;

/** Fields of every response, and the result of a service. */
interface ServiceAnswer<Result> {
  readonly request: string;
  readonly response: string | null;
  readonly positive: boolean | null;
  readonly nrc: number | null;
  readonly nrc_name: string | null;
  readonly result: Result | null;
}

export interface EcuOptions {
  /** Time limit of a whole request, with its pending responses; one minute by default. */
  readonly timeoutMs?: number;
}

export interface EcuRequestOptions {
  readonly functional?: boolean;
  readonly wait?: boolean;
  /** Throw negative responses, which is the default; otherwise return them. */
  readonly check?: boolean;
}

export interface FlashOptions {
  readonly file: string;
  readonly sequence: string;
  /** Address of a .bin file. */
  readonly address?: number;
  readonly onProgress?: (progress: NonNullable<Job['progress']>) => void;
}

/** For the response of the service, which has the time limit itself. */
const marginMs = 5000;
const pollMs = 100;

/**
 * ECU of the bench file, or of a link that was opened. Its link, session and TesterPresent
 * belong to the service, so they outlive the program. A negative response throws
 * `NegativeResponse`.
 */
export class Ecu {
  readonly name: string;
  readonly #bench: Requests;
  readonly #timeoutMs: number;

  constructor(bench: Requests, name: string, { timeoutMs = 60_000 }: EcuOptions = {}) {
    this.#bench = bench;
    this.name = name;
    this.#timeoutMs = timeoutMs;
  }

  /** Link with its settings, session and counters. */
  link(): Promise<DiagnosticLink> {
    return this.#bench.call('isotp.show', { ecu: this.name });
  }

  /** Sends a request, such as `22F190`. */
  async request(
    data: string,
    { check = true, functional = false, wait = true }: EcuRequestOptions = {},
  ): Promise<DiagnosticResponse> {
    const input = { ...this.#to, data, functional, wait };
    const response = await this.#bench.call('uds.request', input, this.#limit);
    if (check && !functional) this.#check(response);
    return response;
  }

  /** Reads data identifiers in one request. */
  async readAll(...dids: string[]): Promise<readonly UdsDidValue[]> {
    const input = { ...this.#to, dids };
    return this.#result(await this.#bench.call('uds.read', input, this.#limit)).values;
  }

  /** Reads a data identifier: its value by the codec, or hex. Null if it has none now. */
  async read(did: string): Promise<string | null> {
    const [value] = await this.readAll(did);
    return value?.value ?? null;
  }

  async write(did: string, value: string | number | bigint): Promise<void> {
    const input = { ...this.#to, did, value: String(value) };
    this.#result(await this.#bench.call('uds.write', input, this.#limit));
  }

  /** Trouble codes, or the records of one. */
  async dtcs(options: Omit<Input<'uds.dtc'>, 'ecu'> = {}): Promise<UdsDtcs> {
    const input = { ...options, ...this.#to };
    return this.#result(await this.#bench.call('uds.dtc', input, this.#limit));
  }

  async clear(group?: string): Promise<void> {
    const input = { ...this.#to, ...(group === undefined ? {} : { group }) };
    this.#result(await this.#bench.call('uds.clear', input, this.#limit));
  }

  /** Changes the session: `extended`, or a number. */
  async session(session: string | number): Promise<UdsSession> {
    const input = { ...this.#to, session };
    return this.#result(await this.#bench.call('uds.session', input, this.#limit));
  }

  async reset(reset: string | number = 'hard'): Promise<void> {
    const input = { ...this.#to, reset };
    this.#result(await this.#bench.call('uds.reset', input, this.#limit));
  }

  /** Unlocks a level with a key, a function of the seed, or `seed_key` of the bench file. */
  async security(
    level: number,
    key?: string | ((seed: string) => string | Promise<string>),
  ): Promise<void> {
    const call = async (given?: string) => {
      const input = { ...this.#to, level, ...(given === undefined ? {} : { key: given }) };
      return this.#result(await this.#bench.call('uds.security', input, this.#limit));
    };
    let { seed, unlocked } = await call(typeof key === 'string' ? key : undefined);
    if (!unlocked && typeof key === 'function') ({ unlocked } = await call(await key(seed ?? '')));
    if (!unlocked) throw new TypeError('The ECU wants a key, and there is none');
  }

  /** Starts or stops a routine or reads its result; returns the bytes after its identifier. */
  async routine(action: Input<'uds.routine'>['action'], routine: string, data?: string) {
    const input = { ...this.#to, action, routine, ...(data === undefined ? {} : { data }) };
    return this.#result(await this.#bench.call('uds.routine', input, this.#limit)).data;
  }

  /** Sends TesterPresent until it is switched off, or the link is closed. */
  testerPresent(enabled = true, periodMs = 2000): Promise<DiagnosticLink> {
    const input = { ecu: this.name, enabled, period_ms: periodMs };
    return this.#bench.call('uds.tester-present', input);
  }

  /** Flashes the ECU and returns the report. The job continues if the program ends. */
  async flash({ onProgress, ...files }: FlashOptions): Promise<FlashReport> {
    let job: Job = await this.#bench.call('uds.flash', { ...files, ecu: this.name });
    for (let shown = ''; ; ) {
      const progress = JSON.stringify(job.progress);
      if (job.progress !== null && progress !== shown) onProgress?.(job.progress);
      shown = progress;
      if (job.finished_at_us !== null) break;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      job = await this.#bench.call('job.show', { job_id: job.job_id });
    }
    if (job.error === null) return job.result as FlashReport;
    const { code, message, details, retryable } = job.error;
    throw new BusbarError(code, message, { details, retryable });
  }

  get #to() {
    return { ecu: this.name, timeout_ms: this.#timeoutMs };
  }

  get #limit() {
    return { timeoutMs: this.#timeoutMs + marginMs };
  }

  #result<Result>(answer: ServiceAnswer<Result>): Result {
    this.#check(answer);
    return answer.result as Result;
  }

  #check({
    positive,
    request,
    response,
    nrc,
    nrc_name: name,
  }: Omit<ServiceAnswer<unknown>, 'result'>) {
    if (positive !== false) return;
    throw new NegativeResponse(this.name, request, response ?? '', nrc ?? 0, name ?? '');
  }
}
