import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/workbench.ts';
import { api, refusedOverHttp } from './support/channel-bench.ts';
import { shareSignalBench } from './support/signal-bench.ts';

const golden = (name: string) => readFileSync(join(repository, 'tests', 'golden', 'dbc', name));

const responseLimit = 2 * 1024 * 1024;
const bigTotal = 3000;

/** Three thousand messages of eight signals: some six megabytes of JSON. */
const bigDatabase = (): string => {
  const messages = Array.from({ length: bigTotal }, (_, at) => {
    const number = at < 2048 ? at : 0x8000_0000 + at;
    const signals = Array.from(
      { length: 8 },
      (_, place) => ` SG_ S${at}_${place} : ${place * 8}|8@1+ (0.1,-40) [-40|100] "degC" ECU\n`,
    );
    return `BO_ ${number} M${at}: 8 ECU\n${signals.join('')}`;
  });
  return `VERSION ""\nBU_: ECU\n${messages.join('\n')}`;
};

const invalid = `VERSION ""
BU_: ECU
BO_ 256 Engine: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
 SG_ Beyond : 60|8@1+ (1,0) [0|0] "" ECU
 SG_ Broken : zz
BO_ 257 Engine: 8 ECU
`;

interface Page {
  readonly message_total: number;
  readonly message_offset: number;
  readonly message_next_offset: number;
  readonly message_page: { readonly name: string; readonly signals: unknown[] }[];
}

