import { pluginTable } from '../image/image-tables.ts';
import type { UsedPlugin } from '../image/plugin-uses.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { StringPool } from '../memory/string-pool.ts';

/** The plugins of a loaded project, in their order. */
export const readPlugins = ({ plugins, strings }: ProjectImage): UsedPlugin[] => {
  const pool = new StringPool(strings);
  return Array.from(pluginTable.open(plugins).plugin, (text) =>
    JSON.parse(pool.at(text) ?? 'null'),
  );
};
