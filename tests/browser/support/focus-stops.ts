import type { Page } from 'playwright-core';
import { logFocus } from './in-page.js';

export interface FocusStop {
  /** Its test id or its text. */
  readonly name: string;
  readonly isMarked: boolean;
  /** Its index among all elements of the document. */
  readonly place: number;
}

/** Everything that the tab key reaches, in order. */
export const focusStops = async (page: Page): Promise<readonly FocusStop[]> => {
  const log = await page.evaluateHandle(logFocus);
  for (;;) {
    // Keys are processed in order; waiting for each would only take longer.
    await Promise.all(Array.from({ length: 40 }, () => page.keyboard.press('Tab')));
    const stops: readonly FocusStop[] = await log.evaluate((kept) => kept.stops);
    const again = stops.findIndex(({ place }, at) => at > 0 && place === stops[0]?.place);
    if (again < 0) continue;
    await log.evaluate((kept) => kept.end());
    return stops.slice(0, again);
  }
};
