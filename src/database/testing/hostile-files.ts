/** Files that try to cost time or memory. Each is read, or rejected for a reason. */
export interface HostileFile {
  readonly what: string;
  readonly file: 'hostile.dbc' | 'hostile.ldf';
  readonly make: () => string | Uint8Array;
  /** Null: it is read. */
  readonly reason: RegExp | null;
}

const MiB = 1024 * 1024;

/** Parts of a text; one long literal would need more memory than the reader. */
const repeated = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

const listed = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join();

const digits = (count: number): string => '9'.repeat(count);

type Shape = readonly [what: string, make: () => string | Uint8Array, reason?: RegExp];

const message = 'BO_ 1 M: 8 A\n';
const byte = '0|8@1+ (1,0) [0|0] ""';
const word = '0|32@1+ (1,0) [0|0] ""';
const signal = (name: string, layout = byte): string => ` SG_ ${name} : ${layout} A\n`;

const tooManyEntries = /it contains more than \d+ entries/;
const tooManySignals = /it contains more than \d+ signals/;
const tooManyMessages = /it contains more than \d+ messages/;
const tooManyErrors = /more than 100 invalid statements/;
const noQuote = /without closing quote/;

const dbc: readonly Shape[] = [
  [
    'a million signals in a message',
    () => message + repeated(1_000_000, (n) => ` SG_ S${n}:0|8@1+(1,0)[0|0]""`).slice(0, 7 * MiB),
    tooManySignals,
  ],
  ['as many signals as are possible', () => message + repeated(25_000, (n) => signal(`S${n}`))],
  [
    'overlapping signals as long as their message',
    () =>
      `BO_ 1 M: 65535 A\n${repeated(25_000, (n) => signal(`S${n}`, '0|524280@1+ (1,0) [0|0] ""'))}`,
  ],
  [
    'messages as long as can be, each with two signals',
    () =>
      repeated(
        8000,
        (n) =>
          `BO_ ${n} M${n}: 65535 A\n${signal('A', '0|524280@1+ (1,0) [0|0] ""')}${signal('B')}`,
      ),
  ],
  ['signals of one name', () => message + signal('S').repeat(25_000)],
  [
    'very many messages',
    () => repeated(40_000, (n) => `BO_ ${n} M${n}: 8 A\n${signal('S')}`),
    tooManyMessages,
  ],
  [
    'as many messages as are possible, with three signals each',
    () =>
      repeated(8000, (n) => `BO_ ${n} M${n}: 8 A\n${'ABC'.replace(/./g, (name) => signal(name))}`),
  ],
  [
    'messages of one number and name, with one long name',
    () =>
      `${(message + signal('S')).repeat(8000)}BA_ "SystemMessageLongSymbol" BO_ 1 "${'ż'.repeat(256)}";\n`,
  ],
  [
    'signals of one name that is long',
    () =>
      `${message}${signal('S').repeat(25_000)}BA_ "SystemSignalLongSymbol" SG_ 1 S "${'ż'.repeat(256)}";\n`,
  ],
  [
    'a long name of a megabyte that very many signals share',
    () =>
      `${message}${signal('S').repeat(10_000)}BA_ "SystemSignalLongSymbol" SG_ 1 S "${'n'.repeat(MiB - 10)}";\n`,
  ],
  ['a name of megabytes', () => `BO_ 1 ${'x'.repeat(7 * MiB)}: 8 A\n`, /no DBC statement/],
  [
    'senders that very many messages share',
    () => `${message.repeat(1000)}BO_TX_BU_ 1 : ${repeated(10_000, (n) => `N${n},`)}A;`,
    tooManyEntries,
  ],
  [
    'values that very many messages share',
    () =>
      `${(message + signal('S', word)).repeat(1000)}VAL_ 1 S ${repeated(10_000, (n) => `${n} "v" `)};`,
    tooManyEntries,
  ],
  [
    'attributes that very many messages share',
    () => message.repeat(1000) + repeated(10_000, (n) => `BA_ "a${n}" BO_ 1 1;\n`),
    tooManyEntries,
  ],
  [
    'attributes that very many signals share',
    () => message + signal('S').repeat(1000) + repeated(10_000, (n) => `BA_ "a${n}" SG_ 1 S 1;\n`),
    tooManyEntries,
  ],
  [
    'switch values that very many messages share',
    () =>
      `${(message + signal('S')).repeat(1000)}SG_MUL_VAL_ 1 S M ${repeated(10_000, (n) => `${n}-${n} `)};`,
    tooManyEntries,
  ],
  [
    'as many attributes of one message as are possible',
    () => message + repeated(99_990, (n) => `BA_ "a${n}" BO_ 1 1;\n`),
  ],
  [
    'attributes whose names are array indexes',
    () => message + repeated(99_990, (n) => `BA_ "${n * 40_000}" BO_ 1 1;\n`),
  ],
  [
    'attributes of signals of messages that do not exist',
    () => message + repeated(99_990, (n) => `BA_ "a" SG_ ${n + 2} S 1;\n`),
  ],
  [
    'comments of signals that do not exist',
    () => message + repeated(99_990, (n) => `CM_ SG_ 1 S${n} "c";\n`),
  ],
  [
    'comments of messages that do not exist',
    () => message + repeated(99_990, (n) => `CM_ BO_ ${n + 2} "c";\n`),
  ],
  [
    'attributes with large exponents',
    () =>
      `${message}BA_DEF_ BO_ "a" INT 0 1;\n${repeated(33_000, (n) => `BA_DEF_ BO_ "a${n}" INT 0 1;\nBA_ "a${n}" BO_ 1 9E399;\n`)}`,
  ],
  [
    'values with large exponents',
    () => `${message}${signal('S', word)}VAL_ 1 S ${repeated(99_000, (n) => `${n}E395 "v" `)};\n`,
  ],
  [
    'values of very many digits',
    () =>
      `${message}${signal('S', word)}VAL_ 1 S ${repeated(15_000, (n) => `${n}${digits(500)} "v" `)};\n`,
  ],
  [
    'factors and limits of very many digits',
    () =>
      message +
      repeated(3800, (n) =>
        signal(
          `S${n}`,
          `0|8@1+ (${digits(512)},${digits(512)}) [-${digits(511)}|${digits(512)}] ""`,
        ),
      ),
  ],
  ['definitions', () => message + repeated(49_990, (n) => `BA_DEF_ BO_ "a${n}" INT 0 1;\n`)],
  [
    'an attribute with very many choices',
    () =>
      `${message}BA_DEF_ BO_ "a" ENUM ${repeated(90_000, (n) => `"c${n}",`)}"z";\n${repeated(9000, (n) => `BA_ "a" BO_ ${n} "c${n}";\n`)}`,
  ],
  ['relations', () => message + repeated(99_990, (n) => `BA_REL_ "a" BU_BO_REL_ N${n} ${n} 1;\n`)],
  ['value tables without values', () => message + repeated(99_990, (n) => `VAL_TABLE_ T${n} ;\n`)],
  ['signal groups', () => message + repeated(49_000, (n) => `SIG_GROUP_ 1 G${n} 1 : S;\n`)],
  [
    'environment variables',
    () => repeated(49_000, (n) => `EV_ V${n}: 0 [0|1] "" 0 ${n} DUMMY_NODE_VECTOR0 A;\n`),
  ],
  ['nodes', () => `BU_:${repeated(900_000, (n) => ` N${n}`)}\n`, tooManyEntries],
  [
    'receivers',
    () => `${message} SG_ S : ${byte} ${repeated(900_000, (n) => `A${n},`)}A\n`,
    tooManyEntries,
  ],
  [
    'very many values',
    () => `${message}${signal('S', word)}VAL_ 1 S ${repeated(700_000, (n) => `${n} "" `)};\n`,
    tooManyEntries,
  ],
  [
    'as many values as are possible',
    () =>
      `${message}${signal('S', word)}VAL_ 1 S ${repeated(99_990, (n) => `${n} "value ${n}" `)};\n`,
  ],
  [
    'a group of very many J1939 messages',
    () =>
      `BA_DEF_ "ProtocolType" STRING ;\nBA_ "ProtocolType" "J1939";\n${repeated(8000, (n) => `BO_ ${2566844416 + (n % 256)} M${n}: 8 A\n${signal('S')}`)}`,
  ],
  [
    'switches in a cycle',
    () =>
      message +
      repeated(1000, (n) => ` SG_ S${n} m0M : ${byte} A\n`) +
      repeated(1000, (n) => `SG_MUL_VAL_ 1 S${n} S${(n + 1) % 1000} 0-0;\n`),
    tooManyErrors,
  ],
  [
    'a chain of switches',
    () =>
      message +
      repeated(20_000, (n) => ` SG_ S${n} ${n > 0 ? 'm0M' : 'M'} : ${byte} A\n`) +
      repeated(19_999, (n) => `SG_MUL_VAL_ 1 S${n + 1} S${n} 0-0;\n`),
    tooManyErrors,
  ],
  [
    'switches with two values each, one below the other',
    () =>
      `BO_ 1 M: 64 A\n${repeated(32, (n) => ` SG_ S${n} ${n > 0 ? 'm0M' : 'M'} : ${n * 8}|8@1+ (1,0) [0|0] "" A\n`)}${repeated(31, (n) => `SG_MUL_VAL_ 1 S${n + 1} S${n} 0-0, 2-2;\n`)}`,
  ],
  [
    'switches with very many values, one below the other',
    () =>
      `${message} SG_ P M : 0|16@1+ (1,0) [0|0] "" A\n SG_ Q m0M : 16|24@1+ (1,0) [0|0] "" A\n SG_ C m0 : 40|8@1+ (1,0) [0|0] "" A\nSG_MUL_VAL_ 1 Q P ${repeated(5000, (n) => `${2 * n}-${2 * n} `)};\nSG_MUL_VAL_ 1 C Q ${repeated(90_000, (n) => `${2 * n}-${2 * n} `)};\n`,
  ],
  [
    'very many switches without values',
    () =>
      message + repeated(12_000, (n) => ` SG_ S${n} M : ${byte} A\n SG_ V${n} m1 : ${byte} A\n`),
  ],
  ['comments of megabytes', () => message + `CM_ "${'c'.repeat(MiB - 100)}";\n`.repeat(7)],
  ['a text without an end', () => `VERSION "${'\\"'.repeat(4_000_000)}`, noQuote],
  [
    'units of very many lines',
    () => `${message} SG_ S : 0|8@1+ (1,0) [0|0] "${'\n'.repeat(MiB - 100)}" A\n`.repeat(7),
  ],
  ['unknown statements with escaped quotes', () => message + 'FOO \\"\n'.repeat(1_100_000)],
  [
    'wrong statements with escaped quotes',
    () => message + 'CM_ \\"\n'.repeat(99) + '\\"'.repeat(3 * MiB),
  ],
  [
    'unknown and wrong statements with quotes in turns',
    () => message + repeated(300_000, (n) => `FOO \\"\nCM_ BO_ ${n} \\"\n`),
    tooManyErrors,
  ],
  ['words without sense', () => 'xyz '.repeat(2_000_000), /no DBC statement/],
  ['marks without sense', () => ':;'.repeat(4_000_000), tooManyErrors],
  ['semicolons', () => message + ';'.repeat(8_000_000)],
  ['quotes', () => message + '"'.repeat(8_000_000)],
  ['blanks', () => message + ' '.repeat(8_000_000)],
  ['line ends', () => message + '\r\n'.repeat(4_000_000)],
  ['keywords in a list', () => message + 'NS_ '.repeat(2_000_000)],
  [
    'text beyond Latin',
    () =>
      `CM_ "中文";\n${repeated(7500, (n) => `BO_ ${n} M${n}: 8 A\n${signal('S')}CM_ BO_ ${n} "${'c'.repeat(800)}";\n`)}`,
  ],
  [
    'bytes that could be any encoding',
    () =>
      Buffer.concat([
        Buffer.from(message),
        ...Array.from({ length: 7 }, () =>
          Buffer.concat([
            Buffer.from('CM_ "'),
            Buffer.alloc(MiB - 100, 'a\x80', 'latin1'),
            Buffer.from('";\n'),
          ]),
        ),
      ]),
  ],
  [
    'Chinese that is broken at its end',
    () =>
      Buffer.concat([
        Buffer.from(`${message}CM_ "`),
        Buffer.alloc(900_000, '\xd6\xd0', 'latin1'),
        Buffer.from('";\n'),
        Buffer.alloc(6 * MiB, '//\xd6\xd0\n', 'latin1'),
        Buffer.of(0xff, 0x20),
      ]),
  ],
  ['binary', () => Buffer.alloc(8 * MiB, 0), /./],
  ['more than 8 MiB', () => ' '.repeat(9 * MiB), /it has more than \d+ bytes/],
];

