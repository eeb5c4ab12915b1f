import { BusbarError } from '../base/errors/busbar-error.ts';
import type { OmittedSignal } from '../database/database-store.ts';
import type { Message, Signal } from '../database/model.ts';
import { layoutOf } from './layout.ts';
import { deepestNesting } from './mux-tree.ts';
import { limitsOf } from './signal-limits.ts';
import { scaleOf } from './signal-scale.ts';

export interface DecodableSignals {
  readonly names: readonly string[];
  readonly omitted: readonly OmittedSignal[];
}

const faultIn = (check: () => unknown): string | null => {
  try {
    check();
    return null;
  } catch (thrown) {
    const { code, message } = BusbarError.from(thrown);
    if (code !== 'invalid_argument') throw thrown;
    return message;
  }
};

export const decodableSignals = (
  { signals }: Message,
  wanted: readonly string[],
): DecodableSignals => {
  const byName = new Map(signals.map((signal) => [signal.name, signal]));
  const layoutFaults = new Map(
    signals.map((signal) => [signal, faultIn(() => layoutOf(signal))] as const),
  );

  const switchFault = (signal: Signal): string | null => {
    let child = signal;
    for (let depth = 0; child.multiplexing !== null; depth++) {
      if (depth >= deepestNesting) return 'The signal depends on itself or on too many switches';
      const parent = byName.get(child.multiplexing.switch);
      if (!parent)
        return `The signal depends on ${child.multiplexing.switch}, which does not exist`;
      const fault = layoutFaults.get(parent) ?? null;
      if (fault !== null) return `The signal depends on an invalid switch: ${fault}`;
      child = parent;
    }
    return null;
  };

  const faultOf = (signal: Signal): string | null =>
    layoutFaults.get(signal) ??
    faultIn(() => scaleOf(signal)) ??
    faultIn(() => limitsOf(signal)) ??
    switchFault(signal);

  const names: string[] = [];
  const omitted: OmittedSignal[] = [];
  for (const name of wanted) {
    const signal = byName.get(name);
    const reason = signal ? faultOf(signal) : null;
    if (reason === null) names.push(name);
    else omitted.push({ signal: name, reason });
  }
  return { names, omitted };
};
