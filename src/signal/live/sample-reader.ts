import type { Signal } from '../../database/model.ts';
import type { ValueLimits } from '../../database/value-limits.ts';
import { RawValues } from '../raw-values.ts';
import { SampleText } from '../sample-text.ts';
import { limitsOf } from '../signal-limits.ts';
import type { Sample } from './sample.ts';

/** Labels and units are for people; files may hold megabytes of them. */
const longestText = 1000;
const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}…` : text;

/** The frames that a group keeps, by their numbers. */
export interface KeptFrames {
  readonly signals: readonly Signal[];
  /** Copies what is kept of a frame to values of these signals. */
  load(frame: number, values: RawValues): void;
  /** The sequence of a frame, which is that of its first signal. */
  sequenceOf(frame: number): number;
  eventIdOf(frame: number): number;
  timestampUsOf(frame: number): number;
}

/** Makes samples of the frames that a group keeps. */
export class SampleReader {
  readonly #group: KeptFrames;
  readonly #values: RawValues;
  readonly #texts: SampleText;
  readonly #limits: readonly ValueLimits[];
  /** The frame whose values are at hand: all its samples are mostly read in a row. */
  #loaded = -1;

  constructor(group: KeptFrames) {
    this.#group = group;
    this.#values = new RawValues(group.signals);
    this.#texts = new SampleText(group.signals);
    this.#limits = group.signals.map(limitsOf);
  }

  /** The sample of a signal in a frame; null if the frame was too short for it. */
  sampleAt(frame: number, place: number): Sample | null {
    const group = this.#group;
    if (this.#loaded !== frame) {
      group.load(frame, this.#values);
      this.#loaded = frame;
    }
    const text = this.#texts.textOf(this.#values, place);
    if (text === null) return null;
    const { value, raw, label, unit } = text;
    return {
      sequence: group.sequenceOf(frame) + place,
      signal: group.signals[place]?.name ?? '',
      value,
      raw,
      label: label === null ? null : shortened(label),
      unit: shortened(unit),
      valid: value !== null && (this.#limits[place]?.include(value) ?? true),
      timestamp_us: group.timestampUsOf(frame),
      event_id: group.eventIdOf(frame),
    };
  }
}
