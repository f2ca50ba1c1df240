import { type Answer, barrierCountMax } from '../../actors/chiplet/interchiplet/commands.ts';
import type { SpokenCommand } from './interchiplet-service.ts';

/** What lines between processes and coordinator begin with; other lines are log (chiplet specification 9.2). */
export const commandPrefix = '[INTERCMD] ';

/** The arguments of each command, in their order. */
const forms = {
  CYCLE: ['cycle'],
  SEND: ['src_x', 'src_y', 'dst_x', 'dst_y'],
  RECEIVE: ['src_x', 'src_y', 'dst_x', 'dst_y'],
  BARRIER: ['src_x', 'src_y', 'uid', 'count'],
  LOCK: ['src_x', 'src_y', 'uid'],
  UNLOCK: ['src_x', 'src_y', 'uid'],
  LAUNCH: ['src_x', 'src_y', 'dst_x', 'dst_y'],
  WAITLAUNCH: ['src_x', 'src_y', 'dst_x', 'dst_y'],
  READ: ['cycle', 'src_x', 'src_y', 'dst_x', 'dst_y', 'nbytes', 'desc'],
  WRITE: ['cycle', 'src_x', 'src_y', 'dst_x', 'dst_y', 'nbytes', 'desc'],
} as const;

type CommandName = keyof typeof forms;

/** A line that is no command; the message tells what was found and what was expected. */
export class CommandTextError extends Error {
  override readonly name = 'CommandTextError';
}

/** The command of a line, without its prefix. Errors: `CommandTextError`. */
export function parseCommand(text: string): SpokenCommand {
  const [name = '', ...words] = text.trim().split(/\s+/);
  if (!isCommandName(name))
    throw new CommandTextError(`found "${name}", expected one of ${Object.keys(forms).join(', ')}`);
  const form = forms[name];
  const numbers = words.map(Number);
  const wrong = words.findIndex((word, index) => !isArgument(name, form[index], word));
  if (wrong >= 0 || words.length !== form.length) {
    const found =
      wrong >= 0
        ? `"${words[wrong]}" as ${form[wrong] ?? 'a further argument'}`
        : `${words.length} arguments`;
    throw new CommandTextError(`found ${found}, expected ${name} ${form.join(' ')}`);
  }
  return commandOf(name, numbers);
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(forms, name);

/** Whole numbers from 0; a cycle may have a fraction, the source of a WAITLAUNCH may be -1. */
function isArgument(name: CommandName, argument: string | undefined, word: string): boolean {
  const value = Number(word);
  if (argument === undefined || word === '' || !Number.isFinite(value)) return false;
  if (argument === 'cycle') return value >= 0;
  if (!Number.isSafeInteger(value)) return false;
  if (name === 'WAITLAUNCH' && argument.startsWith('src_') && value === -1) return true;
  if (argument === 'nbytes') return value >= 1;
  if (argument === 'count') return value >= 0 && value <= barrierCountMax;
  return value >= 0;
}

function commandOf(name: CommandName, numbers: readonly number[]): SpokenCommand {
  const at = (index: number): number => numbers[index] ?? 0;
  const place = (index: number) => ({ x: at(index), y: at(index + 1) });
  switch (name) {
    case 'CYCLE':
      return { type: 'command.cycle', cycle: at(0) };
    case 'SEND':
      return { type: 'command.send', source: place(0), target: place(2) };
    case 'RECEIVE':
      return { type: 'command.receive', source: place(0), target: place(2) };
    case 'BARRIER':
      return { type: 'command.barrier', source: place(0), uid: at(2), count: at(3) };
    case 'LOCK':
      return { type: 'command.lock', source: place(0), uid: at(2) };
    case 'UNLOCK':
      return { type: 'command.unlock', source: place(0), uid: at(2) };
    case 'LAUNCH':
      return { type: 'command.launch', source: place(0), target: place(2) };
    case 'WAITLAUNCH':
      return { type: 'command.waitlaunch', source: place(0), target: place(2) };
    case 'READ':
    case 'WRITE':
      return {
        type: name === 'READ' ? 'command.read' : 'command.write',
        cycle: at(0),
        source: place(1),
        target: place(3),
        bytes: at(5),
        description: at(6),
      };
    default:
      return name satisfies never;
  }
}

/** An answer as a line without its end: RESULT tells the number of its values, then the values. */
export const answerText = (answer: Answer): string =>
  answer.type === 'answer.sync'
    ? `${commandPrefix}SYNC ${answer.cycle}`
    : [`${commandPrefix}RESULT`, answer.values.length, ...answer.values].join(' ');
