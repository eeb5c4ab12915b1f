import { createHash } from 'node:crypto';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import {
  allRules,
  encodeRule,
  type GatewayRule,
  type ListedRule,
  readRule,
} from './netlink/gateway-rules.ts';
import { messageType } from './netlink/messages.ts';
import type { NetlinkSocket } from './netlink/netlink-socket.ts';
import { KernelRefusal } from './netlink/refusal.ts';

/** What to pass on: a rule without whose it is. */
export type WantedRule = Omit<GatewayRule, 'mark'>;

/** Counts of the kernel for one rule. */
export interface RuleCounts {
  /** Frames that were passed on. */
  readonly handled: number;
  /** Frames that were meant, and for which the target had no room or which do not fit it. */
  readonly dropped: number;
}

/**
 * The mark of a rule is 22 bits that stand for its owner, and a number of the rule behind them. The
 * kernel takes a rule with the mark of another for a change of that one.
 */
const numberBits = 10;
const mostRules = 2 ** numberBits - 1;

/** The same for the same owner in every run, so that a killed daemon's rules are known again. */
export const ownerMark = (owner: string): number => {
  const hash = createHash('sha256').update(`busbar ${owner}`).digest();
  return ((hash.readUInt32LE(0) >>> numberBits) << numberBits) >>> 0;
};

const ownerOf = (mark: number): number => ((mark >>> numberBits) << numberBits) >>> 0;

const refused = (thrown: unknown): BusbarError => {
  if (!(thrown instanceof KernelRefusal)) return BusbarError.from(thrown);
  const { errno, text } = thrown;
  const isForbidden = errno === 'EPERM';
  const hasNoGateway = errno === 'EOPNOTSUPP';
  const hint = isForbidden
    ? 'busbar doctor prints the command that starts a daemon with the right'
    : hasNoGateway
      ? 'Run sudo modprobe can-gw'
      : undefined;
  return new BusbarError(hasNoGateway ? 'unsupported_by_hardware' : 'hardware_error', {
    message: isForbidden
      ? 'Only root, or a daemon with CAP_NET_ADMIN, may let the kernel pass frames on'
      : hasNoGateway
        ? 'The kernel passes no frames on: its module can-gw is missing; as root: modprobe can-gw'
        : 'The kernel refuses to pass frames on',
    details: {
      reason: isForbidden ? 'permission' : hasNoGateway ? 'no_gateway' : 'refused',
      field: 'offload',
      errno,
      ...(text !== undefined && { kernel: text }),
    },
    retryable: false,
    hint,
  });
};

/**
 * Rules by which the kernel itself passes frames on. They outlive their process, so each has the mark of
 * its owner: what was left behind is found by it and removed before the first is added.
 */
export class LinkGateway {
  readonly #socket: NetlinkSocket;
  readonly #mark: number;
  readonly #rules = new Map<number, GatewayRule>();
  #cleaned: Promise<void> | undefined;

  /** `owner` tells daemons apart, and is the same for the next run of the same one. */
  constructor(socket: NetlinkSocket, owner: string) {
    this.#socket = socket;
    this.#mark = ownerMark(owner);
  }

  /** Adds a rule. Gives its number, for the calls below. */
  async add(wanted: WantedRule): Promise<number> {
    await this.removeStale().catch((thrown: unknown) => {
      throw refused(thrown);
    });
    const mark = this.#freeMark();
    const rule = { ...wanted, mark };
    this.#rules.set(mark, rule);
    try {
      await this.#socket.change(messageType.newRoute, encodeRule(rule));
    } catch (thrown) {
      this.#rules.delete(mark);
      throw refused(thrown);
    }
    return mark;
  }

  /** What the rules have done, by their numbers. One whose interface is gone is not among them. */
  async counts(): Promise<ReadonlyMap<number, RuleCounts>> {
    const own = (await this.#list()).filter(({ mark }) => this.#rules.has(mark));
    return new Map(
      own.map(({ mark, handled, dropped, deleted }) => [
        mark,
        { handled, dropped: dropped + deleted },
      ]),
    );
  }

  async remove(number: number): Promise<void> {
    const rule = this.#rules.get(number);
    if (!rule) return;
    this.#rules.delete(number);
    await this.#delete(rule);
  }

  /** Removes what an earlier run of the same owner left behind, once it can. */
  removeStale(): Promise<void> {
    this.#cleaned ??= this.#removeStale().catch((thrown: unknown) => {
      this.#cleaned = undefined;
      throw thrown;
    });
    return this.#cleaned;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#rules.keys()].map((number) => this.remove(number)));
  }

  async #removeStale(): Promise<void> {
    const stale = (await this.#list()).filter(({ mark }) => !this.#rules.has(mark));
    for (const rule of stale) await this.#delete(rule);
  }

  /** Those with the mark of this owner. */
  async #list(): Promise<readonly (ListedRule & { readonly mark: number })[]> {
    const messages = await this.#socket.dump(messageType.getRoute, allRules());
    return messages
      .map(readRule)
      .filter((rule) => rule !== undefined)
      .flatMap(({ mark, ...rule }) =>
        mark !== undefined && ownerOf(mark) === this.#mark ? [{ ...rule, mark }] : [],
      );
  }

  async #delete(rule: GatewayRule): Promise<void> {
    try {
      await this.#socket.change(messageType.deleteRoute, encodeRule(rule));
    } catch {
      // It went with its interface, or the right to remove it went with a change of user.
    }
  }

  #freeMark(): number {
    for (let number = 1; number <= mostRules; number++) {
      const mark = (this.#mark | number) >>> 0;
      if (!this.#rules.has(mark)) return mark;
    }
    throw new BusbarError('capacity_exceeded', {
      message: `The kernel passes on at most ${mostRules} routes of one daemon`,
      details: { field: 'offload', max: mostRules },
    });
  }
}
