import type { Endpoint, LateUnitSettings } from '../transport/endpoint.ts';

/** How a caller wants a late unit to be treated. */
export type UnitTuning = LateUnitSettings;

export const defaultTuning: UnitTuning = {};

/** Settings of one unit of an endpoint. */
export const tuningOf = (endpoint: Endpoint, unit: number): UnitTuning => {
  if (endpoint.kind === 'tcp') return defaultTuning;
  const { lateMs, probe, units } = endpoint;
  const single = units?.[unit];
  return { lateMs: single?.lateMs ?? lateMs, probe: single?.probe ?? probe };
};
