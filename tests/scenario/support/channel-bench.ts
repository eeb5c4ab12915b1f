import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { ask, askJson, type HttpAnswer } from '../../support/http.ts';
import { type Seat, takeSeat } from '../../support/seat.ts';
import { type CliFailure, Workbench } from '../../support/workbench.ts';

/** An open channel, as far as tests use it. */
export interface ChannelView {
  readonly slot: number;
  readonly selector: string;
  readonly name: string | null;
  readonly state: string;
  readonly mode: string;
  readonly [field: string]: unknown;
}

/** An event of a channel's history. */
export interface EventView {
  readonly event_id: number;
  readonly kind: string;
  readonly bus: string;
  readonly id: number;
  readonly dlc: number;
  readonly data: string;
  readonly flags: number;
  readonly status: number;
  readonly [field: string]: unknown;
}

/** The error of a call without its wording. */
export interface Refused {
  readonly code: string;
  readonly status?: number;
  readonly exit?: number;
  readonly details: Record<string, unknown>;
}

export const api = '/api/v1';

/** The path of a channel's resource, with the selector as one segment. */
export const channelPath = (selector: string, tail = ''): string =>
  `${api}/channels/${encodeURIComponent(selector)}${tail}`;

export const refusedOverHttp = (answer: HttpAnswer): Refused => {
  const { error } = answer.json();
  if (!error) throw new Error(`was not refused: ${answer.text}`);
  return { status: answer.status, code: error.code, details: error.details };
};

export const refusedByCli = ({ exit, code, details }: CliFailure): Refused => ({
  exit,
  code,
  details,
});

const accepted = (answer: HttpAnswer) => {
  if (answer.status >= 300) throw new Error(`refused with ${answer.status}: ${answer.text}`);
  return answer.json();
};

/** A workbench with a running Web service: the same channels over both faces. */
export class ChannelBench extends Workbench {
  port = 0;

  async start(...args: string[]): Promise<this> {
    ({ port: this.port } = await (args.length === 0 ? this.serve() : this.startWeb(...args)));
    return this;
  }

  get(path: string): Promise<HttpAnswer> {
    return ask({ port: this.port, path });
  }

  post(path: string, json: unknown): Promise<HttpAnswer> {
    return askJson({ port: this.port, path, json });
  }

  patch(selector: string, json: unknown): Promise<HttpAnswer> {
    return askJson({ port: this.port, method: 'PATCH', path: channelPath(selector), json });
  }

  remove(selector: string): Promise<HttpAnswer> {
    return ask({ port: this.port, method: 'DELETE', path: channelPath(selector) });
  }

  send(json: unknown): Promise<HttpAnswer> {
    return this.post(`${api}/messages`, json);
  }

  /** Opens a port, which must succeed. */
  async open(channel: string, more: object = {}): Promise<ChannelView> {
    return accepted(await this.post(`${api}/channels`, { channel, ...more }));
  }

  /** Changes a channel, which must succeed. */
  async change(selector: string, change: object): Promise<ChannelView> {
    return accepted(await this.patch(selector, change));
  }

  async show(selector: string): Promise<ChannelView> {
    return accepted(await this.get(channelPath(selector)));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read any response
  async stats(selector: string): Promise<any> {
    return accepted(await this.get(channelPath(selector, '/stats')));
  }

  /**
   * Complete history of a channel after an event id, page by page. Waiting for an empty page
   * would never end while frames arrive.
   */
  async events(selector: string, after = 0): Promise<EventView[]> {
    const events: EventView[] = [];
    let newest = Number.POSITIVE_INFINITY;
    for (let cursor = after; cursor < newest; ) {
      const query = new URLSearchParams({ channel: selector, after: `${cursor}`, limit: '4096' });
      const page = accepted(await this.get(`${api}/messages/history?${query}`));
      if (page.events.length === 0) break;
      events.push(...page.events);
      cursor = page.next_after;
      newest = Math.min(newest, page.newest_available);
    }
    return events;
  }
}

/** A bench that is removed when the running test ends. */
export const setUpChannelBench = async (...args: string[]): Promise<ChannelBench> => {
  const bench = new ChannelBench();
  onTestFinished(() => bench.dispose());
  return bench.start(...args);
};

/**
 * A bench for the running test. Its daemon has served other tests: slots and event ids continue.
 */
export const borrowChannelBench = (): Promise<ChannelBench> => {
  const bench = new ChannelBench(takeSeat());
  onTestFinished(() => bench.dispose());
  return bench.start();
};

/**
 * A bench for all tests of a file that leave it unchanged. Its daemon has served other files,
 * unless it has no seat.
 */
export const shareChannelBench = (
  prepare?: (bench: ChannelBench) => Promise<void>,
  seat: Seat | null = takeSeat(),
) => {
  const bench = new ChannelBench(seat);
  beforeAll(async () => {
    await bench.start();
    await prepare?.(bench);
  });
  afterAll(() => bench.dispose());
  return bench;
};
