import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler } from '../../base/schedule/scheduler.ts';
import { problemAt } from '../../base/schema/schema-problems.ts';
import type { BenchSource } from '../../bench/channel-table.ts';
import type { SeedKey } from '../../bench/ecu-entry.ts';
import { inFile, invalidFile } from '../diagnostics-file.ts';
import { type FlashAction, FlashPlan, type FlashProgress } from '../flash-plan.ts';
import type { FlashSequence } from '../flash-sequence.ts';
import type { Image } from '../image.ts';
import type { Answer } from './active-request.ts';
import type { DiagnosticLink } from './diagnostic-link.ts';
import type { DiagnosticLinks } from './diagnostic-links.ts';
import type { FlashReport } from './flash-record.ts';

export interface FlashRequest {
  readonly ecu: string;
  readonly file: string;
  readonly sequence: string;
  readonly address?: number | undefined;
}

/** What a sequence needs from files, read by another thread. */
export interface FlashFiles {
  readonly image: Image;
  readonly sequence: FlashSequence;
}

export interface FlashOptions {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly links: DiagnosticLinks;
  readonly readFiles: (request: FlashRequest) => Promise<FlashFiles>;
  readonly keyOf: (seedKey: SeedKey, level: number, seed: Uint8Array) => Promise<Uint8Array>;
}

const cancelled = (): BusbarError =>
  new BusbarError('operation_cancelled', {
    message: 'The job was cancelled',
    details: { cancelled: true, reason: 'job_cancelled' },
  });

/** Refuses a sequence that unlocks a level without a key, before it erases anything. */
const checkKeys = ({ steps }: FlashSequence, { ecu, seedKey }: DiagnosticLink): void => {
  if (seedKey) return;
  const problems = steps.flatMap((step, index) =>
    step.step === 'security' && step.key === undefined
      ? [problemAt(['steps', index, 'key'], `is required, as ${ecu} has no seed_key`)]
      : [],
  );
  if (problems.length > 0) throw invalidFile(problems);
};

const unanswered: readonly string[] = [
  'no_response',
  'response_pending_timeout',
  'unexpected_response',
];

const isUnanswered = (thrown: unknown): boolean =>
  thrown instanceof BusbarError && unanswered.includes(thrown.code);

/** Collects what a report says of each step. */
class Steps {
  readonly #steps: { name: string; requests: number; startUs: number; endUs: number }[] = [];
  #last = 0;
  requests = 0;

  begin({ step, name }: FlashProgress, nowUs: number): void {
    const current = this.#steps.at(-1);
    if (current) current.endUs = nowUs;
    if (step === this.#last) return;
    this.#last = step;
    this.#steps.push({ name, requests: 0, startUs: nowUs, endUs: nowUs });
  }

  count(): void {
    this.requests += 1;
    const current = this.#steps.at(-1);
    if (current) current.requests += 1;
  }

  get report(): FlashReport['steps'] {
    return this.#steps.map(({ name, requests, startUs, endUs }) => ({
      name,
      requests,
      duration_us: Math.round(endUs - startUs),
    }));
  }
}

/** Flashes an ECU: the requests of a sequence and an image, which no other request interrupts. */
export class FlashRuns {
  readonly #options: FlashOptions;

  constructor(options: FlashOptions) {
    this.#options = options;
  }

  /** Fails before a job is made if there is no such ECU. */
  async prepare({ ecu }: FlashRequest, bench: BenchSource): Promise<void> {
    await this.#options.links.use(ecu, bench);
  }

  async run(
    request: FlashRequest,
    bench: BenchSource,
    signal: AbortSignal,
    report: (progress: FlashProgress) => void,
  ): Promise<FlashReport> {
    const { links, readFiles } = this.#options;
    const { image, sequence } = await readFiles(request);
    const link = await links.use(request.ecu, bench);
    const plan = inFile('sequence', request.sequence, () => {
      checkKeys(sequence, link);
      return new FlashPlan(sequence, image);
    });
    const run = link.take(async () => {
      const leave = (): void => link.abandon(cancelled());
      signal.addEventListener('abort', leave);
      try {
        return await this.#flash(link, plan, request, image, signal, report);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    }, signal);
    return run.catch((thrown: unknown) => {
      throw signal.aborted ? cancelled() : thrown;
    });
  }

  async #flash(
    link: DiagnosticLink,
    plan: FlashPlan,
    { ecu, file, sequence }: FlashRequest,
    { segments }: Image,
    signal: AbortSignal,
    report: (progress: FlashProgress) => void,
  ): Promise<FlashReport> {
    const { clock } = this.#options;
    const startUs = clock.monotonicUs();
    const steps = new Steps();
    let pending = 0;
    let outcome: Uint8Array | null = null;
    for (;;) {
      if (signal.aborted) throw cancelled();
      link.interruption.throwIfAborted();
      const action = plan.next(outcome);
      const { progress } = plan;
      steps.begin(progress, clock.monotonicUs());
      report(progress);
      if (action === null) break;
      if (action.kind === 'request') {
        steps.count();
        const answer = await this.#ask(link, action);
        pending += answer?.pending ?? 0;
        outcome = answer?.response?.payload ?? null;
      } else outcome = await this.#other(link, action, signal);
    }
    return {
      ecu,
      file,
      sequence,
      bytes: plan.progress.bytes,
      segments: segments.map(({ address, data }) => ({ address, size: data.length })),
      requests: steps.requests,
      pending,
      duration_us: Math.round(clock.monotonicUs() - startUs),
      steps: steps.report,
    };
  }

  /** Null if the ECU does not answer a request of an optional step. */
  async #ask(
    link: DiagnosticLink,
    { request, functional, optional }: Extract<FlashAction, { kind: 'request' }>,
  ): Promise<Answer | null> {
    try {
      return await link.ask(request, { functional });
    } catch (thrown) {
      if (optional && isUnanswered(thrown)) return null;
      throw thrown;
    }
  }

  async #other(
    link: DiagnosticLink,
    action: Exclude<FlashAction, { kind: 'request' }>,
    signal: AbortSignal,
  ): Promise<Uint8Array | null> {
    if (action.kind === 'key') {
      return this.#options.keyOf(link.seedKey as SeedKey, action.level, action.seed);
    }
    await this.#wait(action.us, AbortSignal.any([signal, link.interruption]));
    return null;
  }

  #wait(us: number, signal: AbortSignal): Promise<void> {
    const { clock, scheduler } = this.#options;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        task.cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const task = scheduler.createTask('flash wait', () => {
        end();
        return undefined;
      });
      signal.addEventListener('abort', end);
      task.scheduleAt(clock.monotonicUs() + us);
    });
  }
}
