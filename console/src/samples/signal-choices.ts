import type { SignalPlan, SignalPlanRequest } from '../api/client.ts';

/** A channel as it was named, and its port. */
export interface ChannelPlace {
  readonly channel: string;
  readonly selector: string;
}

/** Where a message is decoded, and how much of it the service keeps: all it takes to do so again. */
export interface PlanOrigin extends ChannelPlace {
  readonly database: string;
  readonly message: string;
  readonly history: number;
  /** J1939: the one sender that it is about; all of them if there is none. */
  readonly source_address?: number | null;
}

/** A signal that the user wants to see. It outlives the plan that decodes it. */
export interface SignalChoice extends PlanOrigin {
  readonly signal: string;
  readonly isPlotted: boolean;
  /** Which colour it has. */
  readonly look: number;
}

/** The gateway instance that a choice is a signal of; null if it is decoded by a plan. */
export const instanceOf = ({ channel, database }: PlanOrigin): string | null =>
  database === '' ? channel : null;

/** A signal of a gateway instance as a choice: the instance stands where channel and message would. */
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

/** What every choice has at least. */
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

export type PlanState = 'unknown' | 'active' | 'channel_closed' | 'expired';

type Place = Pick<PlanOrigin, 'channel' | 'database' | 'message' | 'source_address'>;

const senderOf = ({ source_address }: Pick<PlanOrigin, 'source_address'>): number[] =>
  typeof source_address === 'number' ? [source_address] : [];

/** Names a message on a channel, of one sender or of all. */
export const originKey = (place: Place): string =>
  JSON.stringify([place.channel, place.database, place.message, ...senderOf(place)]);

/** Names a signal on a channel; the same for every plan that decodes it. */
export const choiceKey = (choice: Place & { readonly signal: string }): string =>
  JSON.stringify([
    choice.channel,
    choice.database,
    choice.message,
    choice.signal,
    ...senderOf(choice),
  ]);

/** The same channel can be named in several ways, of which one is stable. */
const isSameChannel = (plan: SignalPlan, { channel, selector }: PlanOrigin): boolean =>
  plan.channel === channel || plan.selector === selector;

type Wanted = PlanOrigin & { readonly signal: string };

/** A plan of the signal, whichever senders it is about; one whose channel is open if there is such a one. */
export const planOfAnySender = (
  choice: Wanted,
  plans: readonly SignalPlan[],
): SignalPlan | null => {
  const fitting = plans.filter(
    (plan) =>
      plan.database === choice.database &&
      plan.message === choice.message &&
      isSameChannel(plan, choice) &&
      plan.signals.includes(choice.signal),
  );
  return fitting.find(({ channel_open }) => channel_open) ?? fitting[0] ?? null;
};

/** The plan that decodes a signal now. */
export const planFor = (choice: Wanted, plans: readonly SignalPlan[]): SignalPlan | null => {
  if (instanceOf(choice) !== null) return null;
  const sender = choice.source_address ?? null;
  return planOfAnySender(
    choice,
    plans.filter(({ source_address }) => source_address === sender),
  );
};

/** Plans that were never listed are not known to be gone. */
export const stateOf = (choice: Wanted, plans: readonly SignalPlan[] | null): PlanState => {
  // No plan of an instance can expire; whether it is there is told by its samples.
  if (instanceOf(choice) !== null) return 'active';
  if (plans === null) return 'unknown';
  const plan = planFor(choice, plans);
  if (plan === null) return 'expired';
  return plan.channel_open ? 'active' : 'channel_closed';
};

/** The plans that chosen signals had and have no more, each once. */
export const expiredOrigins = (
  choices: readonly SignalChoice[],
  plans: readonly SignalPlan[] | null,
): PlanOrigin[] => {
  const expired = choices.filter((choice) => stateOf(choice, plans) === 'expired');
  return [...new Map(expired.map((choice) => [originKey(choice), choice])).values()].map(
    ({ channel, selector, database, message, history, source_address = null }) => ({
      channel,
      selector,
      database,
      message,
      history,
      source_address,
    }),
  );
};

/** What the service is asked for to have a plan again. */
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

/** The plans to follow with the chosen signals of each; those without a plan are left out. */
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

/** A colour that is used the least so far. */
export const freeLook = (choices: readonly SignalChoice[], looks: number): number => {
  const uses = Array.from({ length: looks }, () => 0);
  for (const { look } of choices) uses[look % looks] = (uses[look % looks] ?? 0) + 1;
  return uses.indexOf(Math.min(...uses));
};
