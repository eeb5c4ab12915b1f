import type { GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { WatchOutlet, WatchSubscription } from '../../gateway/watch/watch-outlet.ts';
import type { WatchEndReason } from '../../gateway/watch/watch-record.ts';
import { LimitedStream } from './limited-stream.ts';

/** Sends the signals of an instance to a caller of the CLI, one message each. */
export class WatchedSignalOutlet extends LimitedStream<WatchEndReason> implements WatchOutlet {
  /** Begins with what `watch` finds. Where that is refused, nothing is left open. */
  async follow(watch: (outlet: this) => Promise<WatchSubscription>): Promise<this> {
    try {
      const subscription = await watch(this);
      this.attach(subscription);
      subscription.resume();
      return this;
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** The command prints signals only. */
  readonly parts = [];
  status(): void {}
  records(): void {}

  signal(entry: GatewaySignal): boolean {
    this.sink.message(entry);
    this.delivered++;
    return !this.isComplete && this.sink.isReady;
  }

  /** Signals are on their way already. */
  protected sendRest(): void {}
}
