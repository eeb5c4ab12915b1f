import type { Producer } from '../tables/signals.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';

/** Finds for each signal who writes it, and reports the second one and those it does not allow. */
class Writers {
  readonly #links: ProjectLinks;
  readonly #writerOf = new Map<string, string>();
  /** Signals with a writer of the wrong kind: that they lack the right one goes without saying. */
  readonly #miswritten = new Set<string>();

  constructor(links: ProjectLinks) {
    this.#links = links;
  }

  /** Notes who writes a signal. `needed`: the producer that such a writer is for. */
  note(
    signalId: string,
    writer: string,
    needed: Producer,
    refuse: (code: 'wrong_producer' | 'several_writers', flaw: string) => void,
  ): void {
    const signal = this.#links.draft.tables.signals.get(signalId);
    if (signal === undefined) return;
    const first = this.#writerOf.get(signalId);
    if (signal.producer !== needed) {
      const flaw = `must have the producer ${needed}; ${quoted(signalId)} is ${signal.producer}`;
      refuse('wrong_producer', flaw);
      this.#miswritten.add(signalId);
    } else if (first !== undefined) {
      const flaw = `is written by ${first} too: ${quoted(signalId)}; give each its own signal and merge them with a mapping`;
      refuse('several_writers', flaw);
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
    writers.note(id, writer, 'derived', (code, flaw) => report(index, field, code, flaw));
  });
};

/** One writer for each signal: input has a received binding, derived a mapping or processor. */
export const checkWriters = (links: ProjectLinks): void => {
  const { signals, bindings, mappings, plugins } = links.draft.tables;
  const writers = new Writers(links);
  const reportBinding = links.reporter('bindings');
  bindings.rows.forEach(({ id, signal, direction }, index) => {
    if (direction !== 'rx') return;
    writers.note(signal, `binding ${quoted(id)}`, 'input', (code, flaw) =>
      reportBinding(index, 'signal', code, flaw),
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
      const flaw = 'needs one binding of the direction rx that has the signal';
      report(index, 'producer', 'no_writer', flaw);
    }
    if (producer === 'derived' && mappings.isComplete && plugins.isComplete) {
      const flaw = 'needs one mapping or processor that has the signal among its outputs';
      report(index, 'producer', 'no_writer', flaw);
    }
  });
};
