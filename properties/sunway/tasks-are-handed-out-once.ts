import { judged, property } from '../property.ts';
import { type SunwayPropertyContext, said } from './context.ts';

/** A pool as requests and answers tell it. */
interface Pool {
  readonly tasks: number;
  readonly blockSize: number;
  readonly handedOut: Set<number>;
  /** Hosts that were told that there are no more. */
  readonly refused: Set<string>;
}

const fileBytes = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, k) => Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16));

/** A task pool hands out every number that is open once, and its mid file never takes back a block (Sunway specification 5.7; 12, P17). */
export const tasksAreHandedOutOnce = property<SunwayPropertyContext>(
  'a task pool hands out each open task once, all of them to hosts that go on asking, and its file only gains blocks',
  (run, { config }) =>
    judged(
      said(run, 'task.request', 'task.response', 'job.drain', 'job.stop', 'file.fill', 'file.patch'),
      (found) => {
        const pools = new Map<string, Pool>();
        const asked = new Map<string, string>();
        const files = new Map(Object.entries(config.files).map(([name, hex]) => [name, fileBytes(hex)]));
        const before = new Map(files);
        /** Whether everything may be handed out: nobody has quit, no signal has come, no host was killed. */
        let isWhole = config.job.kill.length === 0;
        const isOpen = (file: string, task: number, blockSize: number): boolean =>
          before.get(file)?.[Math.floor(task / blockSize)] !== 1;

        function judge(host: string, value: number): void {
          const file = asked.get(host);
          const pool = pools.get(file ?? '');
          asked.delete(host);
          if (file === undefined || pool === undefined) return;
          const { tasks, blockSize, handedOut } = pool;
          if (value >= 0) {
            if (value >= tasks || !isOpen(file, value, blockSize))
              found([host], `it gets task ${value} of ${file}, which is not open`);
            else if (handedOut.has(value) && !config.task.reassignLost)
              found([host], `it gets task ${value} of ${file}, which was handed out before`);
            handedOut.add(value);
            return;
          }
          if (value === -1) pool.refused.add(host);
        }

        return {
          see({ from, to, event }) {
            switch (event.type) {
              case 'task.request': {
                const { request, file, taskNum, blockSize } = event;
                if (request === 'quit') {
                  isWhole = false;
                  return;
                }
                asked.set(from, file);
                if (pools.has(file) || taskNum < 1 || blockSize < 1) return;
                pools.set(file, { tasks: taskNum, blockSize, handedOut: new Set(), refused: new Set() });
                return;
              }
              case 'task.response':
                judge(to, event.value);
                return;
              case 'file.fill': {
                const { file, bytes, value } = event;
                const pool = pools.get(file);
                if (pool === undefined) return;
                const blocks = Math.ceil(pool.tasks / pool.blockSize);
                if (bytes !== blocks) found([to], `${file} gets ${bytes} bytes, but it has ${blocks} blocks`);
                if (value === 0 && files.get(file)?.includes(1)) found([to], `${file} loses blocks`);
                files.set(file, new Uint8Array(bytes).fill(value));
                return;
              }
              case 'file.patch': {
                const { file, offset, value } = event;
                const content = files.get(file);
                if (content === undefined || offset >= content.length)
                  found([to], `byte ${offset} of ${file} is written, which it does not have`);
                else if (content[offset] === 1 && value !== 1)
                  found([to], `block ${offset} of ${file} is taken back`);
                else files.set(file, content.with(offset, value));
                return;
              }
              default:
                isWhole = false;
            }
          },
          end() {
            if (!run.quiet || !isWhole) return;
            for (const [file, { tasks, blockSize, handedOut, refused }] of pools) {
              const taken = new Set([...handedOut].map((task) => Math.floor(task / blockSize)));
              // A block is one host's: what it has not fetched of it nobody else gets.
              const left = Array.from({ length: Math.ceil(tasks / blockSize) }, (_, block) => block).filter(
                (block) => isOpen(file, block * blockSize, blockSize) && !taken.has(block),
              );
              if (refused.size > 0 && left.length > 0)
                found(
                  [...refused],
                  `they get no more tasks of ${file}, though blocks ${left.join(', ')} are left`,
                );
            }
          },
        };
      },
    ),
);
