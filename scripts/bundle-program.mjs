// Bundles the programs of the daemon threads. Rolldown keeps module constants constant, so V8
// embeds their values in optimized code. Other bundlers turn them into variables, which adds a
// quarter to the cost of a frame.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { root } from './load-source.mjs';

const target = 'node20';

/** Each of these warnings means that the bundle would behave differently from its sources. */
const refuse = (_level, { message }) => {
  throw new Error(message);
};

/**
 * One output file with its source map and its inputs. `paths` resolves imports that stay
 * external.
 */
const bundle = async (entry, { format, paths }) => {
  const program = await rolldown({
    input: entry,
    platform: 'node',
    external: Object.keys(paths),
    transform: { target },
    resolve: { symlinks: false },
    onLog: refuse,
  });
  try {
    const { output } = await program.generate({
      // Source maps are relative to this folder.
      dir: join(root, 'dist'),
      format,
      paths,
      sourcemap: true,
      comments: false,
      // One file that loads externals with require(): the ES module loader is slow to set up.
      codeSplitting: false,
      dynamicImportInCjs: false,
    });
    return output[0];
  } finally {
    await program.close();
  }
};

/** Writes a program without minifying it. */
export const bundleProgram = async (entry, outfile, options) => {
  const { code } = await bundle(entry, options);
  await writeFile(outfile, code);
};

/**
 * Writes a minified CommonJS program with a source map, and returns its inputs. Every thread
 * holds its source in memory. Names and short lines are kept for stack traces.
 */
export const bundleSmallProgram = async (entry, outfile, options) => {
  const { code, map, modules } = await bundle(entry, { format: 'cjs', ...options });
  const whole = Buffer.from(map.toString()).toString('base64');
  const small = await transform(
    `${code}\n//# sourceMappingURL=data:application/json;base64,${whole}\n`,
    {
      target,
      platform: 'node',
      minifyWhitespace: true,
      lineLimit: 100,
      legalComments: 'none',
      sourcemap: 'external',
      sourcesContent: false,
    },
  );
  const mapFile = `${outfile}.map`;
  await writeFile(mapFile, small.map);
  await writeFile(outfile, `${small.code}//# sourceMappingURL=${basename(mapFile)}\n`);
  return Object.keys(modules);
};
