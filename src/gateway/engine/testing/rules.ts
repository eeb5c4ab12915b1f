interface Rule {
  /** Subject; rules of one subject are listed together. */
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

/** What the gateway promises. Tests say which of it they show; the reference lists both. */
export const rules = {
  ...about('Values', {
    identity: 'A mapping without a transformation hands its input on as it is.',
    'built-in transforms': 'Linear, threshold, mathematical and coordinate functions are built in.',
    'exact integers': 'Integers are computed exactly, or the result is an error.',
    'exact float64':
      'Whole results that become float64 are exact; otherwise the output keeps its value with `transform_error`.',
    'exact wire': 'A whole value goes out as a float only if the float holds it exactly.',
    'exact parameters': 'A whole parameter that a double cannot hold is a problem of the project.',
    'encoding failure':
      'A value that cannot be encoded sends `invalid_raw` or the last raw, clears the validity bit and leaves the signal alone.',
    'encoding recovery': 'The error of a binding ends with the next value that can be encoded.',
    'constant chains': 'What is made of constants alone never expires and has no skew.',
    'source freshness':
      'What has an input that changes is as old as the oldest observation behind it.',
    'one writer': 'Only software signals can be set.',
  }),
  ...about('Received frames', {
    'no remote frames': 'A remote frame is counted and changes nothing.',
    'no short frames': 'A frame with too few bytes is counted and changes nothing.',
    'no completions': 'Frames that were sent are no observations, nor are error frames.',
    'classic length': 'DLC 9 to 15 of a classic frame means 8 bytes.',
    'frame format': 'FD, BRS and ESI neither make a frame count nor keep it from counting.',
    'special raws': 'Special raws are recognised before a raw is scaled.',
    'validity bit': 'A validity bit of 0 makes a received value invalid, and goes out with one.',
    'input time-out': 'An input that is not received in time becomes invalid and keeps its value.',
    'input disconnect': 'An endpoint that is down makes its inputs invalid.',
    'check rejects': 'A frame that fails its check is counted and updates nothing.',
    'check fails':
      'While frames arrive that fail their check, inputs are `e2e_error`, however old the last good one is; `timeout` is for silence.',
  }),
  ...about('Sending', {
    'invalid on the wire':
      'An invalid signal goes out as `invalid_raw`, else as the last raw, else as its initial value.',
    'cadence without sources': 'Protected frames go on in their period while inputs are invalid.',
    'periodic by default': 'A task is periodic unless it says otherwise, on the grid of its start.',
    'on change':
      'A task on change compares raws, validity and active pages, never times, counters or checksums.',
    'up again':
      'When an endpoint is up again, tasks on change send what has changed, and lose the error of the loss where nothing has.',
    'latest value': 'What is sent is the latest value when the frame is handed over.',
    'frozen frames': 'A frame that was accepted never changes.',
    'one protection':
      'A message has one check and one protection at most; more is not supported yet.',
    'independent protections':
      'A check and a protection of one identifier know nothing of each other.',
    'output owner': 'A message on a channel is driven by one running instance at most.',
    'owner of either format': 'Classic CAN and CAN FD frames of one identifier are one output.',
    'whole start':
      'A start that meets a conflict changes nothing, and works once the owner stopped.',
    'counter over stop': 'Stop and start go on with the counter of a protection; load begins anew.',
    'accepted counters': 'A protection moves on with what was accepted, not with what was refused.',
  }),
  ...about('Status', {
    'outcome sum': 'accepted = sent + failed + pending, at every moment.',
    unconfirmed:
      'What has no outcome when a stopped instance lets go stays pending, and unconfirmed.',
    coalesced: 'A state that was replaced before it was accepted counts once for each round.',
    lateness: 'A periodic frame says how far behind its latest due time it came.',
    missed: 'Periods without a frame of their own are counted, and never made up for.',
    'task errors': 'A task that cannot send has an error and the instance runs on.',
    'failed tasks': 'Tasks with an error are counted over all pages, and degrade the health.',
    'failed checks':
      'Messages whose check fails while frames arrive are counted and named, and degrade the health.',
    statistics: 'What was counted stays over stop and start, and begins anew with a load.',
    'fault counts': 'What rules did is counted apart from what was sent.',
  }),
  ...about('Timings of tasks', {
    'source age': 'Age of a frame: from its oldest valid and active source to its submission.',
    'no source, no age': 'A frame without an observed source gives no measurement of its age.',
    'time to submit': 'A round is measured from its begin until the frame was accepted.',
    'completion wait': 'The way of a frame is measured from its acceptance to its outcome.',
    percentiles:
      'Percentiles are nearest ranks of the latest 64 measurements; counts and maxima are for life.',
    'no waits of Modbus': 'Tasks on CAN have no measurements of queues and protocols.',
  }),
  ...about('Modbus', {
    'polled values': 'The answer to a poll is observed when it comes, by all that it tells of.',
    'merged polls': 'Resources that touch and have one period share a read; none goes over a gap.',
    'poll exception':
      'An exception updates nothing, and makes a value an error once it is too old.',
    'silent unit': 'A unit that says nothing lets its values time out, and those of no other unit.',
    'lost link': 'A link that breaks makes inputs `disconnected` at once, until the next answer.',
    'poll coalesced': 'What is replaced before a round has seen it is counted.',
    'validity resource':
      'A bit of its own says whether a value is valid, whenever it is read or written.',
    'write group':
      'A task writes all of its resources as one group of requests, and has one under way at most.',
    'bits of a word': 'Bits of a word are read and written back together; all others stay.',
    'no split values': 'A value of several registers is written by one request.',
    'refused while down':
      'While a link is down groups are refused, and neither accepted nor failed.',
    'waits of Modbus':
      'A group is measured while it waits for the link, and while it has it, if it ever does.',
    served: 'What is served shows what signals are after each round, and cannot be written.',
    'bits of a server':
      'Bits of one word are served, and written, each by itself; others of the word read 0.',
    'external writes': 'What clients write whole is an input, all of a request in one round.',
    'judged whole':
      'A write in part or beyond its codec is answered with exception 03, and changes nothing.',
    'undeclared items': 'What is not declared, or only served, is answered with exception 02.',
    'special raws of clients': 'Clients may write special raws: the signal is invalid then.',
    'unit ids': 'Units are 0 to 255 over TCP and 1 to 247 in frames of serial lines.',
    'word owner':
      'A word of a unit is written by one task at most; polls and other words are shared.',
    'one unit a server': 'A server has one unit, and its port for itself.',
    'shared session':
      'Instances and commands share the connection to a place, and one queue for all of its units.',
    'fixed address': 'Where a network leads is looked up at the start; reconnecting keeps it.',
    'begins anew': 'Registers of a server begin with what signals are at first, at every start.',
    'unread words': 'Where a word cannot be read, none of its bits is written.',
    'poll missed': 'Periods of polls without a request are counted.',
    'several units': 'One connection leads to all units of a place.',
    'matching replies':
      'A reply over TCP is one only with the number and the unit of its request; numbers count on.',
    'closed after errors':
      'A time-out and what is no reply end a connection over TCP; the next request has a new one.',
    'one device': 'All names of an address or a device lead to one session.',
    'agreeing settings': 'All users of a serial line use it with the same settings.',
    'unresolved places': 'What cannot be found fails a start before anything is owned.',
    'unreachable peer': 'A peer that is away does not keep an instance from being started.',
  }),
  ...about('Plugins and processors', {
    'plugin kinds':
      'Transformations, codecs, protections and processors may be plugins, where the project says so.',
    'tried before': 'A library that cannot be used fails the start; nothing else takes its place.',
    'plugins below the project': 'Libraries are those below `plugins/`, wherever links lead.',
    'declared inputs':
      'A processor sees the inputs that it declares, and runs before what reads its outputs.',
    'whole groups': 'What a call leaves counts as a whole: all outputs and frames, or nothing.',
    'rejected groups':
      'A frame too many, of another length or task, or a failure, rejects all frames of a call.',
    'request room': 'A call stages 16 frames at most; 64 of an instance are queued or under way.',
    'request order': 'Frames of a task go out in the order in which they were staged.',
    'request protection': 'Protection is the host’s: it is made when a frame is accepted.',
    'request message': 'A message that a processor fills has no bindings that write it.',
    'request counts': 'Frames that were staged are queued, accepted or cancelled.',
    'failed plugin': 'A call that fails makes outputs errors; the next good one makes them good.',
    'one verdict':
      'A start or a set that is refused because a plugin does not return has no effect later.',
    'hung plugin': 'A plugin that does not return is named, and requests are refused meanwhile.',
    'crashed plugin': 'A plugin that crashes ends the daemon; the next one says which it was.',
  }),
  ...about('Fault rules', {
    'off by default': 'A rule does nothing until it is switched on.',
    triggers: '`start`, `every` and `count` choose opportunities; a count of 0 has no end.',
    opportunities: 'Opportunities are frames that are really due: skipped periods are none.',
    rearmed: 'A start, or switching it on, lets a rule count from the beginning.',
    'byte rules':
      '`set_byte` writes a byte and `xor_byte` flips bits of it, behind the protection.',
    freeze_counter: 'A frozen counter is the initial one or the value given; its checksum fits.',
    counter_jump:
      'A jump moves the count by `value`, else by `mask`; later frames go on there, whatever other rules made of its frame.',
    corrupt_checksum: 'The checksum is flipped by a mask of its width that is not 0.',
    drop: 'A dropped frame is protected, and the counter moves on.',
    repeat: 'The last accepted frame with its right protection goes out again.',
    bypass: 'Current values go out with the initial values of the protection.',
    suppress: 'Nothing is built and nothing is sent.',
    'counter stands still': '`bypass`, `suppress` and `repeat` leave the counter where it is.',
    'fault conflict': 'Rules that exclude each other send nothing and tell the task’s error.',
    'fault events':
      'Each rule that fires leaves an event with the frame it concerned; the newest 1,024 are kept.',
    'fields of plugins': 'Counter and checksum rules need a protection whose fields are known.',
  }),
  ...about('Entry points', {
    lifecycle: 'load, start, stop and unload go from state to state, and refuse what does not fit.',
    'same instances': '`simulation --instance` and `gateway` are the same.',
    'output formats': 'json and jsonl are one object, csv is `path,value` with exact values.',
  }),
} as const;

export type RuleId = keyof typeof rules;

/** The name of a test that shows a rule. Generating the reference finds it by this call. */
export const rule = (_id: RuleId, title: string): string => title;
