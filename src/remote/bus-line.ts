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
 * A thread that could not run for a while hears of many frames in succession, and each makes room
 * for the next. As many as the queue of a port has are as much as it would hear of at once anyway.
 */
const mostInSuccession = 1024;

/**
 * The way of peers' frames onto one channel. They go at once while the channel takes them, and wait
 * in order while it is full; those that the log has no more room for are dropped, the oldest first.
 * What the channel refuses for another reason is gone, so that nothing stale is sent once that
 * reason is.
 *
 * What a port has taken cannot be had back, and would go out however old it became meanwhile. So
 * where age is limited the port has one frame of ours at a time, and gets the next at the very
 * moment at which that one is through, which leaves no pause on the bus.
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
  /** Outcomes until the frame that the port has of ours is through; 0 if it has none. */
  #ahead = 0;
  /** When that frame came. */
  #arrivedUs = 0;
  /** Frames that may still be handed over, one upon another, before there is a turn again. */
  #left = mostInSuccession;
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
    this.#turnTask = scheduler.createTask('remote to bus', (nowUs) => {
      this.#left = mostInSuccession;
      this.serve(nowUs);
    });
    const stopOutcomes = channel.onOutcome((isSent) => this.#outcome(isSent));
    const stopInterruptions = channel.onInterrupted((why) => {
      if (why !== 'closed') {
        this.#retry();
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

  /** Hears of everything that happened on the bus by now: frames that come cannot go out before. */
  catchUp(): void {
    if (this.#isOpen) void this.channel.pending;
  }

  /** Hands over what the channel takes; the rest follows by itself. */
  serve(nowUs: number): undefined {
    // Sending can report outcomes: the loop will see to what they made possible.
    if (this.#serving || !this.#mayGoOn) return;
    this.#serving = true;
    this.#leaveOut(nowUs);
    for (let left = this.#framesPerTurn; left > 0 && this.#mayGoOn; left--) this.#serveNext();
    this.#serving = false;
    if (this.#left === 0 || this.#mayGoOn) this.#turnTask.scheduleAt(nowUs);
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
    // It is the port's now.
    if (this.#ahead > 0) this.#sent++;
    this.#ahead = 0;
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
      queued: this.#isOpen ? this.#log.head - this.#next + (this.#ahead > 0 ? 1 : 0) : 0,
    };
  }

  get #mayGoOn(): boolean {
    return this.#isOpen && !this.#blocked && this.#ahead === 0 && this.#next < this.#log.head;
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
    if (result === 'accepted') this.#accepted(this.#next - 1);
    else this.#refused[result] = (this.#refused[result] ?? 0) + 1;
  }

  #accepted(index: number): void {
    if (this.#maxAgeUs === Number.POSITIVE_INFINITY) {
      this.#sent++;
      return;
    }
    this.#arrivedUs = this.#log.arrivedUsAt(index);
    this.#ahead = this.channel.pending;
    // It was quick: nobody listened for its outcome yet.
    if (this.#ahead === 0) this.#finish(true);
  }

  /** The frame that the port had is through. */
  #finish(isSent: boolean): void {
    this.#ahead = 0;
    const ageUs = this.#clock.monotonicUs() - this.#arrivedUs;
    if (!isSent && ageUs >= this.#maxAgeUs) this.#expired++;
    else this.#sent++;
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
        log.arrivedUsAt(index) + this.#maxAgeUs,
      );
    } catch {
      // One frame is not worth the daemon; the driver has told its own story.
      return 'hardware_error';
    }
  }

  #outcome(isSent: boolean): void {
    if (this.#ahead > 0) this.#countDown(isSent);
    this.#retry();
  }

  /** There may be room again. */
  #retry(): void {
    this.#outcomes++;
    if (!this.#blocked || this.#serving) return;
    this.#blocked = false;
    // Outcomes come in bunches; one turn then uses all the room they made.
    this.#turnTask.scheduleAt(this.#clock.monotonicUs());
  }

  /** Frames of others are ahead of ours; several may be given up at once. */
  #countDown(isSent: boolean): void {
    this.#ahead = Math.min(this.#ahead - 1, this.channel.pending);
    if (this.#ahead > 0) return;
    this.#finish(isSent);
    if (this.#serving || this.#left === 0) return;
    this.#left--;
    this.serve(this.#clock.monotonicUs());
  }
}
