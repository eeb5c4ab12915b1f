/** How long an answer may take where nobody says otherwise. */
export const usualTimeoutMs = 1000;

/** From one poll to the next where nobody says otherwise. */
export const usualPeriodMs = 1000;

/** Units that a scan looks for where nobody says otherwise: all that serial lines can have. */
export const usualScanUnits = '1-247';

/** How long a unit may take to answer a scan where nobody says otherwise. */
export const usualScanTimeoutMs = 200;
