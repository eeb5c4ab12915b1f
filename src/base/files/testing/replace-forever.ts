import { ProjectRoot } from '../project-root.ts';

/** Replaces one file repeatedly, alternating between ones and twos, until it is killed. */
const [, , directory = '', name = '', size = '0'] = process.argv;
const root = ProjectRoot.open(directory);
const contents = ['1', '2'].map((digit) => Buffer.from(digit.repeat(Number(size))));
const pieceBytes = 65_536;

function* piecesOf(content: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < content.length; at += pieceBytes) {
    yield content.subarray(at, at + pieceBytes);
  }
}

process.stdout.write('ready\n');
for (let turn = 0; ; turn += 1) {
  root.replaceFile(name, piecesOf(contents[turn % 2] as Buffer));
}
