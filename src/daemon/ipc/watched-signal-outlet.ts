import type { GatewaySignal } from '../../gateway/instances/instance-record.ts';
import type { WatchOutlet } from '../../gateway/watch/watch-outlet.ts';
import type { WatchEndReason } from '../../gateway/watch/watch-record.ts';
import { LimitedStream } from './limited-stream.ts';

/** Sends the signals of an instance to a caller of the CLI, one message each. */
export class WatchedSignalOutlet extends LimitedStream<WatchEndReason> implements WatchOutlet {
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
