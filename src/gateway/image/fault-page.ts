import { BusbarError } from '../../base/errors/busbar-error.ts';
import { StringPool } from '../memory/string-pool.ts';
import type { FaultRuleRow } from '../project/tables/fault-rules.ts';
import type { GatewayFault } from './fault-record.ts';
import { StateReader } from './image-state.ts';
import { faultStateTable, faultTable } from './image-tables.ts';
import type { ProjectImage } from './project-image.ts';

export class FaultRules {
  readonly #image: ProjectImage;
  readonly #strings: StringPool;
  readonly #rules: ReturnType<typeof faultTable.open>;
  readonly #state: ReturnType<typeof faultStateTable.open>;

  constructor(image: ProjectImage) {
    this.#image = image;
    this.#strings = new StringPool(image.strings);
    this.#rules = faultTable.open(image.faults);
    this.#state = faultStateTable.open(image.state.faults);
  }

  get count(): number {
    return this.#rules.count;
  }

  require(id: string): number {
    for (let place = 0; place < this.count; place++) if (this.#rule(place).id === id) return place;
    throw new BusbarError('fault_rule_not_found', {
      message: `No such fault rule: ${id}`,
      details: { field: 'rule', rule: id },
    });
  }

  entry(place: number): GatewayFault {
    return this.#entry(place, this.#copy());
  }

  entries(offset: number, limit: number): () => Generator<GatewayFault> {
    const state = this.#copy();
    const end = Math.min(offset + limit, this.count);
    const entry = (place: number) => this.#entry(place, state);
    return function* () {
      for (let place = offset; place < end; place++) yield entry(place);
    };
  }

  /** Enabled flags by project row; undefined if all are unchanged. */
  switches(): boolean[] | undefined {
    const switches: boolean[] = [];
    let isSame = true;
    for (const [place, row] of this.#rules.row.entries()) {
      switches[row] = this.#state.enabled[place] === 1;
      isSame &&= switches[row] === this.#rule(place).enabled;
    }
    return isSame ? undefined : switches;
  }

  #entry(place: number, { enabled, fired }: ReturnType<typeof faultStateTable.open>): GatewayFault {
    return { ...this.#rule(place), enabled: enabled[place] === 1, fired: fired[place] ?? 0 };
  }

  #rule(place: number): FaultRuleRow {
    return JSON.parse(this.#strings.at(this.#rules.rule[place] ?? 0) ?? '{}');
  }

  #copy() {
    const { columns } = faultStateTable.create(this.count);
    new StateReader(this.#image).read(() => {
      faultStateTable.copyRows(this.#state, 0, columns, 0, this.count);
    });
    return columns;
  }
}
