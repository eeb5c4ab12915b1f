export const defaultTimeoutMs = 1000;

export const defaultPeriodMs = 1000;

/** All units that a serial line can have. */
export const defaultScanUnits = '1-247';

export const defaultScanTimeoutMs = 200;
