import type { Endpoint, LateUnitSettings } from '../transport/endpoint.ts';

/** What a caller wants to be done with a unit that did not answer in time. */
export type UnitTuning = LateUnitSettings;

export const defaultTuning: UnitTuning = {};

/** What an endpoint says about one of its units. */
export const tuningOf = (endpoint: Endpoint, unit: number): UnitTuning => {
  if (endpoint.kind === 'tcp') return defaultTuning;
  const { lateMs, probe, units } = endpoint;
  const single = units?.[unit];
  return { lateMs: single?.lateMs ?? lateMs, probe: single?.probe ?? probe };
};
