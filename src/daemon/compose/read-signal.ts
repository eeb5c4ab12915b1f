import { BusbarError } from '../../base/errors/busbar-error.ts';
import type { SignalReader } from '../../diagnostics/ecu-dids.ts';
import type { InstanceRegistry } from '../../gateway/instances/instance-registry.ts';
import { InstanceView } from '../../gateway/instances/instance-view.ts';

const truth: Readonly<Record<string, string>> = { false: '0', true: '1' };

/** Values of gateway signals, by `<instance>/<signal>`; null unless good. */
export const signalReader =
  (instances: InstanceRegistry): SignalReader =>
  (name) => {
    const slash = name.indexOf('/');
    try {
      const view = new InstanceView(instances.get(name.slice(0, slash)));
      const index = view.reader.requireSignal(name.slice(slash + 1));
      const { value, quality } = view.signals(index, 1).entry(0);
      if (value === null || quality !== 'good') return null;
      return truth[value] ?? value;
    } catch (thrown) {
      if (thrown instanceof BusbarError) return null;
      throw thrown;
    }
  };
