import type { SignalPlan, SignalPlanRequest } from '../api/client.ts';

export interface ChannelPlace {
  readonly channel: string;
  readonly selector: string;
}

export interface PlanOrigin extends ChannelPlace {
  readonly database: string;
  readonly message: string;
  readonly history: number;
  readonly source_address?: number | null;
}

export interface SignalChoice extends PlanOrigin {
  readonly signal: string;
  readonly isPlotted: boolean;
  readonly look: number;
}

export const instanceOf = ({ channel, database }: PlanOrigin): string | null =>
  database === '' ? channel : null;

const filePrefix = 'file:';

/** Selector of a channel of the open trace file. */
export const fileSelector = (slot: number): string => `${filePrefix}${slot}`;

/** The channel of a signal of the open file; null for other signals. */
export const fileSlotOf = ({ selector }: Pick<PlanOrigin, 'selector'>): number | null =>
  selector.startsWith(filePrefix) ? Number(selector.slice(filePrefix.length)) : null;

export const choiceOfInstance = (instance: string, name: string, look: number): SignalChoice => ({
  channel: instance,
  selector: instance,
  database: '',
  message: 'gateway',
  history: 0,
  signal: name,
  isPlotted: true,
  look,
});

export const noChoice: SignalChoice = {
  channel: '',
  selector: '',
  database: '',
  message: '',
  history: 0,
  signal: '',
  isPlotted: false,
  look: 0,
};

/** A plan of one message; others decode whole databases. */
export type MessagePlan = {
  readonly [Field in keyof SignalPlan]: Field extends 'database' | 'message' | 'id' | 'extended'
    ? NonNullable<SignalPlan[Field]>
    : SignalPlan[Field];
};

export const isMessagePlan = (plan: SignalPlan): plan is MessagePlan => plan.message !== null;

export type PlanState = 'unknown' | 'active' | 'channel_closed' | 'expired';

type Place = Pick<PlanOrigin, 'channel' | 'database' | 'message' | 'source_address'>;

const senderOf = ({ source_address }: Pick<PlanOrigin, 'source_address'>): number[] =>
  typeof source_address === 'number' ? [source_address] : [];

export const originKey = (place: Place): string =>
  JSON.stringify([place.channel, place.database, place.message, ...senderOf(place)]);

/** Independent of the plan. */
export const choiceKey = (choice: Place & { readonly signal: string }): string =>
  JSON.stringify([
    choice.channel,
    choice.database,
    choice.message,
    choice.signal,
    ...senderOf(choice),
  ]);

/** A channel can have several names; the selector is stable. */
const isSameChannel = (plan: SignalPlan, { channel, selector }: PlanOrigin): boolean =>
  plan.channel === channel || plan.selector === selector;

type Wanted = PlanOrigin & { readonly signal: string };

/** A plan for the signal with any source address, preferably on an open channel. */
export const planOfAnySender = (
  choice: Wanted,
  plans: readonly SignalPlan[],
): MessagePlan | null => {
  const fitting = plans
    .filter(isMessagePlan)
    .filter(
      (plan) =>
        plan.database === choice.database &&
        plan.message === choice.message &&
        isSameChannel(plan, choice) &&
        plan.signals.includes(choice.signal),
    );
  return fitting.find(({ channel_open }) => channel_open) ?? fitting[0] ?? null;
};

export const planFor = (choice: Wanted, plans: readonly SignalPlan[]): MessagePlan | null => {
  if (instanceOf(choice) !== null || fileSlotOf(choice) !== null) return null;
  const sender = choice.source_address ?? null;
  return planOfAnySender(
    choice,
    plans.filter(({ source_address }) => source_address === sender),
  );
};

export const stateOf = (choice: Wanted, plans: readonly SignalPlan[] | null): PlanState => {
  if (instanceOf(choice) !== null || fileSlotOf(choice) !== null) return 'active';
  if (plans === null) return 'unknown';
  const plan = planFor(choice, plans);
  if (plan === null) return 'expired';
  return plan.channel_open ? 'active' : 'channel_closed';
};

/** Removes all other fields of a choice or plan. */
export const originOf = ({
  channel,
  selector,
  database,
  message,
  history,
  source_address = null,
}: PlanOrigin): PlanOrigin => ({ channel, selector, database, message, history, source_address });

export const expiredOrigins = (
  choices: readonly SignalChoice[],
  plans: readonly SignalPlan[] | null,
): PlanOrigin[] => {
  const expired = choices.filter((choice) => stateOf(choice, plans) === 'expired');
  return [...new Map(expired.map((choice) => [originKey(choice), originOf(choice)])).values()];
};

export const requestFor = ({
  channel,
  database,
  message,
  history,
  source_address,
}: PlanOrigin): SignalPlanRequest => ({
  channel,
  database,
  message,
  history,
  ...(typeof source_address === 'number' ? { source_address } : {}),
});

export const followedOf = (
  choices: readonly SignalChoice[],
  plans: readonly SignalPlan[],
): Map<string, Set<string>> => {
  const followed = new Map<string, Set<string>>();
  for (const choice of choices) {
    const plan = planFor(choice, plans);
    if (!plan) continue;
    const signals = followed.get(plan.plan_id) ?? new Set<string>();
    followed.set(plan.plan_id, signals.add(choice.signal));
  }
  return followed;
};

export const freeLook = (choices: readonly SignalChoice[], looks: number): number => {
  const uses = Array.from({ length: looks }, () => 0);
  for (const { look } of choices) uses[look % looks] = (uses[look % looks] ?? 0) + 1;
  return uses.indexOf(Math.min(...uses));
};
