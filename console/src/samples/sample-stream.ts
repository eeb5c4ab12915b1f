import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { GapEvent } from '../../../src/frame/event-record.ts';
import type { ApiError } from '../api/api-error.ts';
import type { SignalSample } from '../api/client.ts';
import { formatTime } from '../format/figures.ts';
import type { Resource } from '../state/resource.ts';
import { rememberedToken } from '../storage/remembered.ts';
import { EventStream } from '../streams/event-stream.ts';
import { type Followed, isWithin } from '../streams/followed.ts';
import { isAdmitted, type StreamState } from '../streams/keep-connected.ts';
import { openSamples } from '../streams/stream-client.ts';
import { noGaps, withGap } from './gap-log.ts';

interface SampleStreamOptions {
  readonly plans: Pick<Resource<unknown>, 'refresh' | 'error'>;
  readonly onSample: (sample: SignalSample) => void;
  readonly onGap: () => void;
  readonly onLive: () => void;
}

export type SampleStreamState = StreamState | 'idle';

/**
 * Follows the samples of the selected signals with its own stream and cursor, even if the
 * connection is shared. The plans of a stream are fixed when it opens, so a change of selection
 * reopens it after the last sample.
 */
export class SampleStream {
  readonly #stream: EventStream;
  readonly #streamState = signal<StreamState>('stopped');
  readonly #streamError = signal<ApiError | null>(null);
  readonly #isWanted = signal(true);
  readonly #isIdle = signal(true);
  #followed: Followed = new Map();
  readonly gaps = signal(noGaps);
  readonly state: ReadonlySignal<SampleStreamState>;
  samples = 0;

  constructor({ plans, onSample, onGap, onLive }: SampleStreamOptions) {
    this.#stream = new EventStream({
      open: (after, stopped) => {
        const request = { token: rememberedToken.get(), followed: this.#followed };
        return openSamples(request, after, stopped);
      },
      onEvent: ({ type, data, isFirst }) => {
        if (type === 'sample') {
          this.samples += 1;
          onSample(JSON.parse(data) as SignalSample);
        } else if (type === 'gap') {
          this.#takeGap(JSON.parse(data) as GapEvent, isFirst);
          onGap();
        }
      },
      prepare: async () => {
        await plans.refresh();
        const error = plans.error.peek();
        if (error) throw error;
      },
      onState: (state, error) => {
        this.#streamState.value = state;
        this.#streamError.value = error;
      },
    });
    this.state = computed(() => {
      if (!this.#isWanted.value) return 'stopped';
      return this.#isIdle.value ? 'idle' : this.#streamState.value;
    });
    effect(() => {
      if (this.#streamState.value === 'live') onLive();
      // A plan was deleted; the new list omits it.
      if (this.#streamState.value === 'ended') void plans.refresh();
    });
  }

  get error(): ReadonlySignal<ApiError | null> {
    return this.#streamError;
  }

  get cursor(): number | null {
    return this.#stream.lastId;
  }

  get isBroken(): boolean {
    const state = this.#streamState.value;
    return (
      state === 'token' ||
      state === 'ended' ||
      (state === 'reconnecting' && this.#streamError.value !== null)
    );
  }

  follow(followed: Followed): void {
    const before = this.#followed;
    const isChanged = !isWithin(followed, before) || !isWithin(before, followed);
    this.#followed = followed;
    // Sequence numbers continue while any plan survives; otherwise they can restart.
    if (![...followed.keys()].some((plan) => before.has(plan))) this.#stream.forget();
    this.#isIdle.value = followed.size === 0;
    if (isChanged && this.#isWanted.peek()) this.#open();
  }

  start(): void {
    this.#isWanted.value = true;
    this.#open();
  }

  stop(): void {
    this.#isWanted.value = false;
    this.#stream.stop();
  }

  renew(): void {
    if (isAdmitted(this.#streamState.peek())) this.#open();
  }

  retry(): void {
    if (this.state.peek() === 'token') this.#open();
  }

  #open(): void {
    if (this.#followed.size === 0) this.#stream.stop();
    else this.#stream.start();
  }

  #takeGap(gap: GapEvent, isFirst: boolean): void {
    this.gaps.value = withGap(this.gaps.peek(), gap, {
      lastSequence: this.#stream.lastId ?? 0,
      isFirst,
      time: formatTime(new Date()),
    });
  }
}