const nodes = 'Nodes { Master: M, 5 ms, 1 ms; Slaves: S; }\n';
const oneFrame = `${nodes}Signals{S1:1,0,M;}Frames{F:1,M,1{S1,0;}}`;
const sharing = (count: number): string =>
  `Signal_representation{E:${listed(count, (n) => `S${n}`)};}`;
const sixtyFrames = (publisher: string): string =>
  `${nodes}Signals{${repeated(60, (n) => `S${n}:8,0,${publisher};`)}}Frames{${repeated(60, (n) => `F${n}:${n},${publisher},2{S${n},8;}`)}}`;

const ldf: readonly Shape[] = [
  ['deep blocks', () => `Odd ${'{'.repeat(8_000_000)}`, /nested too deeply/],
  [
    'a million signals',
    () => `Signals {${repeated(500_000, (n) => `S${n}:1,0,M;`)}}`,
    tooManySignals,
  ],
  [
    'a frame with a million signals',
    () => `${nodes}Signals{S:1,0,M;}Frames{F:1,M,8{${'S,0;'.repeat(1_000_000)}}}`,
    tooManySignals,
  ],
  [
    'a signal at one place again and again',
    () => `${nodes}Signals{S:1,0,M;}Frames{F:1,M,8{${'S,0;'.repeat(16_000)}}}`,
    /overlap/,
  ],
  [
    'frames of one identifier',
    () => `${nodes}Frames{${repeated(90_000, (n) => `F${n}:1,M,8{}`)}}`,
    tooManyMessages,
  ],
  [
    'sporadic frames',
    () =>
      `${sixtyFrames('M')}Sporadic_frames{${repeated(900, (n) => `E${n}:F0${repeated(99, (k) => `,F${k % 60}`)};`)}}`,
  ],
  [
    'frames of an event',
    () => `Event_triggered_frames{E:1${',F'.repeat(1_000_000)};}`,
    tooManyEntries,
  ],
  [
    'an event with one frame again and again',
    () =>
      `${sixtyFrames('S')}Event_triggered_frames{${repeated(2, (n) => `E${n}:T,${61 + n}${repeated(30_000, (k) => `,F${k % 60}`)};`)}}Schedule_tables{T{}}`,
  ],
  [
    'tables and events that refer to each other',
    () =>
      `${sixtyFrames('S')}Event_triggered_frames{E:T,60,F1,F2;}Schedule_tables{T{${'E delay 5 ms;'.repeat(50_000)}}}`,
  ],
  [
    'entries of a table',
    () => `Schedule_tables{T{${'F delay 5 ms;'.repeat(500_000)}}}`,
    tooManyEntries,
  ],
  [
    'entries of delays with large exponents',
    () =>
      `Nodes { Master: M, 1e-399 ms, 1 ms; Slaves: S; }\nSignals{S1:1,0,M;}Frames{F:1,M,1{S1,0;}}Schedule_tables{T{${'F delay 9e399 ms;'.repeat(90_000)}}}`,
    /./,
  ],
  [
    'entries of delays with very many digits',
    () =>
      `Nodes { Master: M, 0.${digits(300)} ms, 1 ms; Slaves: S; }\nSignals{S1:1,0,M;}Frames{F:1,M,1{S1,0;}}Schedule_tables{T{${repeated(15_000, () => `F delay ${digits(200)}.${digits(200)} ms;`)}}}`,
    /./,
  ],
  ['tables', () => `${oneFrame}Schedule_tables{${repeated(90_000, (n) => `T${n}{}`)}}`],
  [
    'commands to very many nodes',
    () => `${nodes}Schedule_tables{T{${'AssignNAD{S} delay 5 ms;'.repeat(90_000)}}}`,
  ],
  [
    'values of an encoding',
    () => `Signal_encoding_types{E{${'logical_value,1,"";'.repeat(200_000)}}}`,
    tooManyEntries,
  ],
  [
    'labels that very many signals of all widths share',
    () =>
      `${nodes}Signals{${repeated(5000, (n) => `S${n}:${(n % 16) + 1},0,M;`)}}Signal_encoding_types{E{physical_value,0,1,1,0;${repeated(80_000, (n) => `logical_value,${n},"v${n}";`)}}}${sharing(5000)}`,
  ],
  [
    'ranges that signals of all widths share',
    () =>
      `${nodes}Signals{${repeated(16, (n) => `S${n}:${n + 1},0,M;`)}}Signal_encoding_types{E{${repeated(20_000, (n) => `physical_value,${n},${n},1,0;`)}}}${sharing(16)}`,
    tooManyEntries,
  ],
  [
    'ranges with large exponents',
    () =>
      `${nodes}Signals{${repeated(5000, (n) => `S${n}:${(n % 16) + 1},0,M;`)}}Signal_encoding_types{E{${repeated(80_000, (n) => `physical_value,1,${n},1e-399,1e399;`)}}}${sharing(5000)}`,
    /./,
  ],
  [
    'ranges with very many digits',
    () =>
      `${nodes}Signals{S0:16,0,M;}Signal_encoding_types{E{${repeated(9000, (n) => `physical_value,1,${n},${digits(400)},0.${digits(390)};`)}}}${sharing(1)}`,
    /./,
  ],
  [
    'frames of one large encoding',
    () =>
      `${nodes}Signals{${repeated(8000, (n) => `S${n}:1,0,M;`)}}Frames{F:1,M,8{${repeated(64, (n) => `S${n},${n};`)}}}Signal_encoding_types{E{physical_value,0,1,1,0;${repeated(80_000, (n) => `logical_value,${n},"v${n}";`)}}}${sharing(8000)}`,
    tooManyEntries,
  ],
  [
    'encodings that signals have twice',
    () =>
      `${nodes}Signals{S0:1,0,M;}Signal_encoding_types{E{bcd_value;}}Signal_representation{${'E:S0;'.repeat(49_000)}}`,
  ],
  [
    'receivers of signals',
    () =>
      `Nodes { Master: M, 5 ms, 1 ms; Slaves: ${listed(40_000, (n) => `N${n}`)}; }\nSignals{${repeated(50, (n) => `S${n}:1,0,M,${listed(1000, (k) => `N${k}`)};`)}}Frames{F:1,M,8{${repeated(50, (n) => `S${n},${n};`)}}}`,
  ],
  [
    'nodes with attributes',
    () =>
      `Nodes { Master: M, 5 ms, 1 ms; Slaves: ${listed(16_000, (n) => `N${n}`)}; }\nNode_attributes{${repeated(16_000, (n) => `N${n}{LIN_protocol="2.1";configured_NAD=1;}`)}}`,
  ],
  [
    'frames that a node can have',
    () =>
      `${oneFrame}Node_attributes{S{configurable_frames{${repeated(90_000, (n) => `F${n};`)}}}}`,
  ],
  [
    'a very long name',
    () => `Signals {${'x'.repeat(8 * MiB - 100)}:1,0,M;}`,
    /a name with more than \d+ characters/,
  ],
  ['a very long array', () => `Signals{S:8,{${'1,'.repeat(1_000_000)}1},M;}`, tooManyEntries],
  [
    'a bit rate of very many digits',
    () => `LIN_speed = ${digits(1_000_000)} kbps;`,
    /too many digits/,
  ],
  [
    'a hexadecimal number of very many digits',
    () => `LIN_speed = 0x${digits(1_000_000)} kbps;`,
    /too many digits/,
  ],
  ['quotes', () => `Channel_name = ${'"'.repeat(7 * MiB)}`, /./],
  ['escaped quotes', () => `Odd ${'\\"'.repeat(3 * MiB)};`, /./],
  [
    'a comment that does not end',
    () => `${nodes}/*${' *'.repeat(3 * MiB)}`,
    /a comment without an end/,
  ],
  ['comments', () => '/**/'.repeat(2 * MiB - 10), /no section/],
  ['openings of comments', () => `${nodes}${'/* '.repeat(2 * MiB)}*/`],
  ['unknown sections', () => 'x;'.repeat(4 * MiB - 10), /no section/],
  [
    'unknown attributes',
    () => `${nodes}Node_attributes{S{${'x;'.repeat(3 * MiB)}}}`,
    tooManyEntries,
  ],
  [
    'unknown values',
    () => `${nodes}Signal_encoding_types{E{${'x;'.repeat(3 * MiB)}}}`,
    tooManyEntries,
  ],
  ['blanks', () => ' '.repeat(8 * MiB - 10), /no section/],
  ['lines', () => nodes + '\n'.repeat(7 * MiB)],
  ['more than 8 MiB', () => ' '.repeat(9 * MiB), /it has more than \d+ bytes/],
];

const filesOf = (file: HostileFile['file'], shapes: readonly Shape[]): HostileFile[] =>
  shapes.map(([what, make, reason = null]) => ({ what, file, make, reason }));

export const hostileFiles: readonly HostileFile[] = [
  ...filesOf('hostile.dbc', dbc),
  ...filesOf('hostile.ldf', ldf),
];
