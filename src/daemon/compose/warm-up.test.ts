import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { loadSystemTimer } from '../../base/native/system-timer.ts';
import { openDescriptors } from '../../base/testing/open-descriptors.ts';
import { buildImage } from '../../gateway/image/build-image.ts';
import { loadProject } from '../../gateway/project/load-project.ts';
import { warmUp } from './warm-up.ts';

describe('the warm-up of the bench thread', () => {
  it('carries out every step and leaves nothing open', async () => {
    const clock = new SystemClock();
    const openTimer = await loadSystemTimer(clock);
    const defects: unknown[] = [];
    const before = openDescriptors();
    await warmUp({
      clock,
      openTimer,
      buildProject: async (text) => buildImage(loadProject(Buffer.from(text))),
      onDefect: (thrown) => defects.push(thrown),
    });
    expect(defects).toEqual([]);
    expect(openDescriptors()).toEqual(before);
  });

  it('goes on without what it cannot build', async () => {
    const clock = new SystemClock();
    const openTimer = await loadSystemTimer(clock);
    const defects: unknown[] = [];
    const before = openDescriptors();
    const refusal = new Error('no memory for another thread');
    await warmUp({
      clock,
      openTimer,
      buildProject: () => Promise.reject(refusal),
      onDefect: (thrown) => defects.push(thrown),
    });
    expect(defects).toEqual([refusal]);
    expect(openDescriptors()).toEqual(before);
  });
});
