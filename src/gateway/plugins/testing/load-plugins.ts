import koffi from 'koffi';
import { InstancePlugins, type LoadedPlugin } from '../instance-plugins.ts';
import { NativeLibrary, type PluginName } from '../native-library.ts';

export interface TestPlugin extends PluginName {
  readonly file: string;
  readonly context?: object;
}

/** Plugins of libraries built for a test. */
export const loadPlugins = (...plugins: readonly TestPlugin[]): InstancePlugins => {
  const marker = { enter: () => undefined, leave: () => undefined };
  const loaded = new Map<string, LoadedPlugin>();
  for (const { file, context = {}, ...name } of plugins) {
    const plugin = new NativeLibrary(koffi, file, name).plugin(name);
    loaded.set(name.id, { plugin, context: JSON.stringify(context), marker });
  }
  return new InstancePlugins(koffi, loaded);
};
