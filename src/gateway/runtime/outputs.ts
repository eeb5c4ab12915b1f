import { lengthToDlc } from '../../frame/dlc.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import { taskTable } from '../image/image-tables.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { outputPlanTable } from '../plan/plan-tables.ts';
import type { OutputFrame } from './channel-link.ts';

/** A message that a task sends, and the endpoint that it goes to. */
export interface PlannedOutput extends OutputFrame {
  readonly endpoint: number;
}

/** What tasks send, in the order of the tasks. */
export const plannedOutputs = ({ plan, tasks }: ProjectImage): PlannedOutput[] => {
  const rows = outputPlanTable.open(plan.outputs);
  return Array.from(taskTable.open(tasks).endpoint, (endpoint, task) => {
    const isFd = rows.fd[task] === 1;
    const flags =
      (rows.extended[task] === 1 ? frameFlag.extended : 0) |
      (isFd ? frameFlag.fd : 0) |
      (rows.brs[task] === 1 ? frameFlag.brs : 0);
    const dlc = lengthToDlc(rows.length[task] ?? 0, isFd);
    return { task, endpoint, canId: rows.canId[task] ?? 0, flags, dlc };
  });
};
