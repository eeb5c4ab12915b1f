import { Checker } from '../e2e/checker.ts';
import { compileLayout } from '../e2e/layout.ts';
import { Protector } from '../e2e/protector.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { e2ePlanTable } from '../plan/plan-tables.ts';
import type { E2eCodec, NativeCodec } from '../project/tables/codecs.ts';
import type { OutputProtection } from './frame-builder.ts';
import { InputCheck } from './input-check.ts';
import { type NativeParts, requireNatives } from './native-parts.ts';
import type { PlanCodecs } from './plan-codecs.ts';
import type { RoundTime } from './round-time.ts';

/** Checks and protections of a plan, by numbers from 1; there is none for 0. */
export class PlanLayouts {
  readonly #rows: ReturnType<typeof e2ePlanTable.open>;
  readonly #codecs: PlanCodecs;
  readonly #natives: NativeParts | undefined;

  constructor({ plan }: ProjectImage, codecs: PlanCodecs, natives?: NativeParts) {
    this.#rows = e2ePlanTable.open(plan.e2e);
    this.#codecs = codecs;
    this.#natives = natives;
  }

  check(number: number, staleUs: number, time: RoundTime): InputCheck | null {
    if (number === 0) return null;
    const { codec, length, at } = this.#row(number - 1);
    const checker =
      codec.kind === 'native'
        ? requireNatives(this.#natives).checker(codec.plugin, length)
        : new Checker(compileLayout(codec, length), codec);
    return new InputCheck(checker, at, staleUs, time);
  }

  protection(number: number): OutputProtection | null {
    if (number === 0) return null;
    const { codec, length, at } = this.#row(number - 1);
    if (codec.kind === 'native') {
      const protector = requireNatives(this.#natives).protector(codec.plugin, length);
      return { protector, fields: null, at };
    }
    const protector = new Protector(compileLayout(codec, length));
    return { protector, fields: protector, at };
  }

  #row(row: number) {
    const { codec: texts, length, at } = this.#rows;
    const codec = this.#codecs.json<E2eCodec | NativeCodec>(texts[row] as number);
    return { codec, length: length[row] as number, at: at[row] as number };
  }
}
