interface Rule {
  /** Heading of the rule in the reference. */
  readonly subject: string;
  readonly promise: string;
}

const about = <Promises extends Readonly<Record<string, string>>>(
  subject: string,
  promises: Promises,
): { readonly [Id in keyof Promises]: Rule } => {
  const entries = Object.entries(promises).map(([id, promise]) => [id, { subject, promise }]);
  return Object.fromEntries(entries);
};

/** Guarantees of the gateway. Tests name the rules they prove; the reference lists both. */
export const rules = {
  ...about('Values', {
    identity: 'A mapping without a transformation forwards its input unchanged.',
    'built-in transforms': 'Linear, threshold, mathematical and coordinate functions are built in.',
    'exact integers': 'Integers are computed exactly, or the result is an error.',
    'exact float64':
      'Integer results converted to float64 are exact; otherwise the output keeps its value with `transform_error`.',
    'exact wire': 'An integer value is sent as a float only if the float represents it exactly.',
    'exact parameters':
      'An integer parameter that a double cannot represent is a problem of the project.',
    'encoding failure':
      'If a value cannot be encoded, the frame contains `invalid_raw` or the last raw value and a cleared validity bit. The signal is unchanged.',
    'encoding recovery': 'The error of a binding ends with the next value that can be encoded.',
    'constant chains': 'Values derived only from constants never expire and have no skew.',
    'source freshness':
      'A derived value is as old as the oldest observation among its changing inputs.',
    'one writer': 'Only software signals can be set.',
  }),
  ...about('Received frames', {
    'no remote frames': 'A remote frame is counted and changes nothing.',
    'no short frames': 'A frame with too few bytes is counted and changes nothing.',
    'no completions': 'Sent frames and error frames are not observations.',
    'classic length': 'DLC 9 to 15 of a classic frame means 8 bytes.',
    'frame format': 'FD, BRS and ESI do not decide whether a frame is accepted.',
    'special raw values': 'Special raw values are recognised before scaling.',
    'validity bit':
      'A received validity bit of 0 makes the value invalid; an invalid value is sent with a validity bit of 0.',
    'input time-out': 'An input that is not received in time becomes invalid and keeps its value.',
    'input disconnect': 'An endpoint that is down makes its inputs invalid.',
    'check rejects': 'A frame that fails its check is counted and updates nothing.',
    'check fails':
      'While frames with a failed check arrive, inputs are `e2e_error`, regardless of the age of the last good frame; `timeout` means silence.',
  }),
  ...about('Sending', {
    'invalid on the wire':
      'An invalid signal is sent as `invalid_raw`, else as the last raw value, else as its initial value.',
    'cadence without sources': 'Protected frames keep their cycle time while inputs are invalid.',
    'periodic by default': 'A task is periodic by default, on a grid that begins with its start.',
    'on change':
      'An on-change task compares raw values, validity and active multiplexer pages, never times, counters or checksums.',
    'up again':
      'When an endpoint is up again, on-change tasks send what has changed. Unchanged tasks clear the error of the loss.',
    'latest value': 'A frame contains the latest values at the time it is submitted.',
    'frozen frames': 'A frame that was accepted never changes.',
    'one protection':
      'A message has at most one check and one protection; more are not supported yet.',
    'independent protections':
      'A check and a protection of one identifier are independent of each other.',
    'output owner': 'At most one running instance sends a message on a channel.',
    'owner of either format': 'Classic CAN and CAN FD frames of one identifier are one output.',
    'whole start':
      'A start with a conflict changes nothing, and succeeds after the owner has stopped.',
    'counter over stop': 'A protection keeps its counter over stop and start; load resets it.',
    'accepted counters':
      'The counter of a protection advances with accepted frames, not with refused ones.',
  }),
  ...about('Status', {
    'outcome sum': 'accepted = sent + failed + pending, at every moment.',
    unconfirmed:
      'A frame without an outcome when a stopped instance is released stays pending and is reported as unconfirmed.',
    coalesced: 'A state that is replaced before it is accepted counts once for each round.',
    lateness: 'The lateness of a periodic frame is its delay after the latest due time.',
    missed: 'Periods without a frame are counted as missed and are not made up for.',
    'task errors': 'A task that cannot send has an error; the instance continues.',
    'failed tasks': 'Tasks with an error are counted over all pages, and degrade the health.',
    'failed checks':
      'Messages whose check fails while frames arrive are counted and named, and degrade the health.',
    statistics: 'Counters are kept over stop and start; load resets them.',
    'fault counts': 'The effects of fault rules are counted separately from sent frames.',
  }),
  ...about('Timings of tasks', {
    'source age': 'Age of a frame: from its oldest valid and active source to its submission.',
    'no source, no age': 'A frame without an observed source has no age measurement.',
    'time to submit': 'A round is measured from its start until its frame is accepted.',
    'completion wait': 'Completion time is measured from the acceptance of a frame to its outcome.',
    percentiles:
      'Percentiles are nearest ranks of the latest 64 measurements; counts and maxima cover the whole life of the instance.',
    'no waits of Modbus': 'CAN tasks have no queue and protocol measurements.',
  }),
  ...about('Modbus', {
    'polled values':
      'The reply to a poll is an observation of all its resources, at the time it arrives.',
    'merged polls':
      'Adjacent resources with the same poll period share a read; a read never spans a gap.',
    'poll exception':
      'An exception updates nothing; the value becomes an error when it is too old.',
    'silent unit':
      'The values of a unit that does not answer time out; other units are not affected.',
    'lost link': 'A lost link makes its inputs `disconnected` immediately, until the next reply.',
    'poll coalesced': 'A value that is replaced before a round has used it is counted.',
    'validity resource': 'A separate bit says whether a value is valid, in every read and write.',
    'write group':
      'A task writes all of its resources as one group of requests, and has at most one group in progress.',
    'bits of a word':
      'Bits of a word are read and written back together; the other bits keep their values.',
    'no split values': 'A value of several registers is written by one request.',
    'refused while down':
      'While a link is down groups are refused, and neither accepted nor failed.',
    'waits of Modbus': 'Queue time and time on the link of a group are measured separately.',
    served: 'Served registers show the signals after each round and are read-only.',
    'bits of a server':
      'Bits of one word are served and written individually; the other bits read 0.',
    'external writes':
      'Values that clients write completely are inputs; one request takes effect in one round.',
    'complete writes':
      'A partial write or a value outside its codec is answered with exception 03 and changes nothing.',
    'undeclared items':
      'Undeclared items, and writes to read-only items, are answered with exception 02.',
    'special values of clients':
      'Clients may write special raw values: the signal becomes invalid.',
    'unit ids': 'Units are 0 to 255 over TCP and 1 to 247 in frames of serial lines.',
    'word owner': 'At most one task writes a word of a unit; polls and other words are shared.',
    'one unit a server': 'A server has one unit and its own port.',
    'shared session':
      'Instances and commands share the connection to an endpoint, and one queue for all of its units.',
    'fixed address': 'The address of a network is resolved at the start; reconnecting keeps it.',
    'initial registers':
      'Registers of a server start with the initial values of the signals, at every start.',
    'unread words': 'If a word cannot be read, none of its bits is written.',
    'poll missed': 'Periods of polls without a request are counted.',
    'several units': 'One connection serves all units of an endpoint.',
    'matching replies':
      'A TCP reply must have the transaction ID and the unit ID of its request; transaction IDs are never reused early.',
    'closed after errors':
      'A time-out or an invalid reply closes a TCP connection; the next request opens a new one.',
    'one device': 'All names of an address or a device share one session.',
    'agreeing settings': 'All users of a serial line use it with the same settings.',
    'unresolved addresses':
      'An address that cannot be resolved fails the start before any output is owned.',
    'unreachable peer': 'A peer that is offline does not prevent the start of an instance.',
  }),
  ...about('Plugins and processors', {
    'plugin kinds':
      'Transformations, codecs, protections and processors may be plugins, as the project declares.',
    'tried before': 'A library that cannot be used fails the start; there is no fallback.',
    'plugins below the project': 'Libraries must be below `plugins/`, with links followed.',
    'declared inputs':
      'A processor reads its declared inputs, and runs before the readers of its outputs.',
    'whole groups':
      'The result of a call is accepted as a whole: all outputs and frames, or nothing.',
    'rejected groups':
      'An excess frame, a frame of another length or task, or a failure rejects all frames of a call.',
    'request room':
      'A call stages at most 16 frames; an instance has at most 64 queued or in progress.',
    'request order': 'Frames of a task are sent in the order in which they were staged.',
    'request protection': 'The host adds the protection when a frame is accepted.',
    'request message': 'A message that a processor fills has no output bindings.',
    'request counts': 'Staged frames are queued, accepted or cancelled.',
    'failed plugin':
      'A failed call sets the quality of its outputs to an error; the next good call clears it.',
    'one verdict':
      'A start or set that is refused because a plugin does not return has no effect later.',
    'hung plugin': 'A plugin that does not return is named; requests are refused meanwhile.',
    'crashed plugin': 'A plugin that crashes ends the daemon; the next daemon names the plugin.',
  }),
  ...about('Fault rules', {
    'off by default': 'A rule is disabled by default.',
    triggers: '`start`, `every` and `count` select opportunities; a count of 0 is unlimited.',
    opportunities: 'Opportunities are frames that are due; missed periods are not opportunities.',
    rearmed: 'Starting the instance or enabling a rule resets the rule’s count.',
    'byte rules':
      '`set_byte` writes a byte and `xor_byte` flips bits of it, after the protection is computed.',
    freeze_counter:
      'A frozen counter has its initial value or the given value; the checksum is valid.',
    counter_jump:
      'A jump moves the counter by `value`, else by `mask`; later frames continue there, regardless of other rules.',
    corrupt_checksum: 'The checksum is XORed with a non-zero mask of its width.',
    drop: 'A dropped frame is protected, and the counter advances.',
    repeat: 'The last accepted frame is sent again with its valid protection.',
    bypass: 'Current values are sent with the initial values of the protection.',
    suppress: 'No frame is built or sent.',
    'counter unchanged': '`bypass`, `suppress` and `repeat` leave the counter unchanged.',
    'fault conflict': 'Rules that exclude each other send nothing; the task reports an error.',
    'fault events':
      'Each rule that fires records an event with its frame; the newest 1,024 are kept.',
    'fields of plugins': 'Counter and checksum rules need a protection with known fields.',
  }),
  ...about('Entry points', {
    lifecycle: 'load, start, stop and unload change the state, and are refused in the wrong state.',
    'same instances': '`simulation --instance` and `gateway` are the same command.',
    'output formats': 'json and jsonl print one object; csv prints `path,value` with exact values.',
  }),
} as const;

export type RuleId = keyof typeof rules;

/**
 * The name of a test that proves a rule. The generator of the reference finds it by this call.
 */
export const rule = (_id: RuleId, title: string): string => title;
