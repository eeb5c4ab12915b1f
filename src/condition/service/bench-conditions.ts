import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type Bus, busCode } from '../../frame/frm2-layout.ts';
import type { CheckedMessage } from '../../gateway/image/checked-message.ts';
import type { IsotpPair } from '../../pdu/isotp/addressing.ts';
import { channelKey } from '../../trace/channel-key.ts';
import type { Condition } from '../condition.ts';
import type { ConditionDatabase, ProtectedMessage } from '../condition-context.ts';
import { type ConditionSetup, guardedName, namesIn, setupDatabase } from '../condition-setup.ts';

export interface OpenChannel {
  readonly slot: number;
  readonly selector: string;
  readonly bus: Bus;
}

export interface BenchNames<Caller> {
  channels(): Promise<readonly OpenChannel[]>;
  /** Throws if the name is of no open channel. */
  slotOf(selector: string, caller: Caller): Promise<number>;
  databasesOf(slot: number): readonly ConditionDatabase[];
  pairsOf(slot: number): readonly IsotpPair[];
  /** A message of a gateway, or why it cannot be checked. */
  checkedMessage(instance: string, message: string): Promise<CheckedMessage | string>;
}

export const keyOf = ({ slot, bus }: OpenChannel): number =>
  channelKey(slot, bus === 'lin' ? busCode.lin : busCode.can);

export interface BenchSetup extends ConditionSetup {
  readonly open: readonly OpenChannel[];
}

/** Looks up the names in conditions on the bench, once: what is opened later has no part in it. */
export class BenchConditions<Caller> {
  readonly #names: BenchNames<Caller>;

  constructor(names: BenchNames<Caller>) {
    this.#names = names;
  }

  /** `selectors` are looked up besides those in the conditions. */
  async setup(
    conditions: readonly Condition[],
    caller: Caller,
    selectors: readonly string[] = [],
  ): Promise<BenchSetup> {
    const wanted = namesIn(conditions);
    const open = await this.#names.channels();
    const named = await entriesOf([...new Set([...wanted.channels, ...selectors])], (selector) =>
      this.#keysOf(selector, open, caller),
    );
    const guarded = await entriesOf(
      wanted.guarded.map(({ instance, message }) => guardedName(instance, message)),
      (name) => {
        const slash = name.indexOf('/');
        const [instance, message] = [name.slice(0, slash), name.slice(slash + 1)];
        return this.#guarded(instance, message, open, caller);
      },
    );
    const attached = new Map<ConditionDatabase, number>();
    const channels = open.map((channel) => ({
      key: keyOf(channel),
      databases: this.#names.databasesOf(channel.slot).map((database) => {
        const known = attached.get(database) ?? attached.size;
        attached.set(database, known);
        return known;
      }),
    }));
    return {
      open,
      channels,
      named,
      guarded,
      databases: [...attached.keys()].map((database) => setupDatabase(database, wanted)),
      pairs: open.map((channel) => ({
        key: keyOf(channel),
        pairs: this.#names.pairsOf(channel.slot),
      })),
    };
  }

  async #keysOf(
    selector: string,
    open: readonly OpenChannel[],
    caller: Caller,
  ): Promise<readonly number[] | string> {
    try {
      const slot = await this.#names.slotOf(selector, caller);
      return open.filter((channel) => channel.slot === slot).map(keyOf);
    } catch (thrown) {
      return reasonOf(thrown);
    }
  }

  async #guarded(
    instance: string,
    message: string,
    open: readonly OpenChannel[],
    caller: Caller,
  ): Promise<ProtectedMessage | string> {
    try {
      const found = await this.#names.checkedMessage(instance, message);
      if (typeof found === 'string') return found;
      const { network, ...rest } = found;
      const channels = await this.#keysOf(network, open, caller);
      return typeof channels === 'string' ? channels : { ...rest, channels };
    } catch (thrown) {
      return reasonOf(thrown);
    }
  }
}

/** What refuses a name is the caller's error; anything else is a defect. */
const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof BusbarError && thrown.row.status < 500) return thrown.message;
  throw thrown;
};

const entriesOf = async <Value>(
  names: readonly string[],
  find: (name: string) => Promise<Value>,
): Promise<Record<string, Value>> => {
  const found: [string, Value][] = [];
  for (const name of names) found.push([name, await find(name)]);
  return Object.fromEntries(found);
};
