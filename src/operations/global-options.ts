import { Type } from 'typebox';

/** Options of every command. */
export const globalOptions = {
  project: Type.String({
    description: 'Directory whose Bench this call uses; never moves the daemon’s own root',
    examples: ['/srv/benches/door-module'],
  }),
  format: Type.Enum(['text', 'json', 'jsonl', 'csv'], {
    description: 'How to print the answer',
    default: 'text',
    examples: ['json'],
  }),
} as const;

export type OutputFormat = 'text' | 'json' | 'jsonl' | 'csv';
