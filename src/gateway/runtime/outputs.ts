import { lengthToDlc } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { outputPlanTable } from '../plan/plan-tables.ts';
import type { OutputFrame } from './channel-link.ts';

/** The messages that tasks send, in the order of the tasks. */
export const outputFrames = ({ plan }: ProjectImage): OutputFrame[] => {
  const rows = outputPlanTable.open(plan.outputs);
  return Array.from(rows.canId, (canId, task) => {
    const isFd = rows.fd[task] === 1;
    const flags =
      (rows.extended[task] === 1 ? frameFlag.extended : 0) |
      (isFd ? frameFlag.fd : 0) |
      (rows.brs[task] === 1 ? frameFlag.brs : 0);
    return { task, canId, flags, dlc: lengthToDlc(rows.length[task] ?? 0, isFd) };
  });
};

/** The endpoint of each task. */
export const taskEndpoints = ({ tasks }: ProjectImage): Uint32Array =>
  taskTable.open(tasks).endpoint;
