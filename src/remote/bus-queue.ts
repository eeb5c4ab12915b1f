import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { FrameLog } from './frame-log.ts';
import type { ForwardChannel, ForwardLane, ForwardLaneOwner } from './ports.ts';
import type { RemoteChannelRecord } from './remote-record.ts';

export interface BusQueueOptions {
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
 *
 * A port cannot always give back what it has taken, and would send it however old it became. So where
 * age is limited the channel has one frame of ours at a time.
 */
export class BusQueue implements ForwardLaneOwner {
  readonly channel: ForwardChannel;
  readonly #clock: Clock;
  readonly #log: FrameLog;
  readonly #maxAgeUs: number;
  readonly #framesPerTurn: number;
  readonly #turnTask: Task;
  readonly #lane: ForwardLane;
  readonly #stopListening: () => void;
  readonly #refused: Record<string, number> = {};
  /** Index of the next frame to send. */
  #next: number;
  #isOpen = true;
  #sent = 0;
  #dropped = 0;
  #expired = 0;
  #isServing = false;
  /** The channel is full: nothing is tried before it has room. */
  #isBlocked = false;

  constructor(options: BusQueueOptions) {
    const { channel, scheduler, log, maxAgeUs } = options;
    this.channel = channel;
    this.#clock = options.clock;
    this.#log = log;
    this.#next = log.head;
    this.#maxAgeUs = maxAgeUs;
    this.#framesPerTurn = options.framesPerTurn;
    this.#turnTask = scheduler.createTask('remote to bus', (nowUs) => this.serve(nowUs));
    this.#lane = channel.openLane(this, Number.isFinite(maxAgeUs) ? 1 : Number.POSITIVE_INFINITY);
    this.#stopListening = channel.onInterrupted((why) => {
      if (why !== 'closed') return;
      this.close();
      options.onClosed();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Hears of everything that happened on the bus by now: frames that come cannot go out before. */
  catchUp(): void {
    if (this.#isOpen) this.channel.catchUp();
  }

  settled(outcome: string): void {
    if (outcome === 'sent') this.#sent++;
    else if (outcome === 'expired') this.#expired++;
    else this.#refuse(outcome);
  }

  room(): void {
    this.#isBlocked = false;
    this.serve(this.#clock.monotonicUs());
  }

  /** Hands over what the channel takes; the rest follows by itself. */
  serve(nowUs: number): undefined {
    // Sending can bring in datagrams and room: the loop will see to them.
    if (this.#isServing || !this.#mayGoOn()) return;
    this.#isServing = true;
    this.#leaveOut(nowUs);
    for (let left = this.#framesPerTurn; left > 0 && this.#mayGoOn(); left--) this.#serveNext();
    this.#isServing = false;
    if (this.#mayGoOn()) this.#turnTask.scheduleAt(nowUs);
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
    this.#dropped += this.#log.head - this.#next + this.#lane.discard();
    // The rest is the port's now.
    this.#sent += this.#lane.pending;
    this.#lane.close();
  }

  record(): RemoteChannelRecord {
    if (this.#isOpen && !this.#isServing) this.#leaveOut(this.#clock.monotonicUs());
    return {
      selector: this.channel.selector,
      slot: this.channel.slot,
      open: this.#isOpen,
      sent: this.#sent,
      refused: { ...this.#refused },
      dropped: this.#dropped,
      expired: this.#expired,
      queued: this.#isOpen ? this.#log.head - this.#next + this.#lane.pending : 0,
    };
  }

  #mayGoOn(): boolean {
    return this.#isOpen && !this.#isBlocked && this.#next < this.#log.head;
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
    const result = this.#send(this.#next);
    // An owner that hears of the frame may have closed the channel, and with it dropped the rest.
    if (!this.#isOpen) return;
    if (result === 'full') {
      this.#isBlocked = true;
      return;
    }
    this.#next++;
    if (result !== 'accepted') this.#refuse(result);
  }

  #refuse(reason: string): void {
    this.#refused[reason] = (this.#refused[reason] ?? 0) + 1;
  }

  #send(index: number): string {
    const log = this.#log;
    try {
      return this.#lane.send(
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
}
