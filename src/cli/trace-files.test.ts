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
import { TraceInput, TraceOutput } from './trace-files.ts';

describe('the output of a conversion', () => {
  let folder: string;
  let input: TraceInput;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-output-'));
    const path = join(folder, 'a.log');
    writeFileSync(path, 'a');
    input = new TraceInput({ path });
  });
  afterEach(() => {
    input.close();
    rmSync(folder, { recursive: true });
  });

  const outputOf = (name: string): TraceOutput =>
    new TraceOutput({ path: join(folder, name), field: 'output' }, input, false);

  it('closes no file of another owner when it is discarded behind its end', () => {
    const output = outputOf('b.asc');
    output.write(Buffer.from('b'));
    output.finish();
    // The system returns the lowest free descriptor, which is that of the output.
    const other = openSync(join(folder, 'a.log'), 'r');
    output.discard();
    expect(fstatSync(other).size).toBe(1);
    closeSync(other);
    expect(readdirSync(folder).sort()).toEqual(['a.log', 'b.asc']);
  });

  it('leaves nothing where it is discarded, however often', () => {
    const output = outputOf('b.asc');
    expect(readdirSync(folder)).toHaveLength(2);
    output.discard();
    output.discard();
    expect(readdirSync(folder)).toEqual(['a.log']);
  });

  it('says that its directory is missing, not itself', () => {
    expect(() => outputOf('none/b.asc')).toThrow(
      `The directory of ${join(folder, 'none/b.asc')} does not exist`,
    );
  });
});
