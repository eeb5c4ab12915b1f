import type { Page } from 'playwright-core';
import { logFocus } from './in-page.js';

export interface FocusStop {
  /** Its test id or its text. */
  readonly name: string;
  readonly isMarked: boolean;
  /** Where it is among all elements of the document. */
  readonly place: number;
}

/** Everything that the tab key reaches, from the beginning of the page to its end. */
export const focusStops = async (page: Page): Promise<readonly FocusStop[]> => {
  const log = await page.evaluateHandle(logFocus);
  for (;;) {
    // Keys are worked off in turn; waiting for each of them would only take longer.
    await Promise.all(Array.from({ length: 40 }, () => page.keyboard.press('Tab')));
    const stops: readonly FocusStop[] = await log.evaluate((kept) => kept.stops);
    const again = stops.findIndex(({ place }, at) => at > 0 && place === stops[0]?.place);
    if (again < 0) continue;
    await log.evaluate((kept) => kept.end());
    return stops.slice(0, again);
  }
};
