import { describe, expect, it } from 'vitest';
import { importText, messageText, refusalOf } from './testing/import-text.ts';

const speed = ' SG_ Speed : 0|16@1+ (1,0) [0|0] "" B\n';

const named = (messages: Record<string, number | null>): string => {
  const names = Object.keys(messages);
  return [
    ...names.map((name, index) => `BO_ ${index + 1} ${name}: 8 A\n${speed}`),
    'BA_DEF_ BO_ "GenMsgCycleTime" FLOAT 0 1000000;',
    ...names.map((name, index) =>
      messages[name] === null ? '' : `BA_ "GenMsgCycleTime" BO_ ${index + 1} ${messages[name]};`,
    ),
  ].join('\n');
};

describe('importDbc', () => {
  it('gives received messages three periods, or the time-out that the caller chose', () => {
    const { project, defaults } = importText(named({ Fast: 10, Odd: 2.5, Event: null }), {
      staleAfterMs: 700,
    });
    expect(project.messages.map((row) => [row.id, row.period_ms, row.stale_after_ms])).toEqual([
      ['net.Fast', 10, 30],
      ['net.Odd', undefined, 8],
      ['net.Event', undefined, 700],
    ]);
    expect(defaults).toEqual([
      { message: 'net.Fast', field: 'stale_after_ms', value: 30, rule: 'Three periods of 10 ms' },
      { message: 'net.Odd', field: 'stale_after_ms', value: 8, rule: 'Three periods of 2.5 ms' },
      {
        message: 'net.Event',
        field: 'stale_after_ms',
        value: 700,
        rule: 'No period in the file: stale_after_ms',
      },
    ]);
    expect(project.header.provenance).toEqual([
      {
        kind: 'dbc',
        file: 'test.dbc',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        network: 'net',
        direction: 'rx',
        defaults,
      },
    ]);
    expect(project.tx_tasks).toEqual([]);
  });

  it('refuses received messages without a period and a time-out, by name and option', () => {
    const refusal = refusalOf(() => importText(named({ Fast: 10, Event: null, Alarm: 0 })));
    expect(refusal).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'stale_after_ms', messages: ['Event', 'Alarm'], total: 2 },
    });
    expect(refusal.message).toContain('Event, Alarm');
  });

  it('refuses to send messages without a period unless it is told how', () => {
    const file = named({ Fast: 10, Event: null });
    expect(refusalOf(() => importText(file, { direction: 'tx' }))).toMatchObject({
      code: 'missing_cycle',
      message: 'The file has no period for Event',
      details: { field: 'missing_cycle', messages: ['Event'], total: 1 },
    });
    for (const defaultPeriodMs of [undefined, 0]) {
      const options = { direction: 'tx', missingCycle: 'periodic', defaultPeriodMs } as const;
      expect(refusalOf(() => importText(file, options))).toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('Event'),
        details: { field: 'default_period_ms' },
      });
    }
  });

  it('sends messages without a period on change, or with the period given for them alone', () => {
    const file = named({ Fast: 10, Event: null });
    const onChange = importText(file, { direction: 'tx', missingCycle: 'on_change' });
    expect(onChange.project.tx_tasks).toEqual([
      { id: 'net.Fast', message: 'net.Fast', mode: 'value' },
      {
        id: 'net.Event',
        message: 'net.Event',
        mode: 'value',
        policy: 'on_change',
      },
    ]);
    const periodic = importText(file, {
      direction: 'tx',
      missingCycle: 'periodic',
      defaultPeriodMs: 500,
    });
    expect(periodic.project.messages.map((row) => row.period_ms)).toEqual([10, 500]);
    expect(periodic.project.tx_tasks.map((row) => row.policy)).toEqual([undefined, undefined]);
    expect(periodic.defaults).toEqual([
      {
        message: 'net.Event',
        field: 'period_ms',
        value: 500,
        rule: 'No period in the file: default_period_ms',
      },
    ]);
  });

  it('takes every period for sending that a project can have', () => {
    const { project } = importText(named({ Slow: 4_294_967_295 }), { direction: 'tx' });
    expect(project.messages[0]?.period_ms).toBe(4_294_967_295);
    const long = refusalOf(() => importText(named({ Slow: 4_294_967_296 }), { direction: 'tx' }));
    expect(long.message).toContain('which is too long');
  });

  it('refuses periods that a project cannot have', () => {
    const half = refusalOf(() => importText(named({ Odd: 2.5 }), { direction: 'tx' }));
    expect(half).toMatchObject({ code: 'invalid_database', details: { total: 1 } });
    expect(half.message).toContain('Message Odd has a period of 2.5 ms');
    const long = refusalOf(() => importText(named({ Slow: 2e9 })));
    expect(long.message).toContain('Message Slow has a period of 2000000000 ms');
  });

  it('leaves out what is no frame of its own, and says so', () => {
    const file = `BO_ 100 Long: 100 A
BO_ 101 Fits: 8 A
${speed}BO_ 2566844926 Anyone: 8 A
BO_ 2566844672 Group: 39 A
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_ "VFrameFormat" BO_ 2566844926 3;
BA_ "VFrameFormat" BO_ 2566844672 3;
`;
    const { project, omitted } = importText(file, { staleAfterMs: 0 });
    expect(project.messages.map(({ id }) => id)).toEqual(['net.Fits']);
    expect(omitted.map(({ message, reason }) => `${message} ${reason}`)).toEqual([
      'Long has 100 bytes, more than a frame can hold',
      'Anyone is a J1939 parameter group of any source address, and has no identifier of its own',
      'Group has 39 bytes, which take several frames',
    ]);
  });

  it('refuses a file that leaves nothing', () => {
    const refusal = refusalOf(() => importText('BO_ 100 Long: 100 A\n'));
    expect(refusal).toMatchObject({ code: 'invalid_database', details: { total: 1 } });
    expect(refusal.message).toContain('Long has 100 bytes');
    expect(refusalOf(() => importText('VERSION ""\n')).message).toContain('no message to import');
  });

  it('refuses two messages of one identifier', () => {
    const file = `BO_ 100 One: 8 A\n${speed}BO_ 100 Other: 8 A\n${speed}`;
    expect(refusalOf(() => importText(file, { staleAfterMs: 0 }))).toMatchObject({
      code: 'invalid_database',
      details: {
        problems: [
          { message: 'Other', signal: null, part: 'message', reason: 'has the identifier of One' },
        ],
      },
    });
  });

  it('takes an 11-bit and a 29-bit identifier of the same number for two', () => {
    const file = `BO_ 100 One: 8 A\n${speed}BO_ ${0x8000_0000 + 100} Other: 8 A\n${speed}`;
    const { project } = importText(file, { staleAfterMs: 0 });
    expect(project.messages.map((row) => [row.can_id, row.extended])).toEqual([
      [100, false],
      [100, true],
    ]);
  });

  it('leaves signals out that cannot be received, and refuses to send without them', () => {
    const file = messageText(` SG_ Fits : 0|8@1+ (1,0) [0|0] "" B
 SG_ Beyond : 56|16@1+ (1,0) [0|0] "" B
 SG_ Flat : 8|8@1+ (0,5) [0|0] "" B
 SG_ Huge : 16|8@1+ (1E+308,1E+308) [0|0] "" B
`);
    const { project, omitted } = importText(file);
    expect(project.signals.map(({ id }) => id)).toEqual(['net.M.Fits']);
    expect(project.bindings).toHaveLength(1);
    const reasons = [
      {
        message: 'M',
        signal: 'Beyond',
        part: 'signal',
        reason: 'needs 9 bytes, but the message has 8',
      },
      { message: 'M', signal: 'Flat', part: 'signal', reason: 'has the factor 0' },
      { message: 'M', signal: 'Huge', part: 'signal', reason: 'has values beyond all doubles' },
    ];
    expect(omitted).toEqual(reasons);
    expect(refusalOf(() => importText(file, { direction: 'tx' }))).toMatchObject({
      code: 'invalid_database',
      details: { field: 'file', problems: reasons, total: 3 },
    });
  });

  it('leaves out signals of more bits than a value has', () => {
    const wide = ' SG_ Wide : 0|65@1+ (1,0) [0|0] "" B\n';
    const { omitted } = importText(messageText(wide, { length: 16 }));
    expect(omitted).toEqual([
      {
        message: 'M',
        signal: 'Wide',
        part: 'signal',
        reason: 'has 65 bits; 1 to 64 are supported',
      },
    ]);
  });

  it('reads bits that two signals share, and refuses to send them', () => {
    const file = messageText(` SG_ Whole : 0|16@1+ (1,0) [0|0] "" B
 SG_ Part : 8|4@1+ (1,0) [0|0] "" B
`);
    expect(importText(file).project.bindings).toHaveLength(2);
    expect(refusalOf(() => importText(file, { direction: 'tx' })).message).toContain(
      'Signal Part of M shares bits with Whole',
    );
  });

  it('makes ids out of names that are no identifiers, and keeps the names as comments', () => {
    const file = `BO_ 1 Twice: 8 A\n SG_ Same : 0|8@1+ (1,0) [0|0] "" B
 SG_ Same : 8|8@1+ (1,0) [0|0] "" B
BO_ 2 Twice: 8 A
${speed}BO_ 3 Long: 8 A
BA_DEF_ BO_ "SystemMessageLongSymbol" STRING ;
BA_ "SystemMessageLongSymbol" BO_ 3 "Größe 3.b";
CM_ BO_ 3 "How large it is";
`;
    const { project } = importText(file, { staleAfterMs: 0, network: 'Prüf.stand' });
    expect(project.endpoints).toEqual([{ id: 'Pr_f.stand', kind: 'can', network: 'Prüf.stand' }]);
    expect(project.messages.map(({ id, comment }) => [id, comment])).toEqual([
      ['Pr_f.stand.Twice', undefined],
      ['Pr_f.stand.Twice-2', 'In the file: Twice'],
      ['Pr_f.stand.Gr__e_3_b', 'In the file: Größe 3.b\nHow large it is'],
    ]);
    expect(project.bindings.map(({ id }) => id)).toEqual([
      'Pr_f.stand.Twice.Same.rx',
      'Pr_f.stand.Twice.Same-2.rx',
      'Pr_f.stand.Twice-2.Speed.rx',
    ]);
  });

  it.each(['', 'a b', 'x'.repeat(65), '..', '12'])('refuses %j as a network', (network) => {
    expect(refusalOf(() => importText(messageText(speed), { network }))).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'network' },
    });
  });
});