describe('showing a database', () => {
  const bench = shareSignalBench(async (fresh) => {
    await fresh.use('big', bigDatabase());
    await fresh.use('invalid', invalid);
  });

  const show = async (name: string, query = '') => {
    const answer = await bench.get(`${api}/databases/${encodeURIComponent(name)}?${query}`);
    expect(answer.status, answer.text.slice(0, 500)).toBe(200);
    return answer;
  };

  it.each(['limit=1000', 'limit=999', ''])(
    'leads through every message page by page, each within the limit of responses: %s',
    async (query) => {
      const names: string[] = [];
      for (let offset = 0; offset < bigTotal; ) {
        const answer = await show('big', `offset=${offset}&${query}`);
        expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(responseLimit);
        const page: Page = answer.json();
        expect(page).toMatchObject({ message_total: bigTotal, message_offset: offset });
        expect(page.message_next_offset).toBe(offset + page.message_page.length);
        expect(page.message_page.length).toBeGreaterThan(0);
        expect(page.message_page.every(({ signals }) => signals.length === 8)).toBe(true);
        names.push(...page.message_page.map(({ name }) => name));
        offset = page.message_next_offset;
      }
      expect(names).toEqual(Array.from({ length: bigTotal }, (_, at) => `M${at}`));
    },
  );

  it('shows a hundred messages if nothing is said, and as many as asked for', async () => {
    expect((await show('big')).json().message_page).toHaveLength(100);
    const page: Page = (await show('big', 'offset=2999&limit=7')).json();
    expect(page).toMatchObject({ message_next_offset: bigTotal, message_offset: 2999 });
    expect(page.message_page.map(({ name }) => name)).toEqual(['M2999']);
  });

  it('shows nothing behind the last message', async () => {
    for (const offset of [bigTotal, bigTotal + 1, Number.MAX_SAFE_INTEGER]) {
      const page = (await show('big', `offset=${offset}`)).json();
      expect(page).toMatchObject({ message_next_offset: bigTotal, message_page: [] });
    }
  });

  it.each(['offset=-1', 'limit=0', 'limit=1001', 'offset=1e1', 'limit=', 'page=1'])(
    'is refused with %s',
    async (query) => {
      const answer = await bench.get(`${api}/databases/big?${query}`);
      expect(refusedOverHttp(answer)).toMatchObject({ status: 400, code: 'invalid_argument' });
    },
  );

  it('shows a page over the CLI', async () => {
    const page = await bench.json('database', 'show', 'big', '--offset=10', '--limit=2');
    expect(page).toEqual((await show('big', 'offset=10&limit=2')).json());
    const { stdout } = await bench.ask(['database', 'show', 'big', '--offset=10', '--limit=2']);
    expect(stdout).toContain('M10');
    expect(stdout).not.toContain('M12');
  });

  it('shows one message with its signals, also one whose name was made', async () => {
    const { message_page } = (
      await show('invalid', `message=${encodeURIComponent('Engine#2')}`)
    ).json();
    expect(message_page).toMatchObject([{ name: 'Engine#2', id: 257 }]);
    const { stdout } = await bench.ask(['database', 'show', 'invalid', '--message=0x100']);
    expect(stdout).toMatch(/^ {4}Speed +0 +16 +intel /m);
    expect(stdout).not.toContain('Engine#2  0x');
    for (const query of ['message=Gone', 'message=Engine&offset=0']) {
      const answer = await bench.get(`${api}/databases/invalid?${query}`);
      const isGone = query.endsWith('Gone');
      expect(refusedOverHttp(answer)).toMatchObject(
        isGone
          ? { status: 404, code: 'message_not_found' }
          : { status: 400, code: 'invalid_argument', details: { field: 'offset' } },
      );
    }
  });

  it('tells where something is wrong, what, and what was made of it', async () => {
    const { warnings, errors, diagnostics, message_page } = (await show('invalid')).json();
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'signal_beyond_message',
        line: 5,
        column: 6,
        message: expect.stringContaining('Beyond'),
        action: expect.any(String),
      },
      {
        severity: 'error',
        code: 'syntax',
        line: 6,
        column: 15,
        message: expect.stringContaining('zz'),
        action: expect.any(String),
      },
      expect.objectContaining({ severity: 'warning', line: 7, action: expect.any(String) }),
    ]);
    expect([warnings, errors]).toEqual([2, 1]);
    expect(message_page[0].signals.map(({ name }: { name: string }) => name)).toEqual([
      'Speed',
      'Beyond',
    ]);
  });

  it('shows all that is known of signals, with exact numbers', async () => {
    await bench.use(
      'rich',
      `VERSION ""
BU_: ECU Gateway
BO_ 2566844926 Wheel: 64 ECU
 SG_ Page M : 0|8@1+ (1,0) [0|0] "" Vector__XXX
 SG_ Speed m1 : 15|16@0- (0.001,-0.5) [-1.5|2.25] "km/h" Gateway,ECU
CM_ BO_ 2566844926 "Rear";
CM_ SG_ 2566844926 Speed "Axle";
VAL_ 2566844926 Page 1 "Front" 2 "Rear" ;
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 2566844926 20;
`,
    );
    expect((await show('rich')).json().message_page).toEqual([
      {
        name: 'Wheel',
        id: 0x18fef1fe,
        extended: true,
        fd: true,
        brs: expect.any(Boolean),
        length: 64,
        senders: ['ECU'],
        pgn: null,
        signal_offset: 0,
        signals_omitted: 0,
        cycle_time_ms: 20,
        comment: 'Rear',
        lin: null,
        signals: [
          expect.objectContaining({
            name: 'Page',
            is_switch: true,
            multiplexing: null,
            minimum: null,
            maximum: null,
            receivers: [],
            values: [
              { raw: '1', text: 'Front' },
              { raw: '2', text: 'Rear' },
            ],
          }),
          {
            name: 'Speed',
            start_bit: 15,
            length: 16,
            byte_order: 'motorola',
            kind: 'signed',
            factor: '0.001',
            offset: '-0.5',
            minimum: '-1.5',
            maximum: '2.25',
            unit: 'km/h',
            receivers: ['Gateway', 'ECU'],
            is_switch: false,
            multiplexing: { switch: 'Page', ranges: [{ from: '1', to: '1' }] },
            values: [],
            values_omitted: 0,
            ranges: null,
            array: null,
            start_value: null,
            comment: 'Axle',
          },
        ],
      },
    ]);
  });

  it.each([
    ['chinese-gbk.dbc', 'gb18030'],
    ['chinese-utf8-bom.dbc', 'utf-8'],
    ['rich.dbc', 'windows-1252'],
  ])('reads %s as %s', async (file, encoding) => {
    const name = file.replace('.dbc', '-copy');
    const record = await bench.use(name, golden(file));
    expect(record).toMatchObject({ encoding, errors: 0 });
    const { text } = await show(name);
    expect(text).not.toContain('\ufffd');
    expect(text).toMatch(encoding === 'windows-1252' ? /"°C"/ : /[\u4e00-\u9fff]/);
  });
});
