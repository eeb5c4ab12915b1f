import type { Clock } from '../base/clock/clock.ts';
import type { Scheduler, Task } from '../base/schedule/scheduler.ts';
import type { FrameLog } from './frame-log.ts';
import type { ForwardChannel, ForwardLane, ForwardLaneOwner } from './ports.ts';
import type { RemoteChannelRecord } from './remote-record.ts';

export interface BusQueueOptions {
  readonly channel: ForwardChannel;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: FrameLog;
  /** Frames older than this are not sent. */
  readonly maxAgeUs: number;
  readonly framesPerTurn: number;
  readonly onClosed: () => void;
}

/**
 * Sends peers' frames on one channel. They are sent immediately while the channel accepts them,
 * and queued in order while it is full. If the log is full, the oldest frames are dropped.
 * Frames that the channel rejects for another reason are dropped too, so nothing stale is sent
 * later. A port cannot always cancel an accepted frame, and could send it at any age. With an
 * age limit the channel therefore gets one frame at a time.
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
  #next: number;
  #isOpen = true;
  #sent = 0;
  #dropped = 0;
  #expired = 0;
  #isServing = false;
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

  /** Reads all bus events, since later frames cannot precede them. */
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

  serve(nowUs: number): undefined {
    // Sending can deliver datagrams and free room; the loop handles both.
    if (this.#isServing || !this.#mayGoOn()) return;
    this.#isServing = true;
    this.#leaveOut(nowUs);
    for (let left = this.#framesPerTurn; left > 0 && this.#mayGoOn(); left--) this.#serveNext();
    this.#isServing = false;
    if (this.#mayGoOn()) this.#turnTask.scheduleAt(nowUs);
  }

  expire(frames: number): void {
    if (this.#isOpen) this.#expired += frames;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopListening();
    this.#turnTask.cancel();
    this.#dropped += this.#log.head - this.#next + this.#lane.discard();
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

  #leaveOut(nowUs: number): void {
    const kept = Math.max(this.#next, this.#log.oldest);
    const fresh = this.#log.firstSince(nowUs - this.#maxAgeUs, kept);
    this.#dropped += kept - this.#next;
    this.#expired += fresh - kept;
    this.#next = fresh;
  }

  #serveNext(): void {
    const result = this.#send(this.#next);
    // A listener may have closed the channel.
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
      // A driver error must not affect other frames.
      return 'hardware_error';
    }
  }
}
