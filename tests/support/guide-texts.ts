/** Parts of the output that differ in every run, and the column widths that depend on them. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\/home\/ana\/[\w-]+/g, 'PROJECT'],
  [/\/run\/user\/1000\/busbar/g, 'HOME'],
  [/\(\d{9,}\.\d{6}\)/g, '(TIME)'],
  [/\(\d{3}\.\d{6}\)/g, '(DELTA)'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE'],
  [/\w{3} \w{3} +\d{1,2} [\d:.]+ [ap]m \d{4}/g, 'DATE'],
  [/^ +\d+\.\d{6} /gm, 'SECONDS '],
  [/\b17\d{14}\b/g, 'TIME_US'],
  [/( us {2,})\d{5,}$/gm, '$1US'],
  [/( {2,}\d{5,}){2}$/gm, '  US  US'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID'],
  [/^(pid +)\d+$/gm, '$1PID'],
  [/^((?:[rt]x rate fps|bus load percent) +)[\d.]+$/gm, '$1RATE'],
  [/("datagrams_received": )\d+/g, '$1COUNT'],
  [/("(?:oldest|newest)_available": )\d{5,}/g, '$1EVENT'],
  [/^id: \d{5,}$/gm, 'id: EVENT'],
  [/"event_id":\d{5,},"source_sequence":\d{5,}/g, '"event_id":EVENT,"source_sequence":SEQUENCE'],
  [/ERRORFRAME ×\d+/g, 'ERRORFRAME ×COUNT'],
  [/( answering +)[\d.]+ ms$/gm, '$1MS'],
  // Missed periods depend on the load of the machine.
  [/^(task-\d.* finished .* )\d+$/gm, '$1MISSED'],
  [/^( +(?:count|p50|p99|p999|max) +)\d+$/gm, '$1FIGURE'],
  [/ +$/gm, ''],
  [/(\S) {2,}/g, '$1  '],
];

/** Additional differences while a vehicle is running. */
const driving: readonly (readonly [RegExp, string])[] = [
  [/busbar-demo-\w{6}/g, 'busbar-demo-NAME'],
  [/^(\s+plan-.* )\d+( +yes)$/gm, '$1FRAMES$2'],
  [/(EngineSpeed +)[\d.]+/g, '$1SPEED'],
  [/^((?:values|registers) +)[\d, ]+(0, null)$/gm, '$1REGISTERS, $2'],
  [/("data": "0)[0-9A-F]{3}(",\s+"checksum": )\d+/g, '$1COUNTER$2CHECKSUM'],
  [/( RX +4[02]0 +\[8\] +)[0-9A-F ]+$/gm, '$1BYTES'],
  // Speed, engine speed, coolant and gear; the wipers after them have their set value.
  [/^(\[[1-4]\]: *\t)\d+$/gm, '$1REGISTER'],
];
const drivesIn = new Set(
  [
    'docs/guides/quick-start',
    'docs/guides/demo-vehicle',
    'docs/guides/modbus-server',
    'docs/guides/sending',
  ].map((name) => `${name}.md`),
);

const replaceAll = (text: string, what: readonly (readonly [RegExp, string])[]): string =>
  what.reduce((changed, [each, instead]) => changed.replaceAll(each, instead), text);

/** A text of a guide without the parts that differ in every run. */
export const steadyTextOf =
  (guide: string) =>
  (text: string): string =>
    replaceAll(text, drivesIn.has(guide) ? [...driving, ...changing] : changing);

/**
 * Expected output as a pattern: `…` stands for lines where it is alone, and for text within one.
 */
export const patternOf = (shown: string): RegExp => {
  const lines = shown.split('\n').map((line) =>
    line.trim() === '…'
      ? '(?:.*\n)*?'
      : `${line
          .split('…')
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}\n`,
  );
  return new RegExp(`^${lines.join('').trimEnd()}\\s*$`);
};

const planId = /plan-[0-9a-f]{8}/g;

/** The plans of a guide, whose names differ in every run. */
export class PlanNames {
  readonly #here = new Map<string, string>();
  #unnamed: string[] = [];

  /**
   * A command with the plan names of this run; a plan created without being shown is the last
   * one.
   */
  here(command: string): string {
    return command.replaceAll(planId, (shown) => {
      const made = this.#here.get(shown) ?? this.#unnamed.pop() ?? shown;
      this.#here.set(shown, made);
      return made;
    });
  }

  /** Output of this run, with the plan names of the guide. */
  there(reported: string, shown: string): string {
    const named = new Set(this.#here.values());
    const fresh = [...new Set(reported.match(planId))].filter((id) => !named.has(id));
    for (const id of new Set(shown.match(planId))) {
      const made = this.#here.has(id) ? undefined : fresh.shift();
      if (made !== undefined) this.#here.set(id, made);
    }
    this.#unnamed = [...this.#unnamed, ...fresh];
    const back = new Map([...this.#here].map(([id, made]) => [made, id]));
    return reported.replaceAll(planId, (made) => back.get(made) ?? made);
  }
}
