export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly labels: string;
  readonly value: number;
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapeLabelValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

export const formatValue = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
};

export const labelPair = (name: string, value: string): string =>
  `${name}="${escapeLabelValue(value)}"`;

export const headLines = (name: string, help: string, type: string): readonly string[] => [
  `# HELP ${name} ${escapeHelp(help)}`,
  `# TYPE ${name} ${type}`,
];

export const sampleLine = (name: string, { suffix, labels, value }: Sample): string =>
  `${name}${suffix}${labels === '' ? '' : `{${labels}}`} ${formatValue(value)}`;
