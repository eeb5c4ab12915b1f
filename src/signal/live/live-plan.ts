import { BusbarError, cursorExpired, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { Bounds } from '../../base/subscription.ts';
import type { Message, Signal } from '../../database/model.ts';
import { frm2PayloadLength } from '../../frame/frm2-codec.ts';
import { frm2 } from '../../frame/frm2-layout.ts';
import { compileDecoder, type Decode } from '../compile-decoder.ts';
import { type DecoderSource, planMessage } from '../decoder-source.ts';
import type { MuxNode } from '../mux-tree.ts';
import type { RawValues } from '../raw-values.ts';
import type { GroupMatch } from './group-match.ts';
import { boundsAfter, GroupSelection } from './group-selection.ts';
import { SampleGroup } from './sample-group.ts';
import type { Sample } from './sample-record.ts';

interface GroupIndex {
  readonly group: SampleGroup;
  readonly place: number;
}

interface PlanGroups {
  readonly groups: readonly SampleGroup[];
  readonly places: readonly GroupIndex[];
}

const numbersIn = ({ signals, switches }: MuxNode): number[][] => {
  const own = signals.map(({ number }) => number).sort((one, other) => one - other);
  const others = switches.flatMap(({ cases }) => cases.flatMap(({ node }) => numbersIn(node)));
  return own.length > 0 ? [own, ...others] : others;
};

const groupedNumbers = (signals: readonly Signal[], tree: MuxNode): number[][] => {
  const groups = numbersIn(tree);
  const present = new Set(groups.flat());
  // Signals that no multiplexer value selects are never present.
  const never = [...signals.keys()].filter((number) => !present.has(number));
  return never.length > 0 ? [...groups, never] : groups;
};

/** Allocates sample memory of a message: one group for each multiplexer condition. */
const planGroups = (
  { signals, tree }: Pick<DecoderSource, 'signals' | 'tree'>,
  capacity: number,
): PlanGroups => {
  const places: GroupIndex[] = [];
  const groups = groupedNumbers(signals, tree).map((numbers) => {
    const group = new SampleGroup({ planSignals: signals, numbers, capacity });
    numbers.forEach((number, place) => {
      places[number] = { group, place };
    });
    return group;
  });
  return { groups, places };
};

export interface LivePlanOptions {
  readonly planId: string;
  readonly channel: number;
  readonly message: Message;
  readonly signals?: readonly string[];
  readonly history: number;
  readonly group?: GroupMatch | null;
}

export interface SamplePage extends Bounds {
  readonly samples: readonly Sample[];
  readonly nextAfter: number;
}

const placeIn = (message: Message, planId: string, name: string): number => {
  const number = message.signals.findIndex((signal) => signal.name === name);
  if (number >= 0) return number;
  throw signalNotFound(planId, name, `${message.name} has no signal ${name}`);
};

const signalNotFound = (plan: string, signal: string, message: string): BusbarError =>
  new BusbarError('signal_not_found', { message, details: { plan, signal } });

export class LivePlan {
  readonly planId: string;
  readonly channel: number;
  readonly message: Message;
  readonly signals: readonly Signal[];
  readonly capacity: number;
  readonly group: GroupMatch | null;
  isRemoved = false;
  readonly #groups: readonly SampleGroup[];
  readonly #numbersByName: ReadonlyMap<string, number>;
  readonly #places: readonly GroupIndex[];
  readonly #decode: Decode;
  readonly #found: RawValues;
  #frames = 0;
  #samples = 0;

  constructor({ planId, channel, message, signals: names, history, group }: LivePlanOptions) {
    const selection = names?.map((name) => placeIn(message, planId, name));
    const { signals, tree } = planMessage(message, selection);
    if (signals.length === 0) throw invalidArgument('signals', 'A plan needs at least one signal');
    this.planId = planId;
    this.channel = channel;
    this.message = message;
    this.signals = signals;
    this.capacity = history;
    this.group = group ?? null;
    const decoder = compileDecoder(message, selection);
    this.#decode = decoder.decode;
    this.#found = decoder.newValues();
    const { groups, places } = planGroups({ signals, tree }, history);
    this.#groups = groups;
    this.#places = places;
    this.#numbersByName = new Map(signals.map(({ name }, number) => [name, number]));
  }

  get frames(): number {
    return this.#frames;
  }

  get samples(): number {
    return this.#samples;
  }

  get maxBytes(): number {
    return this.#groups.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  }

  get bytes(): number {
    return this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Decodes the frame of the FRM2 record at an offset. Its samples get sequences starting at
   * `sequence`; returns their number. Timestamps stay in the record until they are stored,
   * because large numbers as parameters would be allocated.
   */
  take(record: DataView, at: number, sequence: number): number {
    const found = this.#found;
    this.#decode(record, at + frm2.payload, frm2PayloadLength(record, at), found);
    this.#frames++;
    let next = sequence;
    for (const group of this.#groups) {
      if (!group.isIn(found.present)) continue;
      this.#samples += group.push(found, record, at, next);
      next += group.signals.length;
    }
    return next - sequence;
  }

  has(signal: string): boolean {
    return this.#numbersByName.has(signal);
  }

  select(signals: readonly string[] | null): GroupSelection[] {
    const numbers = signals?.map((name) => this.#numberOf(name)) ?? this.signals.keys();
    const places = new Map<SampleGroup, Set<number>>();
    for (const number of numbers) {
      const { group, place } = this.#places[number] as GroupIndex;
      places.set(group, (places.get(group) ?? new Set()).add(place));
    }
    return [...places].map(
      ([group, chosen]) =>
        new GroupSelection(
          group,
          [...chosen].sort((one, other) => one - other),
        ),
    );
  }

  latest(signal: string): Sample {
    const { group, place } = this.#placeOf(signal);
    const sample = group.latestOf(place);
    if (!sample) throw this.#noSample(signal);
    return sample;
  }

  /**
   * Samples of a signal after a sequence, up to `limit`. A cursor expires when later samples
   * were overwritten or when it is beyond `newestSequence`; 0 requests all available samples
   * and never expires.
   */
  history(signal: string, after: number, limit: number, newestSequence: number): SamplePage {
    const { group, place } = this.#placeOf(signal);
    const selection = new GroupSelection(group, [place]);
    const lost = selection.newestLost();
    const bounds = boundsAfter([selection], lost);
    if (bounds.newestAvailable === 0) throw this.#noSample(signal);
    if (after > newestSequence || (after > 0 && after < lost)) {
      throw cursorExpired('sample', after, bounds);
    }
    const samples: Sample[] = [];
    let frame = group.firstFrameAfter(after);
    while (frame < group.frames && samples.length < limit) {
      const sample = group.reader.sampleAt(frame++, place);
      if (sample !== null && sample.sequence > after) samples.push(sample);
    }
    // An empty page moves the cursor past all existing sequences.
    const nextAfter = samples.at(-1)?.sequence ?? newestSequence;
    return { samples, nextAfter, ...bounds };
  }

  #placeOf(signal: string): GroupIndex {
    return this.#places[this.#numberOf(signal)] as GroupIndex;
  }

  #numberOf(signal: string): number {
    const number = this.#numbersByName.get(signal);
    if (number !== undefined) return number;
    throw signalNotFound(this.planId, signal, `Plan ${this.planId} has no signal ${signal}`);
  }

  #noSample(signal: string): BusbarError {
    return new BusbarError('no_sample', { details: { plan: this.planId, signal } });
  }
}
