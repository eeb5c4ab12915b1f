export const defaultTimeoutMs = 1000;

export const defaultPeriodMs = 1000;

export const defaultScanUnits = '1-247';

export const defaultScanTimeoutMs = 200;
