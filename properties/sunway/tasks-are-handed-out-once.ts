import { type Pending, together } from '../../kernel/explore/observer.ts';
import { sunwayProperty } from './context.ts';

/** A pool as requests and answers tell it. */
interface Pool {
  readonly file: string;
  readonly tasks: number;
  readonly blockSize: number;
  readonly handedOut: Record<number, true>;
  /** Hosts that were told that there are no more. */
  readonly refused: Record<string, true>;
  /** By host: the task that it was given last. */
  readonly last: Record<string, number>;
  /** Blocks whose last task is finished: its host has fetched again. */
  readonly complete: Record<number, true>;
}

interface Memory {
  readonly pools: Record<FileKey, Pool>;
  /** By host: the file whose tasks it has asked for. */
  readonly asked: Record<string, FileKey>;
  readonly files: Record<FileKey, Uint8Array>;
  /** Whether everything may be handed out: nobody has quit, no signal has come, no host was killed. */
  isWhole: boolean;
  /** Whether the job was stopped at once: what was to be recorded in that cycle need not be. */
  isStopped: boolean;
}

/** A file, as a key that no object has by itself, whatever the file is called. */
type FileKey = `file ${string}`;
const keyOf = (file: string): FileKey => `file ${file}`;

const byFile = (a: Pool, b: Pool): number => (a.file < b.file ? -1 : 1);

const fileBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, k) => Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16));

const notRecorded = ({ file, complete }: Pool, bytes: Uint8Array | undefined): readonly Pending[] =>
  Object.keys(complete)
    .filter((block) => bytes?.[Number(block)] !== 1)
    .map((block) => ({
      key: `${file} ${block}`,
      actors: ['Node.TaskPool'],
      why: `block ${block} of ${file} is complete, and its byte does not say so`,
    }));

/** A task pool hands out every number that is open once, and its mid file tells of each block that is complete and never takes one back (Sunway specification 5.7; 12, P17). */
export const tasksAreHandedOutOnce = sunwayProperty(
  'a task pool hands out each open task once, all of them to hosts that go on asking, and its file gains each block that is complete',
  ['task.request', 'task.response', 'job.drain', 'job.stop', 'file.fill', 'file.patch'],
  ({ config }) => {
    const before: Readonly<Record<FileKey, Uint8Array>> = Object.fromEntries(
      Object.entries(config.files).map(([name, hex]) => [keyOf(name), fileBytes(hex)]),
    );
    const isOpen = (file: string, task: number, blockSize: number): boolean =>
      before[keyOf(file)]?.[Math.floor(task / blockSize)] !== 1;

    /** A task is finished when its host fetches again, and a block with its last one. */
    function finish({ tasks, blockSize, last, complete }: Pool, host: string, task: number): void {
      const before = last[host];
      delete last[host];
      if (task >= 0) last[host] = task;
      if (before !== undefined && (before + 1 === tasks || (before + 1) % blockSize === 0))
        complete[Math.floor(before / blockSize)] = true;
    }

    /** What is wrong with the task that a host gets. */
    function answerWrong(pool: Pool, host: string, task: number) {
      const { file, tasks, blockSize, handedOut, refused } = pool;
      if (task >= -1) finish(pool, host, task);
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

    function notHandedOut(pool: Pool): readonly Pending[] {
      const refused = Object.keys(pool.refused).sort();
      const left = leftIn(pool);
      if (refused.length === 0 || left.length === 0) return [];
      const why = `they get no more tasks of ${pool.file}, though blocks ${left.join(', ')} are left`;
      return [{ key: pool.file, actors: refused, why }];
    }

    return {
      begin: (): Memory => ({
        pools: {},
        asked: {},
        files: { ...before },
        isWhole: config.job.kill.length === 0,
        isStopped: false,
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
              pools[key] ??= {
                file,
                tasks: taskNum,
                blockSize,
                handedOut: {},
                refused: {},
                last: {},
                complete: {},
              };
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
            memory.isStopped ||= event.type === 'job.stop';
            memory.isWhole = false;
            return undefined;
        }
      },
      pending: ({ pools, files, isWhole, isStopped }: Memory) => {
        const all = Object.values(pools).sort(byFile);
        return [
          ...(isWhole ? all.flatMap(notHandedOut) : []),
          ...(isStopped ? [] : all.flatMap((pool) => notRecorded(pool, files[keyOf(pool.file)]))),
        ];
      },
    };
  },
);
