import { type MessageHead, MessageIndex } from '../../../src/database/message-index.ts';
import { busCode, frameFlag } from '../../../src/frame/frm2-layout.ts';
import type {
  DatabaseContent,
  DatabaseMessage,
  GatewayProtection,
  SignalPlan,
} from '../api/client.ts';

interface Identified {
  readonly id: number;
  readonly extended: boolean;
  /** J1939 parameter group that identifies the message; null if only its identifier does. */
  readonly pgn: number | null;
}

interface Indexed<Value> extends MessageHead {
  readonly value: Value;
}

const isExtended = (flags: number): boolean => (flags & frameFlag.extended) !== 0;

/** Finds messages by identifier as the service does; the first of several is used. */
export class IdentifierIndex<Value> {
  readonly #index = new MessageIndex<Indexed<Value>>({ messages: [] });

  add<Message extends Identified>(
    messages: readonly Message[],
    toValue: (message: Message) => Value,
  ): void {
    for (const message of messages) {
      const { id, extended, pgn } = message;
      const head = { name: '', id, extended, value: toValue(message) };
      this.#index.add(pgn === null ? head : { ...head, pgn });
    }
  }

  own(id: number, flags: number): Value | undefined {
    return this.#index.findAddressed(id, isExtended(flags))?.value;
  }

  group(id: number, flags: number): Value | undefined {
    return isExtended(flags) ? this.#index.findGroup(id)?.value : undefined;
  }

  find(id: number, flags: number): Value | undefined {
    return this.own(id, flags) ?? this.group(id, flags);
  }
}

/** A message of a database. */
export interface MessageName {
  readonly database: string;
  readonly name: string;
}

interface PlannedMessage extends Identified, MessageName, Pick<SignalPlan, 'slot'> {
  readonly fromUs: number;
}

interface NamedMessage extends Identified, MessageName {
  readonly isLin?: boolean;
}

/** Databases attached to a channel, in order. */
interface Attachment {
  readonly slot: number;
  readonly fromUs: number;
  readonly databases: readonly string[];
}

/** A CAN message of a gateway that runs or ran, which has no database. */
export interface GatewayMessage
  extends Pick<Identified, 'id' | 'extended'>,
    Pick<SignalPlan, 'slot'> {
  readonly instance: string;
  readonly name: string;
  /** When its instance stopped; missing while it runs. */
  readonly untilUs?: number;
  /** How the gateway protects it end to end; null without protection. */
  readonly protection: GatewayProtection | null;
}

export interface NameSources {
  readonly gateways?: readonly GatewayMessage[];
  readonly messages: readonly NamedMessage[];
  readonly plans: readonly PlannedMessage[];
  readonly attached?: readonly Attachment[];
}

export const messagesOf = (databases: Iterable<DatabaseContent>): NameSources['messages'] =>
  [...databases].flatMap(({ name: database, type, message_page }) =>
    message_page.map(({ name, id, extended, pgn }) => ({
      ...{ database, isLin: type === 'ldf' },
      ...{ name, id, extended, pgn },
    })),
  );

interface AttachedNames {
  readonly isLin: boolean;
  readonly names: IdentifierIndex<MessageName>;
}

const toName = ({ database, name }: MessageName): MessageName => ({ database, name });

/**
 * Message names of frames. Databases attached to the channel take precedence in their order, as in
 * the service, then its plans. Other databases apply to CAN only, because LIN identifiers are
 * ambiguous. Exact identifiers and J1939 addresses take
 * precedence over the parameter group. Gateways name what no database does.
 */
export class MessageNames {
  readonly #all = new IdentifierIndex<MessageName>();
  readonly #planned = new Map<number, { fromUs: number; names: IdentifierIndex<MessageName> }>();

  readonly #attached = new Map<number, { fromUs: number; databases: AttachedNames[] }>();

  readonly #gateways = new Map<number, IdentifierIndex<MessageName>>();

  constructor({ messages, plans, attached = [], gateways = [] }: NameSources) {
    for (const { slot, name, id, extended } of gateways) {
      const own = this.#gateways.get(slot) ?? new IdentifierIndex<MessageName>();
      own.add([{ id, extended, pgn: null }], () => ({ database: '', name }));
      this.#gateways.set(slot, own);
    }
    const byDatabase = new Map<string, AttachedNames>();
    for (const database of new Set(messages.map((message) => message.database))) {
      const own = messages.filter((message) => message.database === database);
      const isLin = own[0]?.isLin === true;
      const names = new IdentifierIndex<MessageName>();
      names.add(own, toName);
      byDatabase.set(database, { isLin, names });
      if (!isLin) this.#all.add(own, toName);
    }
    for (const { slot, fromUs, databases } of attached) {
      const found = databases.flatMap((name) => byDatabase.get(name) ?? []);
      this.#attached.set(slot, { fromUs, databases: found });
    }
    for (const plan of plans.toReversed()) {
      const { slot, fromUs } = plan;
      const planned = this.#planned.get(slot) ?? { fromUs, names: new IdentifierIndex() };
      planned.names.add([plan], toName);
      this.#planned.set(slot, planned);
    }
  }

  nameOf(slot: number, us: number, bus: number, id: number, flags: number): string | null {
    return this.find(slot, us, bus, id, flags)?.name ?? null;
  }

  find(slot: number, us: number, bus: number, id: number, flags: number): MessageName | null {
    if ((flags & frameFlag.error) !== 0) return null;
    const attached = this.#attached.get(slot);
    for (const { isLin, names } of attached && us >= attached.fromUs ? attached.databases : []) {
      const name = isLin === (bus === busCode.lin) ? names.find(id, flags) : undefined;
      if (name !== undefined) return name;
    }
    const slotPlans = this.#planned.get(slot);
    const planned = slotPlans && us >= slotPlans.fromUs ? slotPlans.names : undefined;
    if (bus === busCode.lin) return planned?.own(id, flags) ?? null;
    return (
      planned?.own(id, flags) ??
      this.#all.own(id, flags) ??
      planned?.group(id, flags) ??
      this.#all.group(id, flags) ??
      this.#gateways.get(slot)?.own(id, flags) ??
      null
    );
  }
}

/** What a frame is named by. */
export interface NamedFrame {
  readonly channel: number;
  readonly timestampUs: number;
  readonly bus: number;
  readonly id: number;
  readonly flags: number;
}

export const noNames = new MessageNames({ messages: [], plans: [] });

/** Messages by their names, with all signals. */
export class Definitions {
  readonly #messages = new Map<string, ReadonlyMap<string, DatabaseMessage>>();

  constructor(databases: Iterable<DatabaseContent>) {
    for (const { name, message_page } of databases) {
      this.#messages.set(name, new Map(message_page.map((message) => [message.name, message])));
    }
  }

  of(found: MessageName | null): DatabaseMessage | null {
    return (found && this.#messages.get(found.database)?.get(found.name)) ?? null;
  }

  /** The message whose signals a frame has; null if it has none. */
  ofFrame(names: MessageNames, frame: NamedFrame): DatabaseMessage | null {
    const { channel, timestampUs, bus, id, flags } = frame;
    if ((flags & frameFlag.remote) !== 0) return null;
    const message = this.of(names.find(channel, timestampUs, bus, id, flags));
    return message && message.signals.length > 0 ? message : null;
  }
}
