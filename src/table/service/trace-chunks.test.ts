import { expect, it } from 'vitest';
import { parseCondition } from '../../condition/parse-condition.ts';
import { TraceCondition } from '../../condition/trace-condition.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import { TraceChunks } from './trace-chunks.ts';

const idle = '# a remark that is not an event, between the frames\n'.repeat(40_000);
const lost = '# 5 events are missing here\n';
const first = '(1.000000) can0 123#01\n';
const second = '(2.000000) can0 124#02\n';

it.each([
  ['', 1],
  [lost, 0],
])('filters with a gap that is far from any event: %j', (gap, expected) => {
  const log = [first, idle, gap, idle, second].join('');
  const reader = openTrace(new MemorySource(Buffer.from(log)));
  const condition = parseCondition('frame 124 within 5s of frame 123', 'filter');
  const filter = new TraceCondition(condition, 'filter', []);
  const limits = { from: null, to: null };
  const chunks = new TraceChunks({ reader, limits, filter }, { hasGroups: false });
  const batch = new TraceBatch(64);
  let passed = 0;
  let lone = 0;
  while (chunks.next(batch)) {
    passed += batch.count;
    if (batch.count === 0) lone += batch.gaps.length;
  }
  expect([passed, lone]).toEqual([expected, gap === '' ? 0 : 1]);
});
