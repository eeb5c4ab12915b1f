import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { FrameLog } from './frame-log.ts';
import type { ForwardChannel } from './ports.ts';
import type { RemoteChannelRecord } from './remote-record.ts';

export interface BusLineOptions {
  readonly channel: ForwardChannel;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The frames of the peers, for all channels. */
  readonly log: FrameLog;
  /** Frames that have waited longer are not sent any more. */
  readonly maxAgeUs: number;
  /** Frames handed to the channel at a stretch, so that the thread is never held for long. */
  readonly framesPerTurn: number;
  /** Told before the channel goes away. */
  readonly onClosed: () => void;
}

/**
 * The way of peers' frames onto one channel. They go at once while the channel takes them, and wait
 * in order while it is full; those that the log has no more room for are dropped, the oldest first.
 * What the channel refuses for another reason is gone, so that nothing stale is sent once that
 * reason is.
 */
export class BusLine {
  readonly channel: ForwardChannel;
  readonly #clock: Clock;
  readonly #log: FrameLog;
  readonly #maxAgeUs: number;
  readonly #framesPerTurn: number;
  readonly #turnTask: Task;
  readonly #stopListening: () => void;
  readonly #refused: Record<string, number> = {};
  /** Index of the next frame to send. */
  #next: number;
  #isOpen = true;
  #sent = 0;
  #dropped = 0;
  #expired = 0;
  #serving = false;
  /** The channel is full: nothing is tried before the next outcome. */
  #blocked = false;
  #outcomes = 0;

  constructor(options: BusLineOptions) {
    const { channel, scheduler, log } = options;
    this.channel = channel;
    this.#clock = options.clock;
    this.#log = log;
    this.#next = log.head;
    this.#maxAgeUs = options.maxAgeUs;
    this.#framesPerTurn = options.framesPerTurn;
    this.#turnTask = scheduler.createTask('remote to bus', (nowUs) => this.serve(nowUs));
    const stopOutcomes = channel.onOutcome(() => this.#outcome());
    const stopInterruptions = channel.onInterrupted((why) => {
      if (why !== 'closed') {
        this.#outcome();
        return;
      }
      this.close();
      options.onClosed();
    });
    this.#stopListening = () => {
      stopOutcomes();
      stopInterruptions();
    };
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Hands over what the channel takes; the rest follows by itself. */
  serve(nowUs: number): undefined {
    // Sending can report outcomes: the loop will see to what they made possible.
    if (this.#serving || this.#blocked || !this.#isOpen) return;
    this.#serving = true;
    this.#leaveOut(nowUs);
    for (let left = this.#framesPerTurn; left > 0 && this.#mayGoOn; left--) this.#serveNext();
    this.#serving = false;
    if (this.#mayGoOn) this.#turnTask.scheduleAt(nowUs);
  }

  /** Frames came that were stale already. */
  expire(frames: number): void {
    if (this.#isOpen) this.#expired += frames;
  }

  /** Ends it. What still waits is dropped. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopListening();
    this.#turnTask.cancel();
    this.#dropped += this.#log.head - this.#next;
  }

  record(): RemoteChannelRecord {
    if (this.#isOpen && !this.#serving) this.#leaveOut(this.#clock.monotonicUs());
    return {
      selector: this.channel.selector,
      slot: this.channel.slot,
      open: this.#isOpen,
      sent: this.#sent,
      refused: { ...this.#refused },
      dropped: this.#dropped,
      expired: this.#expired,
      queued: this.#isOpen ? this.#log.head - this.#next : 0,
    };
  }

  get #mayGoOn(): boolean {
    return this.#isOpen && !this.#blocked && this.#next < this.#log.head;
  }

  /** Goes on behind what is overwritten and what is stale. */
  #leaveOut(nowUs: number): void {
    const kept = Math.max(this.#next, this.#log.oldest);
    const fresh = this.#log.firstSince(nowUs - this.#maxAgeUs, kept);
    this.#dropped += kept - this.#next;
    this.#expired += fresh - kept;
    this.#next = fresh;
  }

  #serveNext(): void {
    const outcomesBefore = this.#outcomes;
    const result = this.#send(this.#next);
    // Whoever hears of the frame may have closed the channel, and with it dropped the rest.
    if (!this.#isOpen) return;
    if (result === 'full') {
      this.#blocked = this.#outcomes === outcomesBefore;
      return;
    }
    this.#next++;
    if (result === 'accepted') this.#sent++;
    else this.#refused[result] = (this.#refused[result] ?? 0) + 1;
  }

  #send(index: number): string {
    const log = this.#log;
    try {
      return this.channel.send(
        log.idAt(index),
        log.flagsAt(index),
        log.dlcAt(index),
        log.data,
        log.dataAt(index),
        log.lengthAt(index),
      );
    } catch {
      // One frame is not worth the daemon; the driver has told its own story.
      return 'hardware_error';
    }
  }

  #outcome(): void {
    this.#outcomes++;
    if (!this.#blocked || this.#serving) return;
    this.#blocked = false;
    // Outcomes come in bunches; one turn then uses all the room they made.
    this.#turnTask.scheduleAt(this.#clock.monotonicUs());
  }
}
