import { describe, expect, it } from 'vitest';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { readLoose } from '../project/testing/read-text.ts';
import { buildImage } from './build-image.ts';
import { ChangeTracker } from './change-tracker.ts';
import { ImageReader } from './image-reader.ts';
import { StateWriter } from './image-state.ts';
import { changeOfSet } from './set-signal.ts';

const setUp = (count = 3) => {
  const project = coolantProject();
  const template = { type: 'float64', producer: 'software' };
  project.signals[2].producer = 'software';
  for (let index = 3; index < count; index++) {
    project.signals.push({ id: `more.${index}`, ...template });
  }
  const image = buildImage(readLoose(project).toProject());
  const reader = new ImageReader(image);
  const writer = new StateWriter(image);
  const tracker = new ChangeTracker(image, reader);
  let nowUs = 0;
  const set = (id: string, value: string): void => {
    nowUs += 1;
    writer.apply(changeOfSet(reader, id, value, nowUs));
  };
  const changedSince = (since: number): number[] => {
    const found: number[] = [];
    let signal = tracker.nextChanged(0, since);
    while (signal < tracker.count) {
      found.push(signal);
      signal = tracker.nextChanged(signal + 1, since);
    }
    return found;
  };
  return { tracker, set, changedSince };
};

describe('ChangeTracker', () => {
  it('calls everything new at first, and nothing changed before something is', () => {
    const { tracker, changedSince } = setUp();
    expect(changedSince(0)).toEqual([0, 1, 2]);
    const { mark } = tracker;
    tracker.scan();
    expect(tracker.mark).toBe(mark);
    expect(changedSince(mark)).toEqual([]);
  });

  it('finds what has changed since each mark', () => {
    const { tracker, set, changedSince } = setUp(2100);
    const first = tracker.mark;
    set('pump', '55');
    set('more.2000', '0.5');
    expect(changedSince(first)).toEqual([]);
    tracker.scan();
    const second = tracker.mark;
    expect(changedSince(first)).toEqual([2, 2000]);
    set('more.1023', '7');
    tracker.scan();
    expect(changedSince(second)).toEqual([1023]);
    expect(changedSince(first)).toEqual([2, 1023, 2000]);
  });

  it('does not call the same value a change, and a value that came and went neither', () => {
    const { tracker, set } = setUp();
    set('pump', '55');
    tracker.scan();
    const { mark } = tracker;
    set('pump', '55');
    tracker.scan();
    set('pump', '56');
    set('pump', '55');
    tracker.scan();
    expect(tracker.mark).toBe(mark);
  });

  it('sees what changes in bindings alone', () => {
    const { tracker, set, changedSince } = setUp();
    // Neither value fits the field, whose last raw value stays: only the value changes the second
    // time.
    set('pump', '101');
    tracker.scan();
    const { mark } = tracker;
    set('pump', '102');
    tracker.scan();
    expect(changedSince(mark)).toEqual([2]);
  });

  it('tells an integer from the double next to it', () => {
    const { tracker, set, changedSince } = setUp();
    set('pump', '9007199254740992');
    tracker.scan();
    const { mark } = tracker;
    set('pump', '9007199254740993');
    tracker.scan();
    expect(changedSince(mark)).toEqual([2]);
  });
});
