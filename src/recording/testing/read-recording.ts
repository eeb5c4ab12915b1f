import { readFileSync } from 'node:fs';
import { readAsc } from '../../trace/asc/asc-reader.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';

/** Content of a recording, as read by its own reader. */
export const readRecording = (path: string) => {
  const bytes = readFileSync(path);
  const reader = readAsc(new MemorySource(bytes));
  const batch = new TraceBatch(4096);
  const ids: number[] = [];
  const channels = new Set<number>();
  while (reader.read(batch)) {
    for (let row = 0; row < batch.count; row++) {
      ids.push(batch.id[row] ?? -1);
      channels.add(batch.channel[row] ?? -1);
    }
  }
  const text = bytes.toString();
  return {
    text,
    ids,
    channels: [...channels].sort((one, other) => one - other),
    malformed: reader.account.malformed,
    endsInLine: !text.endsWith('\n'),
    isComplete: text.endsWith('End TriggerBlock\n'),
    missing: [...text.matchAll(/(\d+) events are missing here/g)].map(([, count]) => Number(count)),
  };
};
