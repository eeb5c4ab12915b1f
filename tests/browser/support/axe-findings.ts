import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run(options: RunOptions): Promise<AxeResults> };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const graveImpacts: readonly unknown[] = ['serious', 'critical'];

/**
 * What axe finds in a page that keeps people out, or is hard on them, with the elements; by some rules, or
 * by all. The debugger puts it there, which the content policy does not concern.
 */
export const axeFindings = async (
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate(
    (values) =>
      axe.run({
        resultTypes: ['violations'],
        preload: false,
        ...(values ? { runOnly: { type: 'rule', values: [...values] } } : {}),
      }),
    rules,
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
