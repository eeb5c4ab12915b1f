/** How long an answer may take unless the caller says otherwise. */
export const defaultTimeoutMs = 1000;

/** From one poll to the next unless the caller says otherwise. */
export const defaultPeriodMs = 1000;

/** Units that a scan looks for unless the caller says otherwise: all that serial lines can have. */
export const defaultScanUnits = '1-247';

/** How long a unit may take to answer a scan unless the caller says otherwise. */
export const defaultScanTimeoutMs = 200;
