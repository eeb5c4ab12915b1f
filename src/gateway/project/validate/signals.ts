import type { RowOf } from '../project.ts';
import type { Producer, Waveform } from '../tables/signals.ts';
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
    const error = signalValueFault(type, value);
    if (error) report(index, field, 'invalid_value', error);
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
    const error = signalValueFault(type, value);
    if (error) report(index, `waveform.values[${place}]`, 'invalid_value', error);
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
    const error = `must be step for a signal of type ${signal.type}; other kinds require float64`;
    report(index, 'waveform.kind', 'wrong_signal_type', error);
  }
  if (waveform.period_ms <= 0) {
    report(index, 'waveform.period_ms', 'out_of_range', 'must be more than 0');
  }
  const { amplitude, offset } = waveform;
  if (!Number.isFinite(offset + amplitude) || !Number.isFinite(offset - amplitude)) {
    const error = 'plus offset must not exceed the largest double';
    report(index, 'waveform.amplitude', 'out_of_range', error);
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
    const error = `is only for the producer waveform, not for ${quoted(producer)}`;
    report(index, 'waveform', 'not_applicable', error);
  }
};

export const checkSignals = (links: ProjectLinks): void => {
  const report = links.reporter('signals');
  links.draft.tables.signals.rows.forEach((signal, index) => {
    checkProducer(signal, index, report);
    const { type, initial, waveform } = signal;
    const error = initial === undefined ? undefined : signalValueFault(type, initial);
    if (error) report(index, 'initial', 'invalid_value', error);
    checkLabels(signal, index, report);
    if (waveform) checkWaveform(signal, waveform, index, report);
  });
};

/**
 * Finds the writer of each signal. Reports a second writer, and writers that the producer forbids.
 */
class Writers {
  readonly #links: ProjectLinks;
  readonly #writerOf = new Map<string, string>();
  /** Signals with a writer of the wrong kind. Their writer is not reported as missing too. */
  readonly #miswritten = new Set<string>();

  constructor(links: ProjectLinks) {
    this.#links = links;
  }

  note(
    signalId: string,
    writer: string,
    needed: Producer,
    refuse: (code: 'wrong_producer' | 'several_writers', error: string) => void,
  ): void {
    const signal = this.#links.draft.tables.signals.get(signalId);
    if (signal === undefined) return;
    const first = this.#writerOf.get(signalId);
    if (signal.producer !== needed) {
      const error = `must have the producer ${needed}; ${quoted(signalId)} is ${signal.producer}`;
      refuse('wrong_producer', error);
      this.#miswritten.add(signalId);
    } else if (first !== undefined) {
      const error = `is also written by ${first}: ${quoted(signalId)}; give each its own signal and merge them with a mapping`;
      refuse('several_writers', error);
    } else {
      this.#writerOf.set(signalId, writer);
    }
  }

  has(signalId: string): boolean {
    return this.#writerOf.has(signalId) || this.#miswritten.has(signalId);
  }
}

const noteOutputs = (
  writers: Writers,
  outputs: readonly string[],
  writer: string,
  index: number,
  report: Report,
): void => {
  const own = new Set<string>();
  outputs.forEach((id, place) => {
    const field = `outputs[${place}]`;
    if (own.has(id)) {
      report(index, field, 'duplicate_value', `is among the outputs already: ${quoted(id)}`);
      return;
    }
    own.add(id);
    writers.note(id, writer, 'derived', (code, error) => report(index, field, code, error));
  });
};

/**
 * Requires one writer for each signal: a received binding for an input, a mapping or processor
 * for a derived signal.
 */
export const checkWriters = (links: ProjectLinks): void => {
  const { signals, bindings, mappings, plugins } = links.draft.tables;
  const writers = new Writers(links);
  const reportBinding = links.reporter('bindings');
  bindings.rows.forEach(({ id, signal, direction }, index) => {
    if (direction !== 'rx') return;
    writers.note(signal, `binding ${quoted(id)}`, 'input', (code, error) =>
      reportBinding(index, 'signal', code, error),
    );
  });
  const reportMapping = links.reporter('mappings');
  mappings.rows.forEach(({ id, outputs }, index) => {
    noteOutputs(writers, outputs, `mapping ${quoted(id)}`, index, reportMapping);
  });
  const reportPlugin = links.reporter('plugins');
  plugins.rows.forEach(({ id, kind, outputs = [] }, index) => {
    if (kind !== 'processor') return;
    noteOutputs(writers, outputs, `plugin ${quoted(id)}`, index, reportPlugin);
  });
  const report = links.reporter('signals');
  signals.rows.forEach(({ id, producer }, index) => {
    if (writers.has(id)) return;
    if (producer === 'input' && bindings.isComplete) {
      const error = 'requires one binding of direction rx with this signal';
      report(index, 'producer', 'no_writer', error);
    }
    if (producer === 'derived' && mappings.isComplete && plugins.isComplete) {
      const error = 'requires one mapping or processor with this output';
      report(index, 'producer', 'no_writer', error);
    }
  });
};
