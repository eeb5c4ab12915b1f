import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Message, Signal } from '../../database/model.ts';
import { frm2 } from '../../frame/frm2-layout.ts';
import { compileDecoder, type Decode } from '../compile-decoder.ts';
import { type DecoderSource, planMessage } from '../decoder-source.ts';
import type { MuxNode } from '../mux-tree.ts';
import type { RawValues } from '../raw-values.ts';
import type { GroupMatch } from './group-match.ts';
import { SampleGroup } from './sample-group.ts';

export interface GroupIndex {
  readonly group: SampleGroup;
  readonly place: number;
}

export interface PlanPartOptions {
  readonly message: Message;
  readonly signals?: readonly string[] | undefined;
  readonly group?: GroupMatch | null | undefined;
}

interface NumberGroup {
  readonly numbers: readonly number[];
  readonly mux: readonly number[];
}

const groupsIn = (
  { signals, switches }: MuxNode,
  numberOf: (signal: Signal) => number,
  isVisible: (number: number) => boolean,
  mux: readonly number[] = [],
): NumberGroup[] => {
  const numbers = signals
    .map(({ number }) => number)
    .filter(isVisible)
    .sort((one, other) => one - other);
  const others = switches.flatMap(({ signal, cases }) => {
    const path = [...mux, numberOf(signal)];
    return cases.flatMap(({ node }) => groupsIn(node, numberOf, isVisible, path));
  });
  return numbers.length > 0 ? [{ numbers, mux }, ...others] : others;
};

/** Multiplexers above the signals of a selection that are not selected themselves. */
const hiddenSwitches = ({ signals }: Message, selection: readonly number[]): number[] => {
  const numbers = new Map(signals.map(({ name }, number) => [name, number]));
  const chosen = new Set(selection);
  const hidden = new Set<number>();
  for (const number of selection) {
    let parent = numbers.get(signals[number]?.multiplexing?.switch ?? '');
    while (parent !== undefined && !hidden.has(parent)) {
      if (!chosen.has(parent)) hidden.add(parent);
      parent = numbers.get(signals[parent]?.multiplexing?.switch ?? '');
      if (parent !== undefined && chosen.has(parent)) break;
    }
  }
  return [...hidden];
};

const placeIn = (message: Message, planId: string, name: string): number => {
  const number = message.signals.findIndex((signal) => signal.name === name);
  if (number >= 0) return number;
  throw new BusbarError('signal_not_found', {
    message: `${message.name} has no signal ${name}`,
    details: { plan: planId, signal: name },
  });
};

/** A message of a plan: its decoder, compiled for the first frame, and its samples. */
export class PlanPart {
  readonly message: Message;
  readonly group: GroupMatch | null;
  readonly signals: readonly Signal[];
  readonly groups: readonly SampleGroup[];
  readonly places: readonly GroupIndex[];
  readonly #selection: readonly number[];
  #decode: Decode | null = null;
  #found: RawValues | null = null;

  /** With a prefix, names of samples are unique over several messages. */
  constructor(planId: string, options: PlanPartOptions, capacity: number, prefix = '') {
    const { message, signals: names, group } = options;
    const chosen = names?.map((name) => placeIn(message, planId, name)) ?? [
      ...message.signals.keys(),
    ];
    this.#selection = [...chosen, ...hiddenSwitches(message, chosen)];
    const source: DecoderSource = planMessage(message, this.#selection);
    if (chosen.length === 0) throw invalidArgument('signals', 'A plan needs at least one signal');
    this.message = message;
    this.group = group ?? null;
    const named = source.signals.map((signal) => ({ ...signal, name: prefix + signal.name }));
    const planSignals = prefix === '' ? source.signals : named;
    this.signals = planSignals.slice(0, chosen.length);
    const places: GroupIndex[] = [];
    const isVisible = (number: number): boolean => number < chosen.length;
    const found = groupsIn(source.tree, (signal) => source.signals.indexOf(signal), isVisible);
    const present = new Set(found.flatMap(({ numbers }) => numbers));
    // Signals that no multiplexer value selects are never present.
    const never = [...this.signals.keys()].filter((number) => !present.has(number));
    if (never.length > 0) found.push({ numbers: never, mux: [] });
    const hasSource = message.pgn !== undefined;
    this.groups = found.map(({ numbers, mux }) => {
      const samples = new SampleGroup({ planSignals, numbers, mux, hasSource, capacity });
      numbers.forEach((number, place) => {
        places[number] = { group: samples, place };
      });
      return samples;
    });
    this.places = places;
  }

  get maxBytes(): number {
    return this.groups.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  }

  get bytes(): number {
    return this.groups.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  decode(record: DataView, at: number, length: number): RawValues {
    const found = this.#found ?? this.#compile();
    this.#decode?.(record, at + frm2.payload, length, found);
    return found;
  }

  #compile(): RawValues {
    const decoder = compileDecoder(this.message, this.#selection);
    this.#decode = decoder.decode;
    this.#found = decoder.newValues();
    return this.#found;
  }
}
