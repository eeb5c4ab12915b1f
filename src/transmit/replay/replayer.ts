import type { Clock } from '../../base/clock/clock.ts';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { Scheduler, Task } from '../../base/schedule/scheduler.ts';
import { framesPerTurn } from '../batch-send.ts';
import type { SendChannel } from '../send-channel.ts';
import { ReplayCounts, type SkipReason } from './replay-counts.ts';
import { ReplayCursor } from './replay-cursor.ts';
import { ReplaySender } from './replay-sender.ts';
import { ReplayTimeline } from './replay-timeline.ts';
import { rowChannel, type TraceStream } from './trace-stream.ts';

/** Events due this soon are sent together, because another wake-up would take longer. */
export const earlyUs = 50;

/** Time that the last LIN responses wait for a header, at any speed. */
export const answerGraceUs = 1_000_000;

const skipCost = 1 / 16;

const soon = Number.NEGATIVE_INFINITY;

export interface ReplaySettings {
  /** In the order of the mappings. */
  readonly targets: readonly SendChannel[];
  readonly speed: number;
  readonly startOffsetUs: number;
  /** Time from the last event of a lap to the first of the next, at any speed. */
  readonly pauseUs: number;
}

export interface ReplayerParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly stream: TraceStream;
  readonly plan: ReplaySettings;
  /** Called once; without an error if all events were played or the replay was stopped. */
  readonly onEnd: (error: BusbarError | null) => void;
}

const channelClosed = ({ selector }: SendChannel): BusbarError =>
  new BusbarError('channel_not_open', {
    message: `${selector} was closed during the replay`,
    details: { reason: 'channel_closed', channel: selector },
  });

/**
 * Sends the events of a trace at their due times. A channel that lags queues its events while
 * others continue, until its backlog is full.
 */
export class Replayer {
  readonly counts: ReplayCounts;
  readonly cursor: ReplayCursor;
  readonly #clock: Clock;
  readonly #onEnd: ReplayerParts['onEnd'];
  readonly #scheduler: Scheduler;
  readonly #task: Task;
  readonly #senders = new Map<SendChannel, ReplaySender>();
  /** By the channel of a row; none for rows of channels that are not mapped. */
  readonly #targets: readonly (ReplaySender | undefined)[];
  #isOver = false;
  #isServing = false;
  #graceEndUs = Number.NaN;
  #isStarving = true;
  #failure: BusbarError | undefined;

  constructor({ clock, scheduler, stream, plan, onEnd }: ReplayerParts) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.counts = new ReplayCounts(clock);
    this.#scheduler = scheduler;
    this.#task = scheduler.createTask('replay', () => this.#turn());
    const timeline = new ReplayTimeline(plan.speed, plan.startOffsetUs, plan.pauseUs);
    this.cursor = new ReplayCursor(stream, timeline, {
      onPage: () => {
        if (this.#isStarving) this.#wake();
      },
      onFailure: (error) => {
        this.#failure = error;
        this.#wake();
      },
    });
    this.#targets = [undefined, ...plan.targets.map((channel) => this.#senderOf(channel))];
  }

  start(): void {
    if (!this.#isOver) this.cursor.start();
  }

  stop(): void {
    this.#end(null);
  }

  #senderOf(channel: SendChannel): ReplaySender {
    let sender = this.#senders.get(channel);
    if (!sender) {
      sender = new ReplaySender(channel, this.counts, this.#scheduler, {
        onRoom: () => this.#wake(),
        onClosed: () => this.#end(channelClosed(channel)),
      });
      this.#senders.set(channel, sender);
    }
    return sender;
  }

  #wake(): void {
    // A running turn checks at its end.
    if (this.#isOver || this.#isServing) return;
    this.#task.resume();
  }

  #turn(): undefined {
    this.#isServing = true;
    this.#isStarving = false;
    let resumeUs = Number.POSITIVE_INFINITY;
    try {
      resumeUs = this.#serve();
    } catch (thrown) {
      this.#end(BusbarError.from(thrown));
    }
    this.#isServing = false;
    if (this.#isOver) return;
    if (resumeUs === soon || this.#canFlush()) this.#task.resume();
    else this.#task.scheduleAt(resumeUs);
  }

  #canFlush(): boolean {
    for (const sender of this.#senders.values()) if (sender.canContinue) return true;
    return false;
  }

  /**
   * Sends due events until another deadline is due. Returns the time to continue: Infinity if a
   * page or room is needed first.
   */
  #serve(): number {
    let left = framesPerTurn;
    for (const sender of this.#senders.values()) left -= sender.flush(left);
    while (left > 0 && !this.#isOver) {
      const nowUs = this.#clock.monotonicUs();
      if (left < framesPerTurn && this.#scheduler.nextDeadlineUs <= nowUs) break;
      const next = this.cursor.look(nowUs);
      if (next === 'nothing') return this.#starve();
      const sender = next === 'event' ? this.#targets[this.cursor.channel] : undefined;
      if (sender) {
        const { batch, row, dueUs, ownDueUs } = this.cursor;
        if (dueUs > nowUs + earlyUs) return dueUs;
        if (sender.isFull) return Number.POSITIVE_INFINITY;
        this.cursor.pass(nowUs);
        sender.take(batch, row, ownDueUs);
        left -= 1;
      } else if (next === 'event' || next === 'before_offset') {
        this.counts.skip(next === 'event' ? this.#exclusion() : next);
        this.cursor.pass(nowUs);
        left -= skipCost;
      } else {
        if (this.cursor.dueUs > nowUs) return this.cursor.dueUs;
        if (next === 'end') return this.#finish(nowUs);
        this.cursor.pass(nowUs);
        left -= 1;
      }
    }
    return soon;
  }

  #exclusion(): SkipReason {
    return this.cursor.channel === rowChannel.filtered ? 'filtered' : 'unmapped_channel';
  }

  #starve(): number {
    this.#isStarving = true;
    if (this.#failure && this.#isDrained()) this.#end(this.#failure);
    return Number.POSITIVE_INFINITY;
  }

  #finish(nowUs: number): number {
    if (!this.#isDrained()) return Number.POSITIVE_INFINITY;
    if (Number.isNaN(this.#graceEndUs)) {
      this.#graceEndUs = this.#isAnswering() ? nowUs + answerGraceUs : nowUs;
    }
    if (this.#graceEndUs > nowUs) return this.#graceEndUs;
    this.cursor.finish();
    this.#end(null);
    return Number.POSITIVE_INFINITY;
  }

  #isAnswering(): boolean {
    for (const sender of this.#senders.values()) if (sender.isAnswering) return true;
    return false;
  }

  #isDrained(): boolean {
    for (const sender of this.#senders.values()) if (!sender.isEmpty) return false;
    return true;
  }

  #end(error: BusbarError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#task.cancel();
    this.cursor.stop();
    for (const sender of this.#senders.values()) sender.end();
    this.#onEnd(error);
  }
}
