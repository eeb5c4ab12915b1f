import { Type } from 'typebox';

export const globalOptions = {
  project: Type.String({
    description:
      'Directory whose bench this call uses; does not change the daemon’s project directory',
    examples: ['/srv/benches/door-module'],
  }),
  format: Type.Enum(['text', 'json', 'jsonl', 'csv'], {
    description: 'Output format',
    default: 'text',
    examples: ['json'],
  }),
} as const;

export type OutputFormat = 'text' | 'json' | 'jsonl' | 'csv';
