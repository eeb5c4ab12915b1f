import { Bench } from '../bench/bench-record.ts';
import { defineOperation } from './define.ts';

export const benchShow = defineOperation({
  id: 'bench.show',
  summary: 'Show the bench in use: its devices, port names and logical networks',
  description:
    'The bench is read from busbar.bench.json in the project directory. If there is none, the file in the user’s configuration directory is used, then the built-in virtual bench.',
  result: Bench,
  errors: ['invalid_bench'],
  permission: 'observe',
  execution: { place: 'bench', daemon: 'required', streaming: false },
  cli: { words: ['bench', 'show'] },
  http: { method: 'GET', path: '/api/v1/bench', success: 200 },
  examples: ['busbar bench show', 'busbar bench show --project=/srv/benches/door-module'],
});
