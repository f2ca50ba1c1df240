import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { benchText } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import { parseCommand } from '../../machines/chiplet/interchiplet-command-text.ts';
import { CoordinatorService } from '../../machines/chiplet/interchiplet-service.ts';
import { type InterchipletCase, interchipletGoldenSchema, programsOfCase } from './interchiplet-cases.ts';

const golden = interchipletGoldenSchema.parse(
  JSON.parse(readFileSync('properties/chiplet/golden/interchiplet/golden.json', 'utf8')),
);

/** The commands of a step as a process writes them: the functional one, and the timing one at a cycle, once the launcher is known. */
function commandsOf(place: string, step: readonly (string | number)[]) {
  const own = place.replace(',', ' ');
  const [kind, a, b, c] = step;
  const write = (route: string, bytes: unknown, description: number) => (cycle: number) =>
    `WRITE ${cycle} ${route} ${bytes} ${description}`;
  switch (kind) {
    case 'send':
      return { ask: `SEND ${own} ${a} ${b}`, time: write(`${own} ${a} ${b}`, c, 0) };
    case 'recv':
      return {
        ask: `RECEIVE ${a} ${b} ${own}`,
        time: (cycle: number) => `READ ${cycle} ${a} ${b} ${own} ${c} 0`,
      };
    case 'barrier':
      return { ask: `BARRIER ${own} ${a} ${b}`, time: write(`${own} ${a} 0`, 1, 0x20000 | Number(b)) };
    case 'lock':
      return { ask: `LOCK ${own} ${a}`, time: write(`${own} ${a} 0`, 1, 0x40000) };
    case 'unlock':
      return { ask: `UNLOCK ${own} ${a}`, time: write(`${own} ${a} 0`, 1, 0x80000) };
    case 'launch':
      return { ask: `LAUNCH ${own} ${a} ${b}`, time: write(`${own} ${a} ${b}`, 1, 0x10000) };
    default:
      return {
        ask: `WAITLAUNCH -1 -1 ${own}`,
        time: (cycle: number, launcher: readonly unknown[]) =>
          `READ ${cycle} ${launcher.join(' ')} ${own} 1 ${0x10000}`,
      };
  }
}

/** Plays the processes of a case against a service, one command at a time; who sleeps comes when all others stand. */
function played(one: InterchipletCase, delay: readonly string[]) {
  const programs = programsOfCase(one);
  const places = programs.map(({ x, y }) => `${x},${y}`);
  const service = new CoordinatorService({
    names: places,
    clockRates: programs.map(({ clockRate }) => clockRate),
    networkRate: one.phase2ClockRate,
    flitBytes: 64,
    round: 1,
    delay: parseDelay(delay.join('\n'), 'delayInfo.txt'),
  });
  const state = places.map(() => ({
    at: 0,
    clock: 0,
    launcher: [] as readonly unknown[],
    log: [] as unknown[][],
  }));
  const ready = [...places.keys()];
  const sleeping: number[] = [];
  const say = (process: number, text: string): void => {
    for (const { process: to, answer } of service.command(process, parseCommand(text))) {
      const other = state[to]!;
      const step = programs[to]!.script[other.at]!;
      if (answer.type === 'answer.result') {
        if (step[0] === 'waitlaunch') other.launcher = answer.values;
        say(to, commandsOf(places[to]!, step).time(other.clock, other.launcher));
        continue;
      }
      const found = step[0] === 'waitlaunch' ? [step[0], ...other.launcher] : [...step];
      other.log.push([...found, other.clock, answer.cycle]);
      other.clock = answer.cycle;
      other.at++;
      ready.push(to);
    }
  };
  for (;;) {
    const process = ready.shift() ?? sleeping.shift();
    if (process === undefined) break;
    const own = state[process]!;
    const step = programs[process]!.script[own.at];
    if (step === undefined) say(process, `CYCLE ${own.clock}`);
    else if (step[0] === 'compute') {
      own.clock += step[1];
      own.at++;
      ready.push(process);
    } else if (step[0] === 'sleep') {
      own.at++;
      sleeping.push(process);
    } else say(process, commandsOf(places[process]!, step).ask);
  }
  return {
    cycles: service.cycles,
    logs: Object.fromEntries(places.map((place, index) => [place, state[index]!.log])),
    bench: service.bench.map(benchText).sort(),
  };
}

test.each(golden.cases.map((one) => [one.name, one] as const))(
  '%s: served command by command, as lines of text, every round is that of the reference',
  (_, one) => {
    for (const [index, { cycles, logs, bench }] of one.rounds.entries()) {
      const found = played(one, one.rounds[index - 1]?.delay ?? []);

      expect(found).toEqual({ cycles, logs, bench: [...bench].sort() });
    }
  },
);
