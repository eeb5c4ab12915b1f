// Lateness of a LIN schedule of 20 slots of 5 ms in the daemon, compared with a cyclic task of
// 5 ms that runs at the same time. Usage: node bench/lin-schedule/lin-schedule.mjs [seconds, 15;
// or --minutes=10]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchDaemon } from '../daemon.mjs';

const [length = '15'] = process.argv.slice(2);
const minutes = /^--minutes=(.+)$/.exec(length)?.[1];
const seconds = minutes === undefined ? Number(length) : 60 * Number(minutes);
const slots = 20;
const rounds = 3;
/** Most that the p99 of the schedule may be, in those of the task. */
const maxRatio = 2;

const names = Array.from({ length: slots }, (_, index) => `F${index}`);
const each = (text) => names.map((name, index) => text(name, index)).join('\n');
const ldf = `LIN_description_file;
LIN_protocol_version = "2.2";
LIN_language_version = "2.2";
LIN_speed = 19.2 kbps;
Nodes { Master: M, 5 ms, 0.1 ms; Slaves: S; }
Signals { ${each((name, index) => `${name}s: 8, 0, ${index % 2 ? 'S, M' : 'M, S'};`)} }
Frames { ${each((name, index) => `${name}: ${index}, ${index % 2 ? 'S' : 'M'}, 1 { ${name}s, 0; }`)} }
Node_attributes { S { LIN_protocol = "2.2"; configured_NAD = 1; product_id = 1, 1; } }
Schedule_tables { Full { ${each((name) => `${name} delay 5 ms;`)} } }
`;

const daemon = new BenchDaemon('lin-schedule');
const [master, slave, can, other] = [4, 5, 0, 1].map((port) => `SIM00001/${port}`);

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

const startTask = () =>
  daemon.cli('tx-task', 'add', can, '123#00', '--period=5ms', '--pattern=increment_data');
const startSchedule = () => daemon.cli('lin', 'schedule', 'start', master, '--table=Full');
const stopTask = ({ task_id }) => daemon.cli('tx-task', 'remove', task_id);
const stopSchedule = () => daemon.cli('lin', 'schedule', 'stop', master);

/** Commands disturb what runs already, so that each is the first one in half of the rounds. */
const round = async (index) => {
  const isTaskFirst = index % 2 === 0;
  if (!isTaskFirst) await startSchedule();
  const started = await startTask();
  if (isTaskFirst) await startSchedule();
  await wait((seconds * 1000) / rounds);
  if (!isTaskFirst) return { task: await stopTask(started), schedule: await stopSchedule() };
  return { schedule: await stopSchedule(), task: await stopTask(started) };
};

const count = (results, key) => results.reduce((sum, result) => sum + result[key], 0);

try {
  writeFileSync(join(daemon.folder, 'full.ldf'), ldf);
  await daemon.start(...[master, slave, can, other].map((port) => `--channel=${port}`));
  await daemon.cli('database', 'load', 'full.ldf');
  for (const port of [master, slave]) {
    await daemon.cli('database', 'attach', 'full', `--channel=${port}`);
  }
  await daemon.cli('lin', 'simulate', slave, '--nodes=S');
  const results = [];
  for (let index = 0; index < rounds; index++) results.push(await round(index));
  const p99 = (kind) => median(results.map((result) => result[kind].lateness_us.p99));
  const [task, schedule] = [p99('task'), p99('schedule')];
  const schedules = results.map((result) => result.schedule);
  const tasks = results.map((result) => result.task);
  console.log(`cyclic task of 5 ms: lateness p99 ${task} µs, ${count(tasks, 'missed')} missed`);
  console.log(
    `${slots} slots of 5 ms: lateness p99 ${schedule} µs, ${count(schedules, 'sent')} sent, ${count(schedules, 'missed')} missed, ${count(schedules, 'unanswered')} unanswered`,
  );
  const ratio = schedule / task;
  console.log(`${ratio.toFixed(2)} times the task (median of ${rounds} rounds; limit ${maxRatio})`);
  const isWrong = count(schedules, 'failed') + count(schedules, 'unanswered') > 0;
  if (isWrong || ratio > maxRatio) process.exitCode = 1;
} finally {
  await daemon.stop();
}
