/** How long an answer may take where nobody says otherwise. */
export const usualTimeoutMs = 1000;

/** From one poll to the next where nobody says otherwise. */
export const usualPeriodMs = 1000;
