import { lengthToDlc } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { listenPlaceOf } from '../../modbus/service/served-endpoint.ts';
import { ImageReader } from '../image/image-reader.ts';
import { listTable, messageTable, resourceTable, taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import type { Output } from '../instances/output-owners.ts';
import { modbusTables } from '../project/tables/modbus-resources.ts';
import type { FoundEndpoint, ResolvedUnit } from './resolve-modbus.ts';

export interface OutputFrame {
  readonly task: number;
  readonly canId: number;
  readonly flags: number;
  readonly dlc: number;
}

export interface TaskOutput extends OutputFrame {
  readonly endpoint: number;
}

export function* taskOutputs(image: ProjectImage): Generator<TaskOutput> {
  const tasks = taskTable.open(image.tasks);
  const { fd, extended, brs, length, canId } = messageTable.open(image.messages);
  for (const [task, endpoint] of tasks.endpoint.entries()) {
    const message = (tasks.message[task] as number) - 1;
    const isFd = fd[message] === 1;
    const flags =
      (extended[message] === 1 ? frameFlag.extended : 0) |
      (isFd ? frameFlag.fd : 0) |
      (brs[message] === 1 ? frameFlag.brs : 0);
    const dlc = lengthToDlc(length[message] ?? 0, isFd);
    yield { task, endpoint, canId: canId[message] ?? 0, flags, dlc };
  }
}

/** Yields all outputs on these endpoints: CAN messages, words of units, and server endpoints. */
export function* claimedOutputs(
  image: ProjectImage,
  outputs: readonly TaskOutput[],
  endpoints: readonly FoundEndpoint[],
): Generator<Output> {
  const reader = new ImageReader(image);
  const rows = taskTable.open(image.tasks);
  const { number: written } = listTable.open(image.taskResources);
  const resources = resourceTable.open(image.resources);
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
