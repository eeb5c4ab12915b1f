import type { Signal } from '../../database/model.ts';
import { frameLengthFor } from '../../frame/dlc.ts';
import type { MessagePlan } from '../message-plan.ts';
import type { MuxNode, PlacedSignal } from '../mux-tree.ts';
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

/** Signals with the same condition come together in every frame that is long enough for one of them. */
const byFrameLength = (signals: readonly PlacedSignal[]): number[][] => {
  const groups = new Map<number, number[]>();
  for (const { layout, number } of signals) {
    const length = frameLengthFor(layout.endByte);
    const group = groups.get(length);
    if (group === undefined) groups.set(length, [number]);
    else group.push(number);
  }
  return [...groups.values()]
    .map((numbers) => numbers.sort((one, other) => one - other))
    .sort(([one = 0], [other = 0]) => one - other);
};

const numbersIn = ({ signals, switches }: MuxNode): number[][] => [
  ...byFrameLength(signals),
  ...switches.flatMap(({ cases }) => cases.flatMap(({ node }) => numbersIn(node))),
];

/** Numbers of the signals that come together, group by group. */
const groupedNumbers = (signals: readonly Signal[], tree: MuxNode): number[][] => {
  const groups = numbersIn(tree);
  const present = new Set(groups.flat());
  // Signals that no value of their switch brings: they are known, and never there.
  const never = [...signals.keys()].filter((number) => !present.has(number));
  return never.length > 0 ? [...groups, never] : groups;
};

/**
 * Makes room for the samples of a message: one group for each condition that signals depend on, and
 * for each length that a frame must have to hold them. In one group, short frames would push out
 * samples of signals that they do not have.
 */
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
