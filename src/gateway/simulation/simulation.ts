import { BusbarError } from '../../base/errors/busbar-error.ts';
import { formatHex, parseHex } from '../../frame/hex-bytes.ts';
import type { LastError } from '../../transmit/record-fields.ts';
import type { CyclicCounts } from '../../transmit/tasks/cyclic-task.ts';
import type { CyclicRun } from '../../transmit/tasks/cyclic-tasks.ts';
import type { ManifestMessage, SimulationManifest } from './manifest.ts';
import type { SimulationMessage, SimulationRecord, SimulationState } from './simulation-record.ts';

interface SimulationParts {
  readonly name: string;
  readonly file: string;
  readonly chargedBytes: number;
  readonly manifest: SimulationManifest;
}

/** Which messages an answer shows. */
export interface MessageRange {
  readonly offset: number;
  readonly limit: number;
}

/** What a message came to in runs that are over; lateness and error are of the last one. */
interface PastMessage extends CyclicCounts {
  readonly maxLatenessUs: number;
  readonly lastError: LastError | null;
}

type Totals = { -readonly [Count in keyof CyclicCounts]: number };

const nothingSent: PastMessage = {
  sent: 0,
  failed: 0,
  missed: 0,
  maxLatenessUs: 0,
  lastError: null,
};

/** Adds to sums in place: there are hundreds of them for each stop and each list. */
const addTo = (totals: Totals, { sent, failed, missed }: CyclicCounts): void => {
  totals.sent += sent;
  totals.failed += failed;
  totals.missed += missed;
};

export const payloadOf = ({ data }: ManifestMessage): Uint8Array =>
  parseHex(data, { field: 'data', maxLength: 8 });

/**
 * The simulation of a manifest and where it is:
 *
 *     loaded ──► starting ──► running ──► stopped
 *       ▲          │ ▲ │                    │ ▲
 *       └─ refused ┘ │ └─────── refused ────┼─┘
 *                    └──────────────────────┘
 *
 * A start that is refused leaves it where it was. Its counters go on over all of its runs. Changed by
 * `src/gateway/runtime/simulation-runs.ts`.
 */
export class Simulation {
  readonly name: string;
  readonly chargedBytes: number;
  readonly manifest: SimulationManifest;
  readonly #file: string;
  #state: SimulationState = 'loaded';
  /** Where a start that is refused returns to. */
  #before: SimulationState = 'loaded';
  #resolved: string | null = null;
  #error: LastError | null = null;
  #run: CyclicRun | undefined;
  #past: readonly PastMessage[];

  constructor({ name, file, chargedBytes, manifest }: SimulationParts) {
    this.name = name;
    this.chargedBytes = chargedBytes;
    this.manifest = manifest;
    this.#file = file;
    this.#past = manifest.messages.map(() => nothingSent);
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Refuses what only a simulation can do that does not run. */
  checkIdle(): void {
    if (this.#state !== 'running' && this.#state !== 'starting') return;
    throw new BusbarError('instance_running', {
      message: `${this.name} is ${this.#state}`,
      details: { field: 'name', instance: this.name, state: this.#state },
    });
  }

  beginStart(): void {
    this.checkIdle();
    this.#before = this.#state;
    this.#state = 'starting';
  }

  refuseStart(): void {
    this.#state = this.#before;
  }

  started(run: CyclicRun, resolved: string): void {
    this.#run = run;
    this.#resolved = resolved;
    this.#error = null;
    this.#state = 'running';
  }

  /** Its run is over, by itself if there is an error. */
  ended(error: LastError | null): void {
    this.#past = this.#past.map((_, place) => this.#messageSoFar(place));
    this.#run?.stop();
    this.#run = undefined;
    this.#error = error;
    this.#state = 'stopped';
  }

  /** `daemonBytes` is what all instances are charged; without a range no messages are shown. */
  record(daemonBytes: number, range: MessageRange = { offset: 0, limit: 0 }): SimulationRecord {
    const { messages } = this.manifest;
    const first = Math.min(range.offset, messages.length);
    const page = messages.slice(first, first + range.limit);
    return {
      name: this.name,
      file: this.#file,
      channel: this.manifest.channel,
      resolved: this.#resolved,
      state: this.#state,
      error: this.#error,
      ...this.#totals(),
      memory_budget_bytes: this.chargedBytes,
      daemon_memory_budget_bytes: daemonBytes,
      message_total: messages.length,
      message_offset: range.offset,
      message_next_offset: first + page.length,
      messages: page.map((message, index) => this.#messageRecord(message, first + index)),
    };
  }

  #totals(): CyclicCounts {
    const totals = { sent: 0, failed: 0, missed: 0 };
    for (const past of this.#past) addTo(totals, past);
    for (const { counts } of this.#run?.tasks ?? []) addTo(totals, counts);
    return totals;
  }

  #messageRecord(message: ManifestMessage, place: number): SimulationMessage {
    const { id, extended, period_ms } = message;
    const { sent, failed, missed, maxLatenessUs, lastError } = this.#messageSoFar(place);
    return {
      id,
      extended,
      data: formatHex(payloadOf(message)),
      period_ms,
      sent,
      failed,
      missed,
      max_lateness_us: maxLatenessUs,
      last_error: lastError,
    };
  }

  #messageSoFar(place: number): PastMessage {
    const past = this.#past[place] ?? nothingSent;
    const task = this.#run?.tasks[place];
    if (!task) return past;
    const { sent, failed, missed } = task.counts;
    return {
      sent: past.sent + sent,
      failed: past.failed + failed,
      missed: past.missed + missed,
      maxLatenessUs: task.maxLatenessUs,
      lastError: task.lastError,
    };
  }
}
