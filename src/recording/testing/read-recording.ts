import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';

/** Content of a recording, as read by its own reader. */
export const readRecording = (path: string) => {
  const stored = readFileSync(path);
  const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
  const reader = openTrace(new MemorySource(bytes));
  const batch = new TraceBatch(4096);
  const ids: number[] = [];
  const times: number[] = [];
  const channels = new Set<number>();
  while (reader.read(batch)) {
    for (let row = 0; row < batch.count; row++) {
      ids.push(batch.id[row] ?? -1);
      times.push((reader.startUnixUs ?? 0) + (batch.timeNs[row] ?? 0) / 1000);
      channels.add(batch.channel[row] ?? -1);
    }
  }
  const { malformed, gaps, missed, truncated } = reader.account;
  const text = bytes.toString('latin1');
  const idIn = (remark: RegExp): number | null => {
    const found = remark.exec(text)?.[1];
    return found === undefined ? null : Number(found);
  };
  return {
    text,
    ids,
    /** Unix time in microseconds. */
    times,
    channels: [...channels].sort((one, other) => one - other),
    malformed,
    gaps,
    missed,
    truncated,
    firstId: idIn(/First event id: (\d+)/),
    lastId: idIn(/Last event id: (\d+)/),
    endsInLine: !text.endsWith('\n'),
    isComplete: text.endsWith('End TriggerBlock\n'),
    missing: [...text.matchAll(/(\d+) events are missing here/g)].map(([, count]) => Number(count)),
  };
};
