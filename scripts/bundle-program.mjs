// Bundles what the threads of the daemon run. Rolldown leaves constants of modules constant, and V8 makes
// their values part of the code that it optimizes. As variables, which other bundlers make of them so that
// programs start without a check of each, they cost a quarter of what happens with a frame.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { root } from './load-source.mjs';

const target = 'node20';

/** Each of these logs means that a program would do something else than its sources. */
const refuse = (_level, { message }) => {
  throw new Error(message);
};

/**
 * One file of a program: its code, the map of it, and the files that it is made of. `paths` says where it
 * finds what stays outside.
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
      // Where maps are from, wherever they are written first.
      dir: join(root, 'dist'),
      format,
      paths,
      sourcemap: true,
      comments: false,
      // A program is one file, which loads nothing but what stays outside, by require() where it can:
      // the loader of ES modules takes long to set up.
      codeSplitting: false,
      dynamicImportInCjs: false,
    });
    return output[0];
  } finally {
    await program.close();
  }
};

/** Writes a program as it is. */
export const bundleProgram = async (entry, outfile, options) => {
  const { code } = await bundle(entry, options);
  await writeFile(outfile, code);
};

/**
 * The same for CommonJS, small, with a map beside it; answers the files that it is made of. Each thread
 * keeps its source in memory. Names stay, and lines short, so that stack traces can be read.
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
