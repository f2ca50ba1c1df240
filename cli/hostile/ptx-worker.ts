import { writeSync } from 'node:fs';
import process from 'node:process';
import { PtxCases } from './ptx-cases.ts';

/** A process that carries out launches of damaged texts, one after another: their numbers come as messages, what came of them goes to descriptor 3. */
const tell = (message: object): void => void writeSync(3, `${JSON.stringify(message)}\n`);

const seed = Number(process.argv[2]);
const cases = new PtxCases(process.argv[3]!);

process.on('message', (index: number) => {
  const began = process.cpuUsage();
  const { args, how, ...ended } = cases.carriedOut(seed, index);
  const { user, system } = process.cpuUsage(began);
  tell({ index, args, how, ...ended, seconds: (user + system) / 1e6, made: [], changed: [] });
});
tell({ ready: true });
