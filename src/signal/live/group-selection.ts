import type { Bounds } from '../../base/subscription.ts';
import type { SampleGroup } from './sample-group.ts';

/** Some signals of a group, with sample statistics that need no decoding. */
export class GroupSelection {
  readonly group: SampleGroup;
  readonly places: readonly number[];

  constructor(group: SampleGroup, places: readonly number[]) {
    this.group = group;
    this.places = places;
  }

  newestLost(): number {
    let newest = 0;
    for (const place of this.places) newest = Math.max(newest, this.group.lostSequenceOf(place));
    return newest;
  }

  oldestAfter(sequence: number): number | null {
    const { group } = this;
    for (let frame = group.firstFrameAfter(sequence); frame < group.frames; frame++) {
      const first = group.sequenceOf(frame);
      for (const place of this.places) {
        if (first + place > sequence && group.has(frame, place)) return first + place;
      }
    }
    return null;
  }

  newest(): number | null {
    const { group, places } = this;
    for (let frame = group.frames - 1; frame >= group.oldestFrame; frame--) {
      for (let at = places.length - 1; at >= 0; at--) {
        const place = places[at] as number;
        if (group.has(frame, place)) return group.sequenceOf(frame) + place;
      }
    }
    return null;
  }

  countUpTo(sequence: number): number {
    const { group, places } = this;
    const end = group.firstFrameAfter(sequence);
    let count = this.#lostCount() + this.#countBefore(end);
    if (end === group.frames) return count;
    const first = group.sequenceOf(end);
    for (const place of places) if (first + place <= sequence && group.has(end, place)) count++;
    return count;
  }

  #lostCount(): number {
    let count = 0;
    for (const place of this.places) count += this.group.lostCountOf(place);
    return count;
  }

  #countBefore(end: number): number {
    const { group, places } = this;
    if (group.isComplete) return (end - group.oldestFrame) * places.length;
    let count = 0;
    for (let frame = group.oldestFrame; frame < end; frame++) {
      for (const place of places) if (group.has(frame, place)) count++;
    }
    return count;
  }
}

export const boundsAfter = (selections: Iterable<GroupSelection>, lost: number): Bounds => {
  let oldest = Number.POSITIVE_INFINITY;
  let newest = lost;
  for (const selection of selections) {
    oldest = Math.min(oldest, selection.oldestAfter(lost) ?? oldest);
    newest = Math.max(newest, selection.newest() ?? newest);
  }
  return { oldestAvailable: Math.min(oldest, newest + 1), newestAvailable: newest };
};
