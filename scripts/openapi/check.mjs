#!/usr/bin/env node
// Exits 0 when nothing breaks, 1 when something does, 2 when the documents cannot be compared.
import { readFileSync } from 'node:fs';
import { loadSource } from '../load-source.mjs';

const [before, after] = process.argv.slice(2);
if (before === undefined || after === undefined) {
  console.error('usage: node scripts/openapi/check.mjs <before.json> <after.json>');
  process.exitCode = 2;
} else {
  try {
    const { findBreakingChanges } = await loadSource('scripts/openapi/compare.ts');
    const [was, is] = [before, after].map((file) => JSON.parse(readFileSync(file, 'utf8')));
    const changes = findBreakingChanges(was, is);
    for (const { path, change } of changes) console.log(`${path}: ${change}`);
    process.exitCode = changes.length > 0 ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
