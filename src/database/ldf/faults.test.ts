import { describe, expect, it } from 'vitest';
import { readLdf } from './read-ldf.ts';
import { codesOf, network, readNetwork, readText, refusalOf } from './testing/read-text.ts';

describe('diagnostic addresses of LIN 1.x', () => {
  const header =
    'LIN_description_file; LIN_protocol_version = "1.3"; LIN_language_version = "1.3";';
  const more = (text: string) => ({
    header,
    attributes: '',
    more: `Diagnostic_addresses { ${text} }`,
  });

  it('are those of the slaves', () => {
    const { database, diagnostics } = readNetwork(more('A: 0x11; B: 18;'));
    expect(diagnostics).toEqual([]);
    expect(database.lin.slaves).toMatchObject([
      { name: 'A', initialNad: 0x11, configuredNad: 0x11 },
      { name: 'B', initialNad: 18, configuredNad: 18 },
    ]);
  });

  it('are reported if no node or several have them', () => {
    expect(codesOf(more('A: 0x7F; Z: 2; A: 3;')).sort()).toEqual([
      'name_repeated',
      'node_address_irregular',
      'reference_unknown',
    ]);
  });

  it('give way to attributes of the node', () => {
    const { database } = readNetwork({ more: 'Diagnostic_addresses { A: 0x11; }' });
    expect(database.lin.slaves[0]).toMatchObject({ initialNad: 1, configuredNad: 0x21 });
  });

  it('must be whole numbers of eight bits', () => {
    expect(refusalOf(network(more('A: 256;')))).toMatchObject({ line: expect.any(Number) });
  });
});

describe('readLdf accepts without a diagnostic', () => {
  const accepted: [string, NonNullable<Parameters<typeof network>[0]>][] = [
    ['an empty frame body', { frames: 'Frames { Command: 1, M, 2 { } }', schedules: '' }],
    [
      'empty blocks',
      {
        signals: 'Signals { }',
        frames: '',
        schedules: '',
        encodings: 'Signal_encoding_types { }',
        representation: 'Signal_representation { }',
      },
    ],
    ['a channel name without quotes', { more: 'Channel_name = DB;' }],
    [
      'an upper case hexadecimal mark',
      { frames: 'Frames { Command: 0X1, M, 2 { Speed, 0; } }', schedules: '' },
    ],
    [
      'numbers that begin or end with a dot',
      { schedules: 'Schedule_tables { Normal { Command delay 5. ms; Answer delay +10.0 ms; } }' },
    ],
    [
      'a semicolon after a block and a doubled one',
      { nodes: 'Nodes { Master: M, 5 ms, .1 ms;; Slaves: A, B; };' },
    ],
    [
      'a version without quotes',
      {
        attributes:
          'Node_attributes { A { LIN_protocol = 2.1; configured_NAD = 1; product_id = 1, 2; } B { LIN_protocol = ISO17987:2015; configured_NAD = 2; product_id = 1, 2; } }',
      },
    ],
    ['units and colons without blanks', { nodes: 'Nodes{Master:M,5ms,0.1ms;Slaves:A,B;}' }],
    [
      'comments before the first line',
      { header: '/* a { */ // b\nLIN_description_file; LIN_speed = 9.6kbps;' },
    ],
    ['marks of comments inside a string', { more: 'Channel_name = "/* // ; {";' }],
  ];
  for (const [what, sections] of accepted) {
    it(what, () => expect(readNetwork(sections).diagnostics).toEqual([]));
  }

  it('a file without LIN_description_file and with sections in another order', () => {
    const { database, diagnostics } = readText(
      'Frames { F: 1, M, 1 { S, 0; } }\nSignals { S: 8, 0, M; }\nNodes { Master: M, 5 ms, 1 ms; }',
    );
    expect(diagnostics).toEqual([]);
    expect(database.messages).toMatchObject([{ name: 'F', id: 1, signals: [{ name: 'S' }] }]);
  });

  it('a byte order mark, and Windows-1252', () => {
    const text = network({ more: 'Channel_name = "\u00b0";' });
    expect(readText(`\ufeff${text}`).encoding).toBe('utf-8');
    const western = readLdf(Buffer.from(text, 'latin1'));
    expect(western.encoding).toBe('windows-1252');
    expect(western.database.lin.channelName).toBe('\u00b0');
  });
});

