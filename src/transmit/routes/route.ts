import type { Channel } from '../../bench/channel.ts';
import type { FoundChannel } from '../../bench/channel-table.ts';
import type { OffloadedRoute } from '../../drivers/can-offload.ts';
import type { CanControl } from '../../drivers/driver-channel.ts';
import type { RefusedSend } from '../../drivers/send-result.ts';
import { lastErrorOf } from '../last-error.ts';
import { selectedChannel } from '../selected-channel.ts';
import type { RouteRecord } from './route-record.ts';
import type { RouteRule } from './route-request.ts';
import { SoftwareRoute } from './software-route.ts';

interface RouteWork {
  readonly matched: number;
  readonly sent: number;
  readonly failed: number;
  readonly lastRefusal: RefusedSend | undefined;
  stop(): void;
}

export interface RouteEnd {
  readonly found: FoundChannel;
  readonly channel: Channel;
  readonly hardware: CanControl;
}

export interface RouteParts {
  readonly id: string;
  readonly source: RouteEnd;
  readonly target: RouteEnd;
  readonly rule: RouteRule;
  readonly createdAtUs: number;
}

export class Route {
  readonly id: string;
  readonly #parts: RouteParts;
  readonly #work: RouteWork;
  readonly #isOffloaded: boolean;
  readonly #stopListening: (() => void)[];

  constructor(
    parts: RouteParts,
    offloaded: OffloadedRoute | undefined,
    onClosed: (route: Route) => void,
  ) {
    const { id, source, target, rule } = parts;
    this.id = id;
    this.#parts = parts;
    this.#isOffloaded = offloaded !== undefined;
    this.#work = offloaded ?? new SoftwareRoute(source.channel, target.channel, rule);
    this.#stopListening = [source, target].map(({ channel }) =>
      channel.onInterrupted((why) => {
        if (why === 'closed') onClosed(this);
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
    this.#work.stop();
  }

  record(): RouteRecord {
    const { id, source, target, rule, createdAtUs } = this.#parts;
    const { matched, sent, failed, lastRefusal } = this.#work;
    return {
      route_id: id,
      source: {
        ...selectedChannel(source.found),
        id: rule.id,
        mask: rule.mask,
        extended: rule.extended,
      },
      target: {
        ...selectedChannel(target.found),
        id: rule.targetId ?? null,
        extended: rule.extended,
      },
      offloaded: this.#isOffloaded,
      matched,
      sent,
      failed,
      last_error: lastErrorOf(lastRefusal),
      created_at_us: createdAtUs,
    };
  }
}
