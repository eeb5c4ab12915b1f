import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../operations/registry.ts';
import { renderCliTable } from '../../operations/render/cli-table.ts';
import { renderCompletion } from './render-completion.ts';
import { awkwardTable } from './testing/awkward-table.ts';
import { bashReplies } from './testing/bash-driver.ts';
import { isInstalled, reportMissingShell } from './testing/real-shell.ts';

const realScript = renderCompletion('bash', renderCliTable(operations));
const awkwardScript = renderCompletion('bash', awkwardTable);

describe('what bash replies to readline', () => {
  if (!isInstalled('bash')) {
    reportMissingShell('bash');
    return;
  }

  const root = mkdtempSync(join(tmpdir(), 'busbar-bash-'));
  const place = { workingDirectory: root, home: root, programs: root };
  beforeAll(() => mkdirSync(join(root, 'a:b=c@d', 'inner'), { recursive: true }));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const repliesTo = (script: string, line: string, breaks?: string): readonly string[] =>
    bashReplies(script, [line], place, breaks)[0] ?? [];

  it('is the value alone where words break at an equals sign', () => {
    expect(repliesTo(realScript, 'busbar --format=c')).toEqual(['csv']);
  });

  it('is the whole word where the user has words not break there', () => {
    expect(repliesTo(realScript, 'busbar --format=c', ':')).toEqual(['--format=csv']);
    expect(repliesTo(realScript, 'busbar --format=c', '')).toEqual(['--format=csv']);
  });

  it('goes on from the last break that stands inside a value', () => {
    expect(repliesTo(awkwardScript, 'busbar say --choice=key:')).toEqual(['value']);
    expect(repliesTo(awkwardScript, 'busbar say --choice=a=')).toEqual(['b']);
    expect(repliesTo(awkwardScript, 'busbar say --choice=me@h')).toEqual(['@home']);
    expect(repliesTo(awkwardScript, 'busbar say key:v')).toEqual(['value']);
  });

  it('is a whole value where only the equals sign breaks words', () => {
    expect(repliesTo(awkwardScript, 'busbar say --choice=key:', '=')).toEqual(['key:value']);
  });

  it('goes on from the last break that stands inside a path', () => {
    expect(repliesTo(realScript, 'busbar --project=a:')).toEqual(['b=c@d/']);
    expect(repliesTo(realScript, 'busbar --project a:b=c@d/i', '=:')).toEqual(['c@d/inner/']);
    expect(repliesTo(realScript, 'busbar --project=a', '')).toEqual(['--project=a:b=c@d/']);
  });

  it('tells an equals sign with blanks around it from one inside a word', () => {
    expect(repliesTo(realScript, 'busbar --format=daem')).toEqual([]);
    expect(repliesTo(realScript, 'busbar --format = daem')).toEqual(['daemon']);
  });

  it('has values with colons behind it counted as one word', () => {
    const replies = repliesTo(realScript, 'busbar web start --listen [::1]:80 --log-l');
    expect(replies).toEqual(['--log-level=']);
  });

  it('heeds a quotation that has been opened', () => {
    expect(repliesTo(realScript, `busbar --format="c`)).toEqual(['csv']);
    expect(repliesTo(realScript, `busbar --format='j`)).toEqual(['json', 'jsonl']);
  });
});
