export const defaultTimeoutMs = 1000;

export const defaultPeriodMs = 1000;

/** Default units of a scan: all that a serial line can have. */
export const defaultScanUnits = '1-247';

export const defaultScanTimeoutMs = 200;
