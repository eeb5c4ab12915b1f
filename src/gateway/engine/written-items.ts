import type { BitField } from '../codecs/bit-field.ts';
import type { ProjectImage } from '../image/project-image.ts';
import { registerField, registerPlaceOf, validityField } from '../modbus/register-field.ts';
import { WritePlan } from '../modbus/write-plan.ts';
import { outputPlanTable } from '../plan/plan-tables.ts';
import type { CompiledUnits } from './compile-units.ts';
import type { PlanCodecs } from './plan-codecs.ts';
import type { PlacedField, PlannedBindings } from './plan-fields.ts';
import type { PlanResources } from './plan-resources.ts';

/** Which bytes of which task, or of the memory of which server, are those of a resource. */
export class WrittenItems {
  /** How tasks on Modbus write, by number. */
  readonly plans: (WritePlan | undefined)[] = [];
  readonly #resources: PlanResources;
  readonly #codecs: PlanCodecs;
  readonly #rows: ReturnType<typeof outputPlanTable.open>;
  readonly #places: Uint32Array;
  /** From 1; servers have none. */
  readonly #tasks: Uint32Array;

  constructor(
    { plan }: ProjectImage,
    resources: PlanResources,
    codecs: PlanCodecs,
    units: CompiledUnits,
  ) {
    this.#resources = resources;
    this.#codecs = codecs;
    this.#rows = outputPlanTable.open(plan.outputs);
    this.#places = units.places.slice();
    this.#tasks = new Uint32Array(resources.count);
  }

  /** Yields after each task. */
  *plan(): Generator<void> {
    const { firstResource, resources, count } = this.#rows;
    for (let task = 0; task < count; task++) {
      const first = firstResource[task] as number;
      const numbers = this.#resources.ofTask(first, resources[task] as number);
      const rows = Array.from(numbers, (number) => this.#resources.row(number));
      const plan = rows.length === 0 ? undefined : new WritePlan(rows);
      this.plans.push(plan);
      for (const [index, number] of numbers.entries()) {
        this.#places[number] = plan?.placeOf(index) ?? 0;
        this.#tasks[number] = task + 1;
      }
      yield;
    }
  }

  /** The field of a binding that is a resource. */
  field(bindings: PlannedBindings, index: number): PlacedField {
    const resource = (bindings.resource[index] as number) - 1;
    const validity = (bindings.validityResource[index] as number) - 1;
    const codec = this.#codecs.codec(bindings.codec[index] as number);
    const place = registerPlaceOf(this.#resources.row(resource), codec);
    const field = registerField(place, this.#places[resource] as number);
    const isOwn = validity >= 0 && this.#tasks[validity] === this.#tasks[resource];
    const validityBit = isOwn ? this.#bit(validity) : null;
    return { codec, place: null, field, validityBit, ranges: null };
  }

  /** The validity bit of a binding that another task writes; undefined where it has none, or the same task does. */
  foreignValidity(
    bindings: PlannedBindings,
    index: number,
  ): { readonly task: number; readonly bit: BitField } | undefined {
    const resource = (bindings.resource[index] as number) - 1;
    const validity = (bindings.validityResource[index] as number) - 1;
    if (validity < 0 || this.#tasks[validity] === this.#tasks[resource]) return undefined;
    return { task: (this.#tasks[validity] as number) - 1, bit: this.#bit(validity) };
  }

  #bit(resource: number): BitField {
    return validityField(this.#resources.row(resource), this.#places[resource] as number);
  }
}
