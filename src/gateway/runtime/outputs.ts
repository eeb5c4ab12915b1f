import { lengthToDlc } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { listenPlaceOf } from '../../modbus/service/served-place.ts';
import { ImageReader } from '../image/image-reader.ts';
import { taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { Output } from '../instances/output-owners.ts';
import { numberListTable, outputPlanTable, resourcePlanTable } from '../plan/plan-tables.ts';
import { modbusTables } from '../project/tables/modbus-resources.ts';
import type { OutputFrame } from './channel-link.ts';
import type { FoundEndpoint } from './found-endpoint.ts';
import type { ResolvedUnit } from './resolve-modbus.ts';

/** A message that a task sends, and the endpoint that it goes to. */
export interface PlannedOutput extends OutputFrame {
  readonly endpoint: number;
}

/** What tasks send, in the order of the tasks; those that write to units send nothing. */
export function* plannedOutputs({ plan, tasks }: ProjectImage): Generator<PlannedOutput> {
  const rows = outputPlanTable.open(plan.outputs);
  for (const [task, endpoint] of taskTable.open(tasks).endpoint.entries()) {
    const isFd = rows.fd[task] === 1;
    const flags =
      (rows.extended[task] === 1 ? frameFlag.extended : 0) |
      (isFd ? frameFlag.fd : 0) |
      (rows.brs[task] === 1 ? frameFlag.brs : 0);
    const dlc = lengthToDlc(rows.length[task] ?? 0, isFd);
    yield { task, endpoint, canId: rows.canId[task] ?? 0, flags, dlc };
  }
}

/** All that is driven on these endpoints: messages, words of units, and places that are served. */
export function* claimedOutputs(
  image: ProjectImage,
  outputs: readonly PlannedOutput[],
  endpoints: readonly FoundEndpoint[],
): Generator<Output> {
  const reader = new ImageReader(image);
  const rows = outputPlanTable.open(image.plan.outputs);
  const { number: written } = numberListTable.open(image.plan.taskResources);
  const resources = resourcePlanTable.open(image.plan.resources);
  for (const { task: number, endpoint, canId, flags } of outputs) {
    const place = endpoints[endpoint];
    const { id: task } = reader.task(number);
    if (place?.role === 'can') {
      const extended = (flags & frameFlag.extended) !== 0;
      yield { task, channel: place.found.channel.selector, canId, extended };
    } else if (place?.role === 'client') {
      const { unit } = place.place;
      const first = rows.firstResource[number] ?? 0;
      for (const resource of written.subarray(first, first + (rows.resources[number] ?? 0))) {
        yield {
          task,
          ...placeOf(place.place),
          unit,
          table: modbusTables[resources.table[resource] ?? 0] === 'coil' ? 'coil' : 'holding',
          address: resources.address[resource] ?? 0,
          count: resources.items[resource] ?? 1,
        };
      }
    }
  }
  for (const endpoint of endpoints) {
    if (endpoint.role !== 'server') continue;
    const { resolved, named, unit } = endpoint.place;
    yield { listens: listenPlaceOf(resolved), endpoint: named.endpoint, unit };
  }
}

const placeOf = ({ resolved, named }: ResolvedUnit) => ({
  place: resolved.key,
  endpoint: named.endpoint,
});
