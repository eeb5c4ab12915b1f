import { hasWords } from './api-operations.ts';

interface MetricSample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
  readonly type: string;
  readonly help: string;
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const commentLine = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.*)$/;
const partOfWhole = /_(bucket|sum|count|total)$/;

const special: Readonly<Record<string, number>> = {
  '+Inf': Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

const numberOf = (text: string): number => special[text] ?? Number(text);

interface Family {
  type: string;
  help: string;
}

/** Parses the Prometheus text format; other lines are ignored. */
export const parseMetrics = (text: string): readonly MetricSample[] => {
  const families = new Map<string, Family>();
  const family = (name: string): Family => {
    const known = families.get(name) ?? { type: 'untyped', help: '' };
    families.set(name, known);
    return known;
  };
  const samples: MetricSample[] = [];
  for (const line of text.split('\n')) {
    const [, kind, described = '', content = ''] = commentLine.exec(line) ?? [];
    if (kind === 'HELP') family(described).help = content;
    else if (kind === 'TYPE') family(described).type = content;
    const [, name, labels = '', value = ''] = sampleLine.exec(line) ?? [];
    if (name === undefined) continue;
    const { type, help } =
      families.get(name) ?? families.get(name.replace(partOfWhole, '')) ?? family(name);
    samples.push({ name, labels, value: numberOf(value), type, help });
  }
  return samples;
};

export const keyOfSample = ({ name, labels }: MetricSample): string => `${name}{${labels}}`;

export interface MetricRow extends MetricSample {
  readonly change: number | null;
}

export const withChanges = (
  samples: readonly MetricSample[],
  before: ReadonlyMap<string, number>,
): readonly MetricRow[] =>
  samples.map((sample) => {
    const old = before.get(keyOfSample(sample));
    return { ...sample, change: old === undefined ? null : sample.value - old };
  });

export const matchesMetric = ({ name, labels, help }: MetricSample, filter: string): boolean =>
  hasWords(`${name} ${labels} ${help}`, filter);
