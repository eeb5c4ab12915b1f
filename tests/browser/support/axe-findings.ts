import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ContextSpec, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { isLong } from '../../../src/base/testing/long.ts';

declare const axe: { run(context: ContextSpec, options: RunOptions): Promise<AxeResults> };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const graveImpacts: readonly unknown[] = ['serious', 'critical'];

/**
 * The console hides pages that were left. Rows of a table are alike: only the first ones are
 * checked.
 */
const exclude = [
  '.page[hidden]',
  ...(isLong ? [] : ['tbody tr:nth-child(n + 4)', '[role="treeitem"]:nth-child(n + 4)']),
].map((selector) => [selector]);

/**
 * Serious and critical findings of axe in a page, with their elements; by some rules, or by all. The
 * debugger injects axe, which the content policy does not affect. Contrast takes most of the time and
 * is left to long runs: tests/contract/console-colours.test.ts computes it for every pair of colours.
 */
export const axeFindings = async (
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate(
    ([context, values, checksContrast]) =>
      axe.run(context, {
        resultTypes: ['violations'],
        preload: false,
        ...(values
          ? { runOnly: { type: 'rule', values: [...values] } }
          : { rules: { 'color-contrast': { enabled: checksContrast } } }),
      }),
    [{ exclude }, rules, isLong] as const,
  );
  if (passes.length === 0) throw new Error('axe has looked at nothing');
  return violations
    .filter(({ impact }) => graveImpacts.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary, html }) =>
        [id, target.join(' '), failureSummary?.replaceAll(/\s+/g, ' '), html.slice(0, 160)].join(
          ' · ',
        ),
      ),
    );
};
