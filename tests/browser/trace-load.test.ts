import { describe, expect, it, onTestFinished } from 'vitest';
import { openPage } from '../../bench/chromium.mjs';
import { hasRows, isLive, traceFigures, watchUpdates } from '../../bench/console-trace/in-page.mjs';
import { loadTasks } from '../../bench/console-trace/load.mjs';
import { fastChannels } from '../../bench/daemon.mjs';
import { isLong } from '../../src/base/testing/long.ts';
import { hasBrowser } from '../support/browser.ts';
import { eventually, setUpWorkbench } from '../support/workbench.ts';

/** Stream status as shown by the page. */
interface Figures {
  readonly cursor: number;
  readonly received: number;
  readonly kept: number;
  readonly missing: string;
  readonly gaps: number;
  readonly updates: number;
}

/** Three seconds of frames, on an idle machine. */
const enoughFrames = 60_000;
/** Maximum number of frames that a page stores. */
const keptFrames = 262_144;
/** More than a page would show that only draws between reads. */
const enoughUpdates = 20;

const newestEvent = async (listen: string): Promise<number> => {
  const response = await fetch(`http://${listen}/api/v1/messages/history?limit=1`);
  const { newest_available } = (await response.json()) as { newest_available: number };
  return newest_available;
};

describe.runIf(isLong && hasBrowser())('the trace under 20,000 frames a second', () => {
  it('takes every frame, goes on to renew the picture, and keeps no more than it has room for', async () => {
    const bench = setUpWorkbench();
    await bench.json('daemon', 'start', ...fastChannels);
    // A busy machine may pause for longer than the usual history at this rate.
    const { listen } = await bench.startWeb('--history-capacity=262144');
    const page = await openPage(`http://${listen}/#trace`, {
      folder: bench.project,
      width: 1280,
      height: 800,
    });
    onTestFinished(() => page.close());
    const figures = (): Promise<Figures> => page.evaluate(traceFigures);
    await eventually(() => page.evaluate(isLive));
    // The load begins here.
    const before = await newestEvent(listen);

    const tasks = await Promise.all(
      loadTasks.map((task) => bench.json<{ task_id: string }>(...task)),
    );
    await eventually(() => page.evaluate(hasRows));
    await page.evaluate(watchUpdates);
    await eventually(async () => {
      const { updates, received } = await figures();
      return updates >= enoughUpdates && received >= enoughFrames;
    });
    await Promise.all(tasks.map(({ task_id }) => bench.json('tx-task', 'remove', task_id)));
    // Frames in transit when the tasks ended still become events.
    let after = 0;
    let last = await figures();
    await eventually(async () => {
      after = await newestEvent(listen);
      last = await figures();
      return last.cursor === after;
    });

    const { received, kept, gaps, missing } = last;
    expect({ received, gaps, missing }).toEqual({
      received: after - before,
      gaps: 0,
      missing: '0 in 0 gaps',
    });
    if (received <= keptFrames) expect(kept).toBe(received);
    else expect(kept).toBeLessThanOrEqual(keptFrames);
  });
});
