import type { Endpoint, LateUnitSettings } from '../transport/endpoint.ts';

export type UnitTuning = LateUnitSettings;

export const defaultTuning: UnitTuning = {};

export const tuningOf = (endpoint: Endpoint, unit: number): UnitTuning => {
  if (endpoint.kind === 'tcp') return defaultTuning;
  const { lateMs, probe, units } = endpoint;
  const single = units?.[unit];
  return { lateMs: single?.lateMs ?? lateMs, probe: single?.probe ?? probe };
};
