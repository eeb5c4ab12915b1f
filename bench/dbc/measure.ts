import { writeFileSync } from 'node:fs';
import { readDbc } from '../../src/database/dbc/read-dbc.ts';
import { syntheticDbc } from './synthetic-dbc.ts';

const rounds = 15;
const [target] = process.argv.slice(2);
const bytes = new TextEncoder().encode(syntheticDbc(640));
if (target !== undefined) writeFileSync(target, bytes);

const times: number[] = [];
let signals = 0;
let problems = 0;
for (let round = 0; round < rounds; round += 1) {
  const start = performance.now();
  const { database, diagnostics } = readDbc(bytes);
  times.push(performance.now() - start);
  signals = database.messages.reduce((sum, message) => sum + message.signals.length, 0);
  problems = diagnostics.length;
}
const [first = 0] = times;
const middle = times.sort((a, b) => a - b)[rounds >> 1] ?? 0;
console.log(JSON.stringify({ bytes: bytes.length, signals, problems, first, middle }));
