import { planPolls } from '../modbus/poll-plan.ts';
import type { Project } from '../project/project.ts';
import {
  accesses,
  type ModbusResourceRow,
  modbusTables,
  staleMsOf,
} from '../project/tables/modbus-resources.ts';
import { addressesOf } from '../project/validate/modbus-words.ts';
import { NumberLists } from './plan-graph.ts';
import {
  endpointPlanTable,
  noBitOffset,
  pollFillTable,
  pollPlanTable,
  resourcePlanTable,
} from './plan-tables.ts';
import type { RowNumbers } from './row-numbers.ts';

/** What endpoints are, in the order of the numbers that stand for it. */
export const endpointRoles = ['can', 'client', 'server'] as const;
export type EndpointRole = (typeof endpointRoles)[number];

const buildEndpoints = ({ endpoints }: Project, ofEndpoints: NumberLists) => {
  const { buffer, columns } = endpointPlanTable.create(endpoints.length);
  for (const [index, endpoint] of endpoints.entries()) {
    const isModbus = endpoint.kind === 'modbus';
    columns.role[index] = endpointRoles.indexOf(isModbus ? endpoint.role : 'can');
    columns.unit[index] = isModbus ? endpoint.node : 0;
    columns.timeoutMs[index] = 'timeout_ms' in endpoint ? endpoint.timeout_ms : 0;
  }
  const endpointResources = ofEndpoints.build((endpoint, first, count) => {
    columns.firstResource[endpoint] = first;
    columns.resources[endpoint] = count;
  });
  return { endpoints: buffer, endpointResources };
};

const buildPolls = (resources: readonly ModbusResourceRow[], rows: RowNumbers) => {
  const reads = planPolls(resources);
  const { buffer, columns } = pollPlanTable.create(reads.length);
  const fills = pollFillTable.create(reads.reduce((sum, read) => sum + read.fills.length, 0));
  let nextFill = 0;
  for (const [index, { endpoint, pollMs, request, fills: filled }] of reads.entries()) {
    const [first] = filled;
    columns.endpoint[index] = rows.of('endpoints', endpoint);
    columns.table[index] = modbusTables.indexOf(first?.resource.table ?? 'holding');
    columns.address[index] = request.address;
    columns.items[index] = request.count;
    columns.pollMs[index] = pollMs;
    columns.firstFill[index] = nextFill;
    columns.fills[index] = filled.length;
    for (const { resource, at } of filled) {
      fills.columns.resource[nextFill] = rows.of('modbus_resources', resource.id);
      fills.columns.at[nextFill++] = at;
    }
  }
  return { polls: buffer, pollFills: fills.buffer };
};

/** The part of a plan that is about units; `place` puts the received bindings of a resource where they belong. */
export const planModbus = (
  project: Project,
  rows: RowNumbers,
  place: (resource: ModbusResourceRow) => { readonly first: number; readonly count: number },
) => {
  const { modbus_resources: resources } = project;
  const { buffer, columns } = resourcePlanTable.create(resources.length);
  for (const [index, resource] of resources.entries()) {
    const { first, count } = place(resource);
    columns.endpoint[index] = rows.of('endpoints', resource.endpoint);
    columns.table[index] = modbusTables.indexOf(resource.table);
    columns.address[index] = resource.address;
    columns.items[index] = addressesOf(resource);
    columns.bitOffset[index] = resource.bit_offset ?? noBitOffset;
    columns.access[index] = accesses.indexOf(resource.access);
    columns.staleUs[index] = 1000 * staleMsOf(resource);
    columns.firstBinding[index] = first;
    columns.bindings[index] = count;
  }
  const ofEndpoints = new NumberLists(project.endpoints.length);
  const order = Uint32Array.from(resources.keys()).sort(
    (one, other) =>
      (columns.table[one] as number) - (columns.table[other] as number) ||
      (columns.address[one] as number) - (columns.address[other] as number),
  );
  for (const resource of order) ofEndpoints.add(columns.endpoint[resource] as number, resource);
  return {
    resources: buffer,
    ...buildEndpoints(project, ofEndpoints),
    ...buildPolls(resources, rows),
  };
};
