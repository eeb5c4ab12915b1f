import type { Signal } from '../../database/model.ts';
import type { MessagePlan } from '../message-plan.ts';
import type { MuxNode } from '../mux-tree.ts';
import { SampleGroup } from './sample-group.ts';

/** Where the samples of a signal are. */
export interface GroupPlace {
  readonly group: SampleGroup;
  readonly place: number;
}

export interface PlanGroups {
  readonly groups: readonly SampleGroup[];
  /** By the numbers of the signals. */
  readonly places: readonly GroupPlace[];
}

const numbersIn = ({ signals, switches }: MuxNode): number[][] => {
  const own = signals.map(({ number }) => number).sort((one, other) => one - other);
  const others = switches.flatMap(({ cases }) => cases.flatMap(({ node }) => numbersIn(node)));
  return own.length > 0 ? [own, ...others] : others;
};

/** Numbers of the signals that come together, group by group. */
const groupedNumbers = (signals: readonly Signal[], tree: MuxNode): number[][] => {
  const groups = numbersIn(tree);
  const present = new Set(groups.flat());
  // Signals that no value of their switch brings: they are known, and never there.
  const never = [...signals.keys()].filter((number) => !present.has(number));
  return never.length > 0 ? [...groups, never] : groups;
};

/** Makes room for the samples of a message: one group for each condition that signals depend on. */
export const planGroups = (
  { signals, tree }: Pick<MessagePlan, 'signals' | 'tree'>,
  capacity: number,
): PlanGroups => {
  const places: GroupPlace[] = [];
  const groups = groupedNumbers(signals, tree).map((numbers) => {
    const group = new SampleGroup({ planSignals: signals, numbers, capacity });
    numbers.forEach((number, place) => {
      places[number] = { group, place };
    });
    return group;
  });
  return { groups, places };
};
