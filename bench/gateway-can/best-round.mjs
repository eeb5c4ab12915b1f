// Runs rounds of the given number of frames and prints the best one after warm-up. Rounds are
// short, so that some have the processor to themselves.
const warmUpRounds = 20;
const roundCount = 60;

export const printBestRound = (round, sent) => {
  const frames = Number(process.argv[2]);
  const timed = () => {
    const start = process.hrtime.bigint();
    round(frames);
    return Number(process.hrtime.bigint() - start);
  };
  for (let turn = 0; turn < warmUpRounds; turn++) timed();
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < roundCount; turn++) best = Math.min(best, timed());
  const last = Buffer.from(sent()).toString('hex');
  console.log(JSON.stringify({ perSecond: (frames / best) * 1e9, last }));
};
