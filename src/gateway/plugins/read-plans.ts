import type { ProjectImage } from '../image/project-image.ts';
import { StringPool } from '../memory/string-pool.ts';
import { pluginPlanTable } from '../plan/plan-tables.ts';
import type { PluginPlan } from '../plan/plugin-plan.ts';

/** The plugins of a project that was loaded, in their order. */
export const readPluginPlans = ({ plan, strings }: ProjectImage): PluginPlan[] => {
  const { row } = pluginPlanTable.open(plan.plugins);
  const pool = new StringPool(strings);
  return Array.from(row, (text) => JSON.parse(pool.at(text) ?? 'null'));
};
