import { type Static, Type } from 'typebox';
import { counted, named } from '../../base/schema/schemas.ts';
import { faultStateTable, instanceStateTable } from '../image/image-tables.ts';
import { GatewayInstance } from './instance-record.ts';
import type { SharedInstance } from './instance-registry.ts';

const { instance, loaded_at_us, state, health } = GatewayInstance.properties;

export const GatewaySummary = named(
  'GatewaySummary',
  Type.Object({
    instance,
    loaded_at_us,
    state,
    health,
    enabled_faults: counted('Fault rules that are switched on'),
  }),
);
export type GatewaySummary = Static<typeof GatewaySummary>;

/** Reads numbers of the shared state without waiting for a plugin. */
export const instanceSummary = (shared: SharedInstance): GatewaySummary => {
  const { name, loadedAtUs, image, endpoints } = shared;
  const isDown = shared.state === 'running' && endpoints.some(({ connected }) => !connected);
  const { failedTasks, failedChecks } = instanceStateTable.open(image.state.instance);
  const { enabled } = faultStateTable.open(image.state.faults);
  return {
    instance: name,
    loaded_at_us: loadedAtUs,
    state: shared.state,
    health: isDown || (failedTasks[0] ?? 0) + (failedChecks[0] ?? 0) > 0 ? 'degraded' : 'ok',
    enabled_faults: enabled.reduce((sum, each) => sum + each, 0),
  };
};