describe('readLdf reports', () => {
  const frame = (body: string) => ({ frames: `Frames { ${body} }`, schedules: '' });
  const reported: [string, string, NonNullable<Parameters<typeof network>[0]>][] = [
    ['an unknown section', 'statement_unknown', { more: 'Dynamic_frames { a { b; { c } } } ' }],
    [
      'an unknown attribute',
      'statement_unknown',
      {
        attributes:
          'Node_attributes { A { product_id = 1, 2; configured_NAD = 1; odd = 5; } B { product_id = 1, 2; } }',
      },
    ],
    ['an unknown version', 'version_unknown', { header: 'LIN_protocol_version = "2.2A";' }],
    [
      'an initial value that is too large',
      'initial_out_of_range',
      { signals: 'Signals { Speed: 8, 256, M; Lamp: 2, 0, M; State: 8, 0, A; }' },
    ],
    [
      'a negative initial value',
      'initial_out_of_range',
      { signals: 'Signals { Speed: 8, -1, M; Lamp: 2, 0, M; State: 8, 0, A; }' },
    ],
    [
      'an array that is not at a byte',
      'array_unaligned',
      {
        signals: 'Signals { Speed: 8, {1}, M; Lamp: 2, 0, M; State: 8, 0, A; }',
        ...frame('Command: 1, M, 2 { Speed, 4; }'),
      },
    ],
    ['a section that occurs twice', 'section_repeated', { more: 'Signals { More: 1, 0, M; }' }],
    ['a reserved identifier', 'frame_id_reserved', frame('Command: 60, M, 2 { Speed, 0; }')],
    ['a length of nine bytes', 'frame_length_irregular', frame('Command: 1, M, 9 { Speed, 0; }')],
    ['a missing length', 'frame_length_irregular', frame('Command: 1, M { Speed, 0; }')],
    ['different publishers', 'publisher_mismatch', frame('Command: 1, A, 2 { Speed, 0; }')],
    ['an unknown node', 'reference_unknown', frame('Command: 1, X, 2 { Speed, 0; }')],
    ['an unknown signal', 'reference_unknown', frame('Command: 1, M, 2 { Missing, 0; }')],
    [
      'an unknown frame',
      'reference_unknown',
      { schedules: 'Schedule_tables { N { Missing delay 10 ms; } }' },
    ],
    [
      'an unknown table',
      'reference_unknown',
      { more: 'Event_triggered_frames { E: Missing, 5, Answer; }' },
    ],
    [
      'an unknown encoding',
      'reference_unknown',
      { representation: 'Signal_representation { Missing: Speed; }' },
    ],
    [
      'a slave without attributes',
      'attributes_missing',
      { attributes: 'Node_attributes { A { product_id = 1, 2; } }' },
    ],
    [
      'a slave without product identifier',
      'attributes_missing',
      { attributes: 'Node_attributes { A { configured_NAD = 1; } B { product_id = 1, 2; } }' },
    ],
    [
      'attributes of the master',
      'reference_unknown',
      { more: 'Node_attributes { M { configured_NAD = 1; } }' },
    ],
    [
      'a delay of 0',
      'delay_irregular',
      { schedules: 'Schedule_tables { N { Command delay 0 ms; } }' },
    ],
    [
      'a delay that is no multiple of the time base',
      'delay_irregular',
      { schedules: 'Schedule_tables { N { Command delay 7 ms; } }' },
    ],
    [
      'a reserved node address',
      'node_address_irregular',
      {
        attributes:
          'Node_attributes { A { configured_NAD = 0x7F; product_id = 1, 2; } B { product_id = 1, 2; } }',
      },
    ],
    ['a big-endian file', 'byte_order_ignored', { more: 'LIN_sig_byte_order_big_endian;' }],
    [
      'a signal across two byte boundaries',
      'signal_scattered',
      {
        signals: 'Signals { Speed: 16, 0, M; Lamp: 2, 0, M; State: 8, 0, A; }',
        ...frame('Command: 1, M, 3 { Speed, 1; }'),
      },
    ],
    [
      'an encoding of numbers for a byte array',
      'encoding_mismatch',
      {
        signals: 'Signals { Speed: 8, {1}, M; Lamp: 2, 0, M; State: 8, 0, A; }',
        encodings: 'Signal_encoding_types { E { logical_value, 1, "on"; } }',
        representation: 'Signal_representation { E: Speed; }',
      },
    ],
  ];
  for (const [what, code, sections] of reported) {
    it(what, () => expect(codesOf(sections)).toContain(code));
  }

  it('line and column of each', () => {
    const { diagnostics } = readText(
      'LIN_description_file;\n  Odd { }\nNodes { Master: M, 5 ms, 1 ms; }',
    );
    expect(diagnostics).toMatchObject([{ code: 'statement_unknown', line: 2, column: 3 }]);
  });

  it('a repeated section and reads both', () => {
    const { database } = readNetwork({
      more: 'Signals { More: 1, 0, M; } Frames { Other: 3, M, 1 { More, 0; } }',
    });
    expect(database.messages.map(({ name }) => name)).toEqual(['Command', 'Answer', 'Other']);
  });
});

