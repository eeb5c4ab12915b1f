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

export type WantedRule = Omit<GatewayRule, 'mark'>;

export interface RuleCounts {
  readonly handled: number;
  readonly dropped: number;
}

/**
 * A mark has 22 owner bits and a rule number. The kernel treats a rule with an existing mark as
 * a change.
 */
const numberBits = 10;
const maxRules = 2 ** numberBits - 1;

/** Same for every process of an owner, to find rules of a killed daemon. */
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
      ? 'Routing in the kernel requires root or CAP_NET_ADMIN'
      : hasNoGateway
        ? 'The kernel cannot route frames: its module can-gw is missing; run modprobe can-gw as root'
        : 'The kernel rejected the route',
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
 * Kernel forwarding rules. Rules outlive their process, so each has its owner's mark, and stale
 * ones are removed first.
 */
export class LinkGateway {
  readonly #socket: NetlinkSocket;
  readonly #mark: number;
  readonly #rules = new Map<number, GatewayRule>();
  #cleaned: Promise<void> | undefined;

  /** `owner` identifies a daemon across restarts. */
  constructor(socket: NetlinkSocket, owner: string) {
    this.#socket = socket;
    this.#mark = ownerMark(owner);
  }

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

  /** Counts by rule number. Rules of removed interfaces are missing. */
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
      // Already removed, or no longer permitted.
    }
  }

  #freeMark(): number {
    for (let number = 1; number <= maxRules; number++) {
      const mark = (this.#mark | number) >>> 0;
      if (!this.#rules.has(mark)) return mark;
    }
    throw new BusbarError('capacity_exceeded', {
      message: `The kernel supports at most ${maxRules} routes per daemon`,
      details: { field: 'offload', max: maxRules },
    });
  }
}
