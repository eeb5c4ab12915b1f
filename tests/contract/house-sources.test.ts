import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/base/errors/table.ts';
import { consoleSources, filesBelow, read, sources } from './support/house-files.ts';

describe('the sources', () => {
  it('take time from the injected clock only', () => {
    const timed =
      /\bDate\.now\b|node:timers|\bhrtime\b|\bperformance\.now\b|(?<!\.)\bset(?:Timeout|Interval)\(|\bnew Date\(\)/;
    const offenders = sources.filter(
      (path) => !/^src\/(base\/clock|drivers)\//.test(path) && timed.test(read(path)),
    );
    expect(offenders).toEqual([]);
  });

  it('load modules in ways that the import table can see', () => {
    const hidden = /\bcreateRequire\b|getBuiltinModule|\bimport\((?!'|\n *')/;
    expect(sources.filter((path) => hidden.test(read(path)))).toEqual([]);
  });

  it('refuse no request where they only wire', () => {
    // An error that is thrown or returned here must be declared.
    const refusing =
      /\b(?:invalidArgument|unsupportedByHardware|withField)\(|\bnew \w*Error\((?!'internal_error')/;
    const wiring = sources.filter((path) => path.startsWith('src/daemon/compose/'));
    expect(wiring).not.toEqual([]);
    expect(wiring.filter((path) => refusing.test(read(path)))).toEqual([]);
  });

  it('throw no bare Error', () => {
    const offenders = sources.filter((path) => /\bthrow new Error\(/.test(read(path)));
    expect(offenders).toEqual([]);
  });

  it('name constants in camel case, those of the system too', () => {
    const shouted = /^\s*(?:export )?const [A-Z][A-Z\d_]+\b/m;
    const programs = ['src', 'console/src', 'bench', 'scripts']
      .flatMap(filesBelow)
      .filter((path) => /\.(?:ts|tsx|mjs|cjs)$/.test(path));
    expect(programs.filter((path) => shouted.test(read(path)))).toEqual([]);
  });

  it('say who calls, sends or waits, and leave no role unnamed', () => {
    const unnamed = /\b(?:some|no|any)body\b|\b(?:some|any)one\b|\bwhoever\b/i;
    const clients = filesBelow('clients').filter((path) => /\.(?:ts|mjs|py)$/.test(path));
    const shipped = [...sources, ...consoleSources, ...clients].filter(
      (path) => !/\.test\.tsx?$|\/(?:testing|tests)\//.test(path),
    );
    expect(shipped.filter((path) => unnamed.test(read(path)))).toEqual([]);
  });

  it('declare every record in one file', () => {
    const files = new Map<string, string[]>();
    for (const path of sources) {
      const exported = read(path).matchAll(/^export (?:const|interface|type) ([A-Z]\w*Record)\b/gm);
      for (const name of new Set([...exported].map(([, found = '']) => found))) {
        files.set(name, [...(files.get(name) ?? []), path]);
      }
    }
    const repeated = [...files].filter(([, paths]) => paths.length > 1).map(([name]) => name);
    expect(repeated).toEqual([]);
  });

  it('use every error code of the table', () => {
    const text = sources
      .filter((path) => !path.startsWith('src/base/errors/'))
      .map(read)
      .join('\n');
    expect(errorCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
});
