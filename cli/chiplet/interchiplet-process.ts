import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { descriptions } from '../../actors/chiplet/interchiplet/commands.ts';
import type { Place } from '../../actors/chiplet/interchiplet/place.ts';
import type { Script, ScriptStep } from '../../actors/chiplet/interchiplet/script.ts';
import { commandPrefix } from '../../machines/chiplet/interchiplet-command-text.ts';
import { builtInPrograms } from '../../scenarios/chiplet/interchiplet-programs.ts';
import { parseScript } from '../../scenarios/chiplet/interchiplet-script-file.ts';
import type { Session } from '../command.ts';
import { naturalOption } from '../natural-option.ts';
import { readInput } from '../read-input.ts';
import { UsageError } from '../usage-error.ts';
import { wordOption } from '../word-option.ts';

interface ProcessWords {
  readonly script?: string;
  readonly program?: string;
}

/**
 * `lockstep chiplet process X Y`: carries out steps as a process of its own, with data through named pipes (chiplet specification 9.2).
 *
 * Use for processes given as steps beside real simulators, and as a pattern for writing a process in another language.
 */
export function declareProcess(command: Command, { terminal }: Session): void {
  command
    .argument('<x>', 'first coordinate of the chiplet', naturalOption('X', 99))
    .argument('<y>', 'second coordinate', naturalOption('Y', 99))
    .option('--script <file>', 'YAML or JSON list of steps')
    .option('--program <name>', 'a built-in program', wordOption('--program', Object.keys(builtInPrograms)))
    .action(async (x: number, y: number, { script, program }: ProcessWords) => {
      const place = { x, y };
      if ((script === undefined) === (program === undefined))
        throw new UsageError(
          'found none or both of --script and --program, expected one',
          'say what to carry out',
        );
      const steps =
        script === undefined
          ? (builtInPrograms[program!]?.(place, []) ?? [])
          : parseScript(readInput(script), script);
      await new ScriptedProcess(place, steps, (line) => terminal.out(`${line}\n`)).carryOut();
    });
}

class ScriptedProcess {
  readonly #place: Place;
  readonly #steps: Script;
  readonly #write: (line: string) => void;
  readonly #input = createInterface({ input: process.stdin });
  readonly #lines = this.#input[Symbol.asyncIterator]();
  #clock = 0;

  constructor(place: Place, steps: Script, write: (line: string) => void) {
    this.#place = place;
    this.#steps = steps;
    this.#write = write;
  }

  async carryOut(): Promise<void> {
    for (const step of this.#steps) {
      if (step[0] === 'compute') this.#clock += step[1];
      else if (step[0] === 'sleep') await new Promise((resolve) => setTimeout(resolve, step[1] * 1000));
      else await this.#exchange(step);
    }
    this.#say(`CYCLE ${this.#clock}`);
    this.#input.close();
  }

  async #exchange(step: ScriptStep): Promise<void> {
    const { x, y } = this.#place;
    const own = `${x} ${y}`;
    const issued = this.#clock;
    switch (step[0]) {
      case 'send': {
        const route = `${own} ${step[1]} ${step[2]}`;
        await this.#transfer(await this.#ask(`SEND ${route}`), 'w', step[3]);
        await this.#time(`WRITE ${issued} ${route} ${step[3]} 0`);
        break;
      }
      case 'recv': {
        const route = `${step[1]} ${step[2]} ${own}`;
        await this.#transfer(await this.#ask(`RECEIVE ${route}`), 'r', step[3]);
        await this.#time(`READ ${issued} ${route} ${step[3]} 0`);
        break;
      }
      case 'barrier':
        await this.#ask(`BARRIER ${own} ${step[1]} ${step[2]}`);
        await this.#time(`WRITE ${issued} ${own} ${step[1]} 0 1 ${descriptions.barrier | step[2]}`);
        break;
      case 'lock':
      case 'unlock':
        await this.#ask(`${step[0].toUpperCase()} ${own} ${step[1]}`);
        await this.#time(`WRITE ${issued} ${own} ${step[1]} 0 1 ${descriptions[step[0]]}`);
        break;
      case 'launch': {
        const route = `${own} ${step[1]} ${step[2]}`;
        await this.#ask(`LAUNCH ${route}`);
        await this.#time(`WRITE ${issued} ${route} 1 ${descriptions.launch}`);
        break;
      }
      case 'waitlaunch': {
        const [, launcherX, launcherY] = await this.#ask(`WAITLAUNCH -1 -1 ${own}`);
        await this.#time(`READ ${issued} ${launcherX} ${launcherY} ${own} 1 ${descriptions.launch}`);
        break;
      }
      case 'compute':
      case 'sleep':
        break;
      default:
        step satisfies never;
    }
    this.#write(`${step.join(' ')}: issued ${issued}, went on in ${this.#clock}`);
  }

  #say(command: string): void {
    this.#write(`${commandPrefix}${command}`);
  }

  /** Says a functional command; gives the words of its RESULT. */
  async #ask(command: string): Promise<readonly string[]> {
    this.#say(command);
    return this.#answer('RESULT');
  }

  /** Says a timing command; the clock is that of its SYNC then. */
  async #time(command: string): Promise<void> {
    this.#say(command);
    this.#clock = Number((await this.#answer('SYNC'))[0]);
  }

  async #answer(kind: 'RESULT' | 'SYNC'): Promise<readonly string[]> {
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done)
        throw new UsageError(
          `found the end of the input, expected ${kind}`,
          'the coordinator has ended; see what it told',
        );
      if (!value.startsWith(commandPrefix)) continue;
      const [word, ...rest] = value.slice(commandPrefix.length).split(' ');
      if (word === kind) return rest;
    }
  }

  /** Moves bytes, all of them 0, through the pipe of a RESULT. */
  async #transfer(result: readonly string[], direction: 'r' | 'w', bytes: number): Promise<void> {
    const pipe = await open(result[1]!, direction);
    try {
      const buffer = new Uint8Array(Math.min(bytes, 65_536));
      for (let left = bytes; left > 0; ) {
        const size = Math.min(left, buffer.length);
        const moved =
          direction === 'r'
            ? (await pipe.read(buffer, 0, size, null)).bytesRead
            : (await pipe.write(buffer, 0, size, null)).bytesWritten;
        if (moved === 0)
          throw new UsageError(
            `found ${bytes - left} bytes in ${result[1]}, expected ${bytes}`,
            'see the sender',
          );
        left -= moved;
      }
    } finally {
      await pipe.close();
    }
  }
}
