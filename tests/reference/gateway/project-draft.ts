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

/** A signal of a project in the making, and what is known of its values. */
export interface SignalDraft {
  readonly id: string;
  readonly type: SignalType;
  /**
   * Whether every implementation gets the same value to the last bit. Coordinates and sines depend
   * on the order of their operations, so nothing that jumps may be computed from them.
   */
  readonly isExact: boolean;
  /** No value is further from 0; infinite if that is not known. */
  readonly bound: number;
}

/** A project in the making. */
export class ProjectDraft {
  readonly tables = tablesOf({}) as Mutable<Tables>;
  readonly signals: SignalDraft[] = [];
  #names = 0;

  /** An id that no row has. */
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
