import type { Clock, Timer } from '../../base/clock/clock.ts';
import { LinkEvents } from './netlink/link-events.ts';
import { allLinks, type CanLink, linkByIndex, readCanLink } from './netlink/links.ts';
import { messageType, type NetlinkMessage } from './netlink/messages.ts';
import type { NetlinkCalls } from './netlink/netlink-calls.ts';
import type { NetlinkSocket } from './netlink/netlink-socket.ts';
import { KernelRefusal } from './netlink/refusal.ts';

/** Counters and most states have no events. */
const pollMs = 1000;

const attempts = 5;

export interface LinkMonitorOptions {
  readonly calls: NetlinkCalls;
  readonly socket: NetlinkSocket;
  readonly clock: Clock;
}

export interface LinkListener {
  onAppeared?(link: CanLink): void;
  /** The link went up or down, was renamed, or its bus state or error count changed. */
  onChanged?(link: CanLink, before: CanLink): void;
  onVanished?(link: CanLink): void;
}

/** Fields to compare. Frame counters always change. */
const comparable = ({ counters, controllerCounters, ...link }: CanLink): string =>
  JSON.stringify(link);

const linksIn = (messages: readonly NetlinkMessage[]): readonly CanLink[] =>
  messages.map(readCanLink).filter((link) => link !== undefined);

export class LinkMonitor {
  readonly #socket: NetlinkSocket;
  readonly #clock: Clock;
  readonly #events: LinkEvents;
  readonly #links = new Map<number, CanLink>();
  readonly #listeners = new Set<LinkListener>();
  readonly #held = new Set<number>();
  #age = 0;
  #poll: Timer | undefined;
  #isClosed = false;

  constructor({ calls, socket, clock }: LinkMonitorOptions) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = new LinkEvents(calls, {
      onMessage: (message) => this.#follow(message),
      onLost: () => void this.refresh().catch(() => undefined),
    });
  }

  get links(): readonly CanLink[] {
    return [...this.#links.values()];
  }

  listen(listener: LinkListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async refresh(): Promise<readonly CanLink[]> {
    const dump = () => this.#socket.dump(messageType.getLink, allLinks());
    const found = linksIn(await this.#newest(dump));
    if (this.#isClosed) return [];
    const indexes = new Set(found.map(({ index }) => index));
    for (const link of this.links) if (!indexes.has(link.index)) this.#remove(link.index);
    for (const link of found) this.#put(link);
    return this.links;
  }

  async read(index: number): Promise<CanLink | undefined> {
    const get = () => this.#socket.get(messageType.getLink, linkByIndex(index));
    try {
      const [link] = linksIn(await this.#newest(get));
      if (link && !this.#isClosed) this.#put(link);
      return link;
    } catch (thrown) {
      if (!(thrown instanceof KernelRefusal) || thrown.errno !== 'ENODEV') throw thrown;
      if (!this.#isClosed) this.#remove(index);
      return undefined;
    }
  }

  hold(index: number): void {
    this.#held.add(index);
    this.#schedulePoll();
  }

  release(index: number): void {
    this.#held.delete(index);
    if (this.#held.size > 0) return;
    this.#poll?.cancel();
    this.#poll = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#poll?.cancel();
    this.#held.clear();
    this.#listeners.clear();
    this.#events.close();
  }

  async #newest<T>(ask: () => Promise<T>): Promise<T> {
    this.#events.drain();
    for (let attempt = 1; ; attempt++) {
      const age = this.#age;
      const answer = await ask();
      this.#events.drain();
      if (age === this.#age || attempt === attempts) return answer;
    }
  }

  #schedulePoll(): void {
    if (this.#poll !== undefined || this.#held.size === 0 || this.#isClosed) return;
    this.#poll = this.#clock.after(pollMs, async () => {
      await Promise.allSettled([...this.#held].map((index) => this.read(index)));
      this.#poll = undefined;
      this.#schedulePoll();
    });
  }

  #follow(message: NetlinkMessage): void {
    const link = readCanLink(message);
    if (!link) return;
    this.#age += 1;
    if (message.type === messageType.deleteLink) this.#remove(link.index);
    else this.#put(link);
  }

  #put(link: CanLink): void {
    const before = this.#links.get(link.index);
    this.#links.set(link.index, link);
    if (before && comparable(before) === comparable(link)) return;
    for (const listener of [...this.#listeners]) {
      if (before) listener.onChanged?.(link, before);
      else listener.onAppeared?.(link);
    }
  }

  #remove(index: number): void {
    const link = this.#links.get(index);
    if (!link) return;
    this.#links.delete(index);
    this.#held.delete(index);
    for (const listener of [...this.#listeners]) listener.onVanished?.(link);
  }
}
