import {
  type E2eCodecRow,
  type LinearCodecRow,
  type SignalRow,
  type SignalType,
  type Tables,
  tablesOf,
} from './project.ts';

type Mutable<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Row)[] ? Row[] : never;
};

/** A signal of a generated project, and known properties of its values. */
export interface SignalDraft {
  readonly id: string;
  readonly type: SignalType;
  /**
   * Whether every implementation returns exactly the same value. Coordinates and sines depend on
   * the order of operations, so no discontinuous function may use them.
   */
  readonly isExact: boolean;
  /** Bound of the absolute value; infinite if unknown. */
  readonly bound: number;
}

/** A project being generated. */
export class ProjectDraft {
  readonly tables = tablesOf({}) as Mutable<Tables>;
  readonly signals: SignalDraft[] = [];
  #names = 0;

  /** An unused id. */
  name(kind: string): string {
    this.#names += 1;
    return `${kind}${this.#names}`;
  }

  addSignal(row: SignalRow, known: { isExact?: boolean; bound?: number } = {}): SignalDraft {
    const labels = row.type === 'enum' ? { labels: [{ value: '0', label: 'off' }] } : {};
    this.tables.signals.push({ ...row, ...labels });
    const { isExact = true, bound = Number.POSITIVE_INFINITY } = known;
    const draft = { id: row.id, type: row.type, isExact, bound };
    this.signals.push(draft);
    return draft;
  }

  addCodec<Codec extends LinearCodecRow | E2eCodecRow>(codec: Codec): Codec {
    this.tables.codecs.push(codec);
    return codec;
  }

  toProject(): object {
    return { format: 'gwproj', schema_version: 1, ...this.tables };
  }
}
