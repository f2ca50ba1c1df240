import type { MemoryRead } from '../../actors/tca/messages.ts';
import { judged, property } from '../property.ts';
import { isDmac, isMemory, nodeIn, said, type TcaContext } from './context.ts';

/** A read on its way: what it will get, as soon as the memory has it, and which bytes have come. */
interface Read {
  readonly name: string;
  readonly request: MemoryRead;
  bytes: readonly number[] | null;
  readonly come: boolean[];
}

/** Every read gets exactly the bytes that were in memory, each once (TCA specification 19, I3). */
export const readsGetTheirBytes = property<TcaContext>(
  'a read gets the bytes that were in memory, each once',
  (run, { config }) =>
    judged(said(run, 'tlp.read', 'tlp.completion', 'memory.visible'), (found) => {
      /** What was written, by address; the rest is 0. */
      const written = new Map<number, number>();
      const open = Array.from({ length: config.nodes }, () => new Map<number, Read>());
      const shown = ({ addr, bytes, tag }: MemoryRead) =>
        `the read of ${bytes} bytes at ${addr} with tag ${tag}`;

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'memory.visible':
              for (const [k, byte] of event.data.entries()) written.set(event.addr + k, byte);
              return;
            case 'tlp.read':
              if (isDmac(from))
                open[nodeIn(from)]!.set(event.tag, { name: from, request: event, bytes: null, come: [] });
              if (isMemory(to)) {
                const read = open[nodeIn(to)]!.get(event.tag);
                const byte = (_: unknown, k: number) => written.get(event.addr + k) ?? 0;
                if (read) read.bytes = Array.from({ length: event.bytes }, byte);
              }
              return;
            case 'tlp.completion': {
              if (!isDmac(to)) return;
              const read = open[nodeIn(to)]!.get(event.tag);
              if (!read?.bytes || read.name !== to) {
                found([to], `bytes come for tag ${event.tag}, which has no read`);
                return;
              }
              for (const [k, byte] of event.data.entries()) {
                const at = event.offset + k;
                const wanted = read.bytes[at];
                if (read.come[at]) found([to], `byte ${at} of ${shown(read.request)} comes twice`);
                else if (byte !== wanted)
                  found([to], `byte ${at} of ${shown(read.request)} is ${byte}, in memory it was ${wanted}`);
                if (read.come[at] || byte !== wanted) return;
                read.come[at] = true;
              }
              if (read.come.filter(Boolean).length === read.request.bytes)
                open[nodeIn(to)]!.delete(event.tag);
            }
          }
        },
        end() {
          if (!run.quiet) return;
          for (const reads of open)
            for (const { name, request } of reads.values())
              if (isOwn(name, request)) found([name], `${shown(request)} has not got all of its bytes`);
        },
      };
    }),
);

/** False for a read of another node's memory, which is an error of the program (TCA specification 6). */
const isOwn = (name: string, { addr }: MemoryRead): boolean =>
  Math.floor(addr / (32 * 2 ** 30)) === nodeIn(name);
