import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { loadSystemTimer } from '../../base/native/system-timer.ts';
import { openDescriptors } from '../../base/testing/open-descriptors.ts';
import { rehearse } from './rehearsal.ts';

describe('a rehearsal of the bench thread', () => {
  it('carries out every step and leaves nothing open', async () => {
    const clock = new SystemClock();
    const openTimer = await loadSystemTimer(clock);
    const defects: unknown[] = [];
    const before = openDescriptors();
    await rehearse(clock, openTimer, (thrown) => defects.push(thrown));
    expect(defects).toEqual([]);
    expect(openDescriptors()).toEqual(before);
  });
});
