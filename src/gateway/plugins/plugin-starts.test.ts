import { describe, expect, it } from 'vitest';
import { buildImage } from '../image/build-image.ts';
import { loadProject } from '../project/load-project.ts';
import { coolantProject } from '../project/testing/coolant-project.ts';
import { savedPieces } from '../project/write-project.ts';
import { readPlugins } from './plugin-starts.ts';

const loadWith = (context: string) => {
  const project = coolantProject();
  project.plugins = [
    { id: 'p', kind: 'codec', library: 'plugins/p.so', entry: 'p', context: 'CONTEXT' },
  ];
  return loadProject(Buffer.from(JSON.stringify(project).replace('"CONTEXT"', context)));
};

const handedOver = (project: ReturnType<typeof loadProject>): string | undefined =>
  readPlugins(buildImage(project))[0]?.context;

describe('readPlugins', () => {
  it.each([
    '{}',
    '{"big":9007199254740993}',
    '{"list":[18446744073709551616,[-1000000000000000000000000000000]]}',
    '{"b":1,"10":2,"2":3}',
    '{"a":9007199254740993.0,"b":1.50,"c":1E2,"d":-0}',
    '{"a":"\\u0041 : [ é"}',
    '{"__proto__":1}',
  ])('hands %s over as it is written, also after it was saved', (context) => {
    const project = loadWith(context);
    expect(handedOver(project)).toBe(context);
    const saved = Buffer.concat(savedPieces(project, 1_000_000) ?? []);
    expect(handedOver(loadProject(saved))).toBe(context);
  });

  it('hands it over without white space between its parts', () => {
    expect(handedOver(loadWith('{\n  "a b" : [ 1, 2 ]\n}'))).toBe('{"a b":[1,2]}');
  });
});
