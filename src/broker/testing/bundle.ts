import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundleProgram } from '../../base/testing/bundle-program.ts';

const here = import.meta.dirname;

/** Functions that each variant replaces. */
const stepsOf = {
  'no-reserve': 'writer-steps',
  'late-announcement': 'writer-steps',
  'stopping-writer': 'writer-steps',
  'no-watermark': 'reader-steps',
  'no-validation': 'reader-steps',
  'no-size-check': 'reader-steps',
} as const;

/** A broker with one function of its protocol replaced; see the file with that name. */
export type Variant = keyof typeof stepsOf;

const replaceSteps = (variant: Variant): Plugin => ({
  name: 'protocol-variant',
  setup: ({ onResolve }) => {
    const variantFile = join(here, 'variants', `${variant}.ts`);
    onResolve({ filter: new RegExp(`/${stepsOf[variant]}\\.ts$`) }, ({ importer }) =>
      importer === variantFile ? undefined : { path: variantFile },
    );
  },
});

/** Bundles a file of this folder for Node, with the original protocol or a variant. */
export const bundle = (name: string, folder: string, variant?: Variant): Promise<string> =>
  bundleProgram(
    { file: join(here, `${name}.ts`) },
    resolve(folder, `${name}-${variant ?? 'as-is'}.mjs`),
    { plugins: variant ? [replaceSteps(variant)] : [] },
  );
