import type { RowOf } from '../project.ts';
import type { Waveform } from '../tables/signals.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';
import { signalValueFault } from './value-rules.ts';

type SignalRow = RowOf<'signals'>;

const checkLabels = ({ type, labels }: SignalRow, index: number, report: Report): void => {
  if (type === 'enum' && !labels?.length) {
    report(index, 'labels', 'missing_field', 'are required for an enum; name its numbers');
  }
  const seen = new Set<bigint>();
  labels?.forEach(({ value }, place) => {
    const field = `labels[${place}].value`;
    // Labels name whole numbers, whatever the type: float64 takes them all.
    const flaw = signalValueFault(type, value);
    if (flaw) report(index, field, 'invalid_value', flaw);
    else if (seen.has(BigInt(value))) {
      report(index, field, 'duplicate_value', `has a label already: ${value}; keep one`);
    }
    seen.add(BigInt(value));
  });
};

const checkSteps = (
  { type }: SignalRow,
  values: readonly string[],
  index: number,
  report: Report,
): void => {
  values.forEach((value, place) => {
    const flaw = signalValueFault(type, value);
    if (flaw) report(index, `waveform.values[${place}]`, 'invalid_value', flaw);
  });
};

const checkWaveform = (
  signal: SignalRow,
  waveform: Waveform,
  index: number,
  report: Report,
): void => {
  if (waveform.kind === 'step') {
    checkSteps(signal, waveform.values, index, report);
    return;
  }
  if (signal.type !== 'float64') {
    const flaw = `must be step for a signal that is ${signal.type}; other kinds need float64`;
    report(index, 'waveform.kind', 'wrong_signal_type', flaw);
  }
  if (waveform.period_ms <= 0) {
    report(index, 'waveform.period_ms', 'out_of_range', 'must be more than 0');
  }
  const { amplitude, offset } = waveform;
  if (!Number.isFinite(offset + amplitude) || !Number.isFinite(offset - amplitude)) {
    const flaw = 'must not lead beyond the largest double together with the offset';
    report(index, 'waveform.amplitude', 'out_of_range', flaw);
  }
};

const checkProducer = (
  { producer, initial, waveform }: SignalRow,
  index: number,
  report: Report,
): void => {
  if (producer === 'constant' && initial === undefined) {
    report(index, 'initial', 'missing_field', 'is required for a constant; it is its value');
  }
  if (producer === 'waveform' && waveform === undefined) {
    report(index, 'waveform', 'missing_field', 'is required for the producer waveform');
  }
  if (producer !== 'waveform' && waveform !== undefined) {
    const flaw = `is only for the producer waveform, not for ${quoted(producer)}`;
    report(index, 'waveform', 'not_applicable', flaw);
  }
};

/** Values that signals begin with, run through and have names for. */
export const checkSignals = (links: ProjectLinks): void => {
  const report = links.reporter('signals');
  links.draft.tables.signals.rows.forEach((signal, index) => {
    checkProducer(signal, index, report);
    const { type, initial, waveform } = signal;
    const flaw = initial === undefined ? undefined : signalValueFault(type, initial);
    if (flaw) report(index, 'initial', 'invalid_value', flaw);
    checkLabels(signal, index, report);
    if (waveform) checkWaveform(signal, waveform, index, report);
  });
};