describe('readLdf rejects with line and column', () => {
  const base = 'Nodes { Master: M, 5 ms, 1 ms; }\n';
  const rejected: [string, string, number, number, RegExp][] = [
    ['a scalar of 17 bits', 'Signals { S: 17, 0, M; }', 2, 11, /17 bits/],
    ['a scalar without bits', 'Signals { S: 0, 0, M; }', 2, 11, /0 bits/],
    ['an array with too few initial values', 'Signals { S: 16, {1}, M; }', 2, 11, /2 bytes and 1/],
    ['an array of nine bytes', 'Signals { S: 72, {1,1,1,1,1,1,1,1,1}, M; }', 2, 11, /72 bits/],
    [
      'two signals at one offset',
      'Signals { S: 8, 0, M; T: 8, 0, M; }\nFrames { F: 1, M, 2 { S, 0;\n T, 0; } }',
      4,
      2,
      /overlap/,
    ],
    [
      'signals that overlap in part',
      'Signals { S: 8, 0, M; T: 8, 0, M; }\nFrames { F: 1, M, 2 { S, 0;\n T, 7; } }',
      4,
      2,
      /overlap/,
    ],
    [
      'a signal beyond its frame',
      'Signals { S: 8, 0, M; }\nFrames { F: 1, M, 1 { S, 1; } }',
      3,
      23,
      /ends at bit 9/,
    ],
    ['a repeated signal name', 'Signals { S: 8, 0, M; S: 4, 0, M; }', 2, 23, /two signals S/],
    ['a repeated frame name', 'Frames { F: 1, M, 1 { } F: 2, M, 1 { } }', 2, 25, /two frames F/],
    [
      'a repeated frame identifier',
      'Frames { F: 1, M, 1 { } G: 1, M, 1 { } }',
      2,
      25,
      /identifier 1/,
    ],
    ['a string without end', 'Channel_name = "a\n";', 2, 16, /without closing quote/],
    ['a comment without end', 'Signals { /* }', 2, 11, /comment without an end/],
    ['a block without end', 'Signals { S: 8, 0, M;', 2, 22, /end of the file/],
    ['a name with a dot', 'Signals { S.T: 8, 0, M; }', 2, 12, /“:”/],
    [
      'two PIDs in AssignFrameIdRange',
      'Schedule_tables { T { AssignFrameIdRange { M, 0, 1, 2 } delay 5 ms; } }',
      2,
      55,
      /“,”/,
    ],
    ['a delay without unit', 'Schedule_tables { T { MasterReq delay 5; } }', 2, 40, /“ms”/],
    ['a bit rate of 0', 'LIN_speed = 0 kbps;', 2, 13, /bit rate/],
    [
      'an exponent beyond reason',
      'Signal_encoding_types { E { physical_value, 0, 1, 1e99999, 0; } }',
      2,
      51,
      /exponent/,
    ],
  ];
  for (const [what, text, line, column, reason] of rejected) {
    it(what, () => {
      expect(refusalOf(base + text)).toMatchObject({
        line,
        column,
        reason: expect.stringMatching(reason),
      });
    });
  }

  it('text of another format', () => {
    expect(refusalOf('')).toMatchObject({ line: 1, column: 1 });
    expect(refusalOf('BO_ 1 M: 8 A')).not.toBeNull();
    expect(refusalOf(Uint8Array.of(0, 1, 2, 3))).toMatchObject({ reason: 'it is not a text file' });
  });
});
