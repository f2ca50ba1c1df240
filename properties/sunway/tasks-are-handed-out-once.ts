import { together } from '../../kernel/explore/observer.ts';
import { sunwayProperty } from './context.ts';

/** A pool as requests and answers tell it. */
interface Pool {
  readonly file: string;
  readonly tasks: number;
  readonly blockSize: number;
  readonly handedOut: Record<number, true>;
  /** Hosts that were told that there are no more. */
  readonly refused: Record<string, true>;
}

interface Memory {
  readonly pools: Record<FileKey, Pool>;
  /** By host: the file whose tasks it has asked for. */
  readonly asked: Record<string, FileKey>;
  readonly files: Record<FileKey, Uint8Array>;
  /** Whether everything may be handed out: nobody has quit, no signal has come, no host was killed. */
  isWhole: boolean;
}

/** A file, as a key that no object has by itself, whatever the file is called. */
type FileKey = `file ${string}`;
const keyOf = (file: string): FileKey => `file ${file}`;

const byFile = (a: Pool, b: Pool): number => (a.file < b.file ? -1 : 1);

const fileBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, k) => Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16));

/** A task pool hands out every number that is open once, and its mid file never takes back a block (Sunway specification 5.7; 12, P17). */
export const tasksAreHandedOutOnce = sunwayProperty(
  'a task pool hands out each open task once, all of them to hosts that go on asking, and its file only gains blocks',
  ['task.request', 'task.response', 'job.drain', 'job.stop', 'file.fill', 'file.patch'],
  ({ config }) => {
    const before: Readonly<Record<FileKey, Uint8Array>> = Object.fromEntries(
      Object.entries(config.files).map(([name, hex]) => [keyOf(name), fileBytes(hex)]),
    );
    const isOpen = (file: string, task: number, blockSize: number): boolean =>
      before[keyOf(file)]?.[Math.floor(task / blockSize)] !== 1;

    /** What is wrong with the task that a host gets. */
    function answerWrong({ file, tasks, blockSize, handedOut, refused }: Pool, host: string, task: number) {
      if (task === -1) refused[host] = true;
      if (task < 0) return undefined;
      const isAgain = handedOut[task];
      handedOut[task] = true;
      if (task >= tasks || !isOpen(file, task, blockSize))
        return `it gets task ${task} of ${file}, which is not open`;
      return isAgain && !config.task.reassignLost
        ? `it gets task ${task} of ${file}, which was handed out before`
        : undefined;
    }

    /** Blocks that nobody has fetched anything of. A block is one host's: what it has not fetched of it nobody else gets. */
    function leftIn({ file, tasks, blockSize, handedOut }: Pool): readonly number[] {
      const taken = new Set(Object.keys(handedOut).map((task) => Math.floor(Number(task) / blockSize)));
      return Array.from({ length: Math.ceil(tasks / blockSize) }, (_, block) => block).filter(
        (block) => isOpen(file, block * blockSize, blockSize) && !taken.has(block),
      );
    }

    return {
      begin: (): Memory => ({
        pools: {},
        asked: {},
        files: { ...before },
        isWhole: config.job.kill.length === 0,
      }),
      see(memory: Memory, event, to, from) {
        const { pools, asked, files } = memory;
        switch (event.type) {
          case 'task.request': {
            const { request, file, taskNum, blockSize } = event;
            if (request === 'quit') {
              memory.isWhole = false;
              return undefined;
            }
            const key = keyOf(file);
            asked[from] = key;
            if (taskNum >= 1 && blockSize >= 1)
              pools[key] ??= { file, tasks: taskNum, blockSize, handedOut: {}, refused: {} };
            return undefined;
          }
          case 'task.response': {
            const pool = pools[asked[to] ?? keyOf('')];
            const why = asked[to] && pool && answerWrong(pool, to, event.value);
            delete asked[to];
            return why ? { actors: [to], why } : undefined;
          }
          case 'file.fill': {
            const { file, bytes, value } = event;
            const key = keyOf(file);
            const pool = pools[key];
            if (pool === undefined) return undefined;
            const blocks = Math.ceil(pool.tasks / pool.blockSize);
            const all: string[] = [];
            if (bytes !== blocks) all.push(`${file} gets ${bytes} bytes, but it has ${blocks} blocks`);
            if (value === 0 && files[key]?.includes(1)) all.push(`${file} loses blocks`);
            files[key] = new Uint8Array(bytes).fill(value);
            return together(all.map((why) => ({ actors: [to], why })));
          }
          case 'file.patch': {
            const { file, offset, value } = event;
            const content = files[keyOf(file)];
            if (content === undefined || offset >= content.length)
              return {
                actors: [to],
                why: `byte ${offset} of ${file} is written, which it does not have`,
              };
            if (content[offset] === 1 && value !== 1)
              return { actors: [to], why: `block ${offset} of ${file} is taken back` };
            files[keyOf(file)] = content.with(offset, value);
            return undefined;
          }
          default:
            memory.isWhole = false;
            return undefined;
        }
      },
      pending: ({ pools, isWhole }: Memory) =>
        (isWhole ? Object.values(pools).sort(byFile) : []).flatMap((pool) => {
          const refused = Object.keys(pool.refused).sort();
          const left = leftIn(pool);
          if (refused.length === 0 || left.length === 0) return [];
          const why = `they get no more tasks of ${pool.file}, though blocks ${left.join(', ')} are left`;
          return [{ key: pool.file, actors: refused, why }];
        }),
    };
  },
);
