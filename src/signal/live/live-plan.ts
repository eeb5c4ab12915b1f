import { BusbarError, cursorExpired } from '../../base/errors/busbar-error.ts';
import type { Bounds } from '../../base/subscription.ts';
import { unknownName } from '../../base/suggest.ts';
import { distinctNames } from '../../database/distinct-names.ts';
import type { Message, Signal } from '../../database/model.ts';
import { frm2PayloadLength } from '../../frame/frm2-codec.ts';
import type { GroupMatch } from './group-match.ts';
import { boundsAfter, GroupSelection } from './group-selection.ts';
import { type GroupIndex, PlanPart, type PlanPartOptions } from './plan-part.ts';
import type { SampleGroup } from './sample-group.ts';
import type { Sample } from './sample-record.ts';

interface PlanOptions {
  readonly planId: string;
  readonly channel: number;
  readonly history: number;
}

/** Several messages, and which of them a frame belongs to. */
export interface PlanMessages {
  readonly parts: readonly PlanPartOptions[];
  /** Index of the part; -1 for frames of no part. */
  readonly partOf: (id: number, extended: boolean) => number;
}

export type LivePlanOptions = PlanOptions & (PlanPartOptions | { readonly several: PlanMessages });

export interface SamplePage extends Bounds {
  readonly samples: readonly Sample[];
  readonly nextAfter: number;
}

/** Frames of arbitrary identifiers must not fill the memory. */
const maxKnownFrames = 65_536;

export class LivePlan {
  readonly planId: string;
  readonly channel: number;
  readonly parts: readonly PlanPart[];
  /** Null if the plan has several messages. */
  readonly message: Message | null;
  readonly messages: readonly string[];
  readonly signals: readonly Signal[];
  readonly capacity: number;
  readonly group: GroupMatch | null;
  isRemoved = false;
  readonly #numbersByName: ReadonlyMap<string, number>;
  readonly #places: readonly GroupIndex[];
  readonly #partOf: PlanMessages['partOf'] | null;
  readonly #partsByFrame = new Map<number, PlanPart | null>();
  #frames = 0;
  #samples = 0;

  constructor(options: LivePlanOptions) {
    const { planId, channel, history } = options;
    const several = 'several' in options ? options.several : null;
    this.planId = planId;
    this.channel = channel;
    this.capacity = history;
    const names = distinctNames(several?.parts.map(({ message }) => message.name) ?? []);
    this.messages = several ? names : [(options as PlanPartOptions).message.name];
    this.parts = several
      ? several.parts.map((part, index) => new PlanPart(planId, part, history, `${names[index]}.`))
      : [new PlanPart(planId, options as PlanPartOptions, history)];
    this.#partOf = several?.partOf ?? null;
    this.message = several ? null : (this.parts[0]?.message ?? null);
    this.group = several ? null : (this.parts[0]?.group ?? null);
    this.signals = this.parts.flatMap((part) => part.signals);
    this.#places = this.parts.flatMap(({ places }) => places);
    this.#numbersByName = new Map(this.signals.map(({ name }, number) => [name, number]));
  }

  get frames(): number {
    return this.#frames;
  }

  get samples(): number {
    return this.#samples;
  }

  get maxBytes(): number {
    return this.parts.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
  }

  get bytes(): number {
    return this.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The part that decodes a frame; `key` combines identifier and format. */
  partFor(key: number, id: number, extended: boolean): PlanPart | null {
    const known = this.#partsByFrame.get(key);
    if (known !== undefined) return known;
    if (this.#partsByFrame.size >= maxKnownFrames) this.#partsByFrame.clear();
    const part = this.parts[this.#partOf?.(id, extended) ?? 0] ?? null;
    this.#partsByFrame.set(key, part);
    return part;
  }

  /**
   * Decodes the payload of the FRM2 record at an offset. Its samples get sequences starting at
   * `sequence`; returns their number. Timestamps stay in the record until they are stored,
   * because large numbers as parameters would be allocated.
   */
  take(
    record: DataView,
    at: number,
    sequence: number,
    part = this.parts[0],
    length = frm2PayloadLength(record, at),
  ): number {
    if (part === undefined) return 0;
    const found = part.decode(record, at, length);
    this.#frames++;
    let next = sequence;
    for (const group of part.groups) {
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
    throw unknownName(
      'signal_not_found',
      {
        message: `Plan ${this.planId} has no signal ${signal}`,
        details: { field: 'signal', plan: this.planId, signal },
      },
      signal,
      this.#numbersByName.keys(),
    );
  }

  #noSample(signal: string): BusbarError {
    return new BusbarError('no_sample', { details: { plan: this.planId, signal } });
  }
}
