import { BusbarError, invalidArgument } from '../../base/errors/busbar-error.ts';
import type { BenchSource, FoundChannel } from '../../bench/channel-table.ts';
import { unitRange } from '../../modbus/framing/unit-ids.ts';
import type { ModbusLinks } from '../../modbus/service/modbus-links.ts';
import { namedEndpoint } from '../../modbus/service/named-endpoint.ts';
import type { ResolvedTarget } from '../../modbus/service/served-endpoint.ts';
import { reasonOf } from '../../modbus/session/session-errors.ts';
import { tuningOf, type UnitTuning } from '../../modbus/session/unit-tuning.ts';

export type FoundEndpoint = { readonly id: string; readonly network: string } & (
  | { readonly role: 'can'; readonly found: FoundChannel }
  | { readonly role: 'client'; readonly place: ResolvedUnit; readonly timeoutMs: number }
  | { readonly role: 'server'; readonly place: ResolvedUnit }
);

export interface ProjectEndpoint {
  readonly id: string;
  readonly network: string;
  readonly node: number;
}

export interface ResolvedUnit extends ResolvedTarget {
  readonly unit: number;
  readonly tuning: UnitTuning;
}

/** Fields that only a project has. A request to start an instance does not contain them. */
const projectFields: readonly unknown[] = ['network', 'node'];

/** Runs a step for an endpoint of a project. Every error names the endpoint. */
export const forEndpoint = async <Result>(
  { id, network }: Pick<ProjectEndpoint, 'id' | 'network'>,
  work: () => Promise<Result> | Result,
): Promise<Result> => {
  try {
    return await work();
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    const { field, ...others } = error.details;
    const named = projectFields.includes(field) ? { project_field: field } : { field };
    throw error.with({
      message: `${id}: ${error.message}`,
      details: { ...others, ...(field !== undefined && named), endpoint: id, network },
    });
  }
};

const requireNode = (kind: Parameters<typeof unitRange>[0], node: number): void => {
  const { minimum, maximum } = unitRange(kind);
  if (node >= minimum && node <= maximum) return;
  throw invalidArgument(
    'node',
    `node is ${node}; units of this network are ${minimum} to ${maximum}`,
    { reason: 'range', minimum, maximum },
  );
};

const targetOf = async (network: string, bench: BenchSource) => {
  try {
    return await namedEndpoint({ network }, bench);
  } catch (thrown) {
    const error = BusbarError.from(thrown);
    if (reasonOf(error) !== 'unknown_network') throw error;
    throw new BusbarError('network_unbound', { message: error.message, cause: error });
  }
};

/**
 * Resolves an endpoint on the current bench. Fails if the bench has no such Modbus network,
 * unit, name or device. Does not require a response from the unit.
 */
export const resolveModbus = (
  endpoint: ProjectEndpoint,
  bench: BenchSource,
  links: Pick<ModbusLinks, 'resolve'>,
): Promise<ResolvedUnit> =>
  forEndpoint(endpoint, async () => {
    const { network, node: unit } = endpoint;
    const target = await targetOf(network, bench);
    requireNode(target.endpoint.kind, unit);
    const resolved = await links.resolve(target.endpoint);
    return { ...target, resolved, unit, tuning: tuningOf(target.endpoint, unit) };
  });
