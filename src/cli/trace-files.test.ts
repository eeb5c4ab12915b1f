import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TraceDraft, TraceInput } from './trace-files.ts';

describe('a draft of a trace', () => {
  let folder: string;
  let input: TraceInput;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-draft-'));
    const path = join(folder, 'a.log');
    writeFileSync(path, 'a');
    input = new TraceInput({ path });
  });
  afterEach(() => {
    input.close();
    rmSync(folder, { recursive: true });
  });

  const draftOf = (name: string): TraceDraft =>
    new TraceDraft({ path: join(folder, name), field: 'output' }, input, false);

  it('closes no file of another owner when it is discarded behind its end', () => {
    const draft = draftOf('b.asc');
    draft.write(Buffer.from('b'));
    draft.finish();
    // The system gives the lowest number that is free, which is that of the draft.
    const other = openSync(join(folder, 'a.log'), 'r');
    draft.discard();
    expect(fstatSync(other).size).toBe(1);
    closeSync(other);
    expect(readdirSync(folder).sort()).toEqual(['a.log', 'b.asc']);
  });

  it('leaves nothing where it is discarded, however often', () => {
    const draft = draftOf('b.asc');
    expect(readdirSync(folder)).toHaveLength(2);
    draft.discard();
    draft.discard();
    expect(readdirSync(folder)).toEqual(['a.log']);
  });

  it('says that its directory is missing, not itself', () => {
    expect(() => draftOf('none/b.asc')).toThrow(
      `The directory of ${join(folder, 'none/b.asc')} does not exist`,
    );
  });
});
