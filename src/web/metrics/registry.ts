import { BusbarError } from '../../base/errors/busbar-error.ts';
import { headLines, sampleLine } from './exposition.ts';
import {
  Counter,
  type Family,
  type FamilyDeclaration,
  Histogram,
  type HistogramDeclaration,
  Observed,
  type ObservedDeclaration,
} from './families.ts';

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

interface Entry {
  readonly name: string;
  readonly help: string;
  readonly family: Family;
}

const refuse = (message: string): never => {
  throw new BusbarError('internal_error', { message });
};

const checkBuckets = ({ name, buckets }: HistogramDeclaration<string>): void => {
  const rising = buckets.every(
    (bound, index) => Number.isFinite(bound) && (index === 0 || bound > (buckets[index - 1] ?? 0)),
  );
  if (!rising) refuse(`The buckets of ${name} must be finite and ascending`);
};

export class MetricRegistry {
  readonly #entries: Entry[] = [];
  readonly #names = new Set<string>();

  counter<L extends string = never>(declaration: FamilyDeclaration<L>): Counter<L> {
    return this.#register(declaration, new Counter(declaration));
  }

  histogram<L extends string = never>(declaration: HistogramDeclaration<L>): Histogram<L> {
    checkBuckets(declaration);
    return this.#register(declaration, new Histogram(declaration));
  }

  observed<L extends string = never>(declaration: ObservedDeclaration<L>): void {
    this.#register(declaration, new Observed(declaration));
  }

  render(): string {
    return this.#entries
      .flatMap(({ name, help, family }) => [
        ...headLines(name, help, family.type),
        ...family.samples().map((sample) => sampleLine(name, sample)),
      ])
      .map((line) => `${line}\n`)
      .join('');
  }

  #register<F extends Family>(declaration: FamilyDeclaration<string>, family: F): F {
    const { name, help, labels = {} } = declaration;
    if (!metricName.test(name)) refuse(`Invalid metric name: ${name}`);
    for (const label of Object.keys(labels)) {
      const reserved = family.type === 'histogram' && label === 'le';
      if (reserved || !labelName.test(label)) refuse(`${name} cannot have a label ${label}`);
    }
    const suffixes = family.type === 'histogram' ? ['', '_bucket', '_sum', '_count'] : [''];
    const names = suffixes.map((suffix) => name + suffix);
    if (names.some((taken) => this.#names.has(taken))) refuse(`${name} is already declared`);
    for (const taken of names) this.#names.add(taken);
    this.#entries.push({ name, help, family });
    return family;
  }
}
