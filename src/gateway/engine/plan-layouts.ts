import { Checker } from '../e2e/checker.ts';
import { compileLayout } from '../e2e/layout.ts';
import { Protector } from '../e2e/protector.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { e2ePlanTable } from '../plan/plan-tables.ts';
import type { E2eCodec } from '../project/tables/codecs.ts';
import type { OutputProtection } from './frame-builder.ts';
import { InputCheck } from './input-check.ts';
import type { PlanCodecs } from './plan-codecs.ts';

/** Checks and protections of a plan, by numbers from 1; there is none for 0. */
export class PlanLayouts {
  readonly #rows: ReturnType<typeof e2ePlanTable.open>;
  readonly #codecs: PlanCodecs;

  constructor({ plan }: ProjectImage, codecs: PlanCodecs) {
    this.#rows = e2ePlanTable.open(plan.e2e);
    this.#codecs = codecs;
  }

  check(number: number): InputCheck | null {
    if (number === 0) return null;
    const { codec, layout, at } = this.#layout(number - 1);
    return new InputCheck(new Checker(layout, codec), at);
  }

  protection(number: number): OutputProtection | null {
    if (number === 0) return null;
    const { layout, at } = this.#layout(number - 1);
    return { protector: new Protector(layout), at };
  }

  #layout(row: number) {
    const { codec: texts, length, at } = this.#rows;
    const codec = this.#codecs.json<E2eCodec>(texts[row] as number);
    const layout = compileLayout(codec, length[row] as number);
    return { codec, layout, at: at[row] as number };
  }
}
