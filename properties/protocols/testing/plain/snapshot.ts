import type { PlainProtocol, PlainState } from './plain-search.ts';

/** What matters of a global state without the snapshot: of each process its balance and its transfers left, of each channel the coins on it. */
interface Purse {
  readonly processes: readonly (readonly [balance: number, transfers: number])[];
  readonly channels: Readonly<Record<string, number>>;
}

interface Party {
  balance: number;
  transfers: number;
  recorded: [balance: number, transfers: number] | null;
  channels: number[];
  open: number[];
  /** Where the snapshot began, in its first process; kept only where it is asked for. */
  since?: Purse;
}
type Message = 'coin' | 'marker';

const onChannels = (messages: PlainState<Party, Message>['messages']): Record<string, number> => {
  const coins: Record<string, number> = {};
  for (const [from, to, what] of messages)
    if (what === 'coin') coins[`${from} ${to}`] = (coins[`${from} ${to}`] ?? 0) + 1;
  return coins;
};
const purseOf = ({ parties, messages }: PlainState<Party, Message>): Purse => ({
  processes: parties.map(({ balance, transfers }) => [balance, transfers] as const),
  channels: onChannels(messages),
});
const textOf = ({ processes, channels }: Purse): string =>
  JSON.stringify([
    processes,
    Object.entries(channels)
      .filter(([, coins]) => coins > 0)
      .sort(),
  ]);

/** True when the processes, left alone, can come from one state to the other. */
export function canCome(from: Purse, to: Purse): boolean {
  const known = new Set([textOf(from)]);
  const open = [from];
  const meet = (next: Purse) => {
    if (known.has(textOf(next))) return;
    known.add(textOf(next));
    open.push(next);
  };
  for (const { processes, channels } of open) {
    const changed = (at: number, by: readonly [number, number], channel: string, coins: number): Purse => ({
      processes: processes.map(([balance, transfers], index) =>
        index === at ? [balance + by[0], transfers + by[1]] : [balance, transfers],
      ),
      channels: { ...channels, [channel]: (channels[channel] ?? 0) + coins },
    });
    processes.forEach(([balance, transfers], one) => {
      processes.forEach((_, other) => {
        if (one === other) return;
        if (balance > 0 && transfers > 0) meet(changed(one, [-1, -1], `${one} ${other}`, 1));
        if ((channels[`${other} ${one}`] ?? 0) > 0) meet(changed(one, [1, 0], `${other} ${one}`, -1));
      });
    });
  }
  return known.has(textOf(to));
}

/** Processes with balances, who make so many transfers each; the first begins the snapshot. `between`: a complete snapshot is asked to be a state on a way from its beginning to its end. */
export function plainSnapshot(
  balances: readonly number[],
  transfers: number,
  between = false,
): PlainProtocol<Party, Message> {
  const others = (self: number) => balances.map((_, at) => at).filter((at) => at !== self);
  let present: PlainState<Party, Message> | undefined;
  const record = (party: Party, self: number, out: Parameters<PlainProtocol<Party>['receive']>[2]) => {
    party.recorded = [party.balance, party.transfers];
    party.open = others(self);
    for (const to of others(self)) out.send(to, 'marker');
  };
  const verdicts = new Map<string, boolean>();
  return {
    ordered: true,
    parties: balances.map((balance) => ({
      balance,
      transfers,
      recorded: null,
      channels: balances.map(() => 0),
      open: [],
    })),
    start(_party, out, self) {
      out.set('transfer');
      if (self === 0) out.set('snapshot');
    },
    receive(party, what, out, from, self) {
      if (what === 'coin') {
        party.balance++;
        if (party.open.includes(from)) party.channels[from]!++;
        return;
      }
      if (!party.recorded) record(party, self, out);
      party.open = party.open.filter((one) => one !== from);
    },
    timeOut(party, timer, out, self) {
      if (timer === 'snapshot') {
        if (party.recorded) return;
        record(party, self, out);
        if (between) party.since = purseOf(present!);
      } else if (party.transfers > 0) {
        out.set('transfer');
        if (party.balance === 0) return;
        party.balance--;
        party.transfers--;
        const peers = others(self);
        out.send(peers[out.pick(peers.length)]!, 'coin');
      }
    },
    visit: (state) => {
      present = state;
    },
    safe(state) {
      const { parties } = state;
      if (parties.some(({ recorded, open }) => !recorded || open.length > 0)) return true;
      const cut: Purse = {
        processes: parties.map(({ recorded }) => recorded!),
        channels: Object.fromEntries(
          parties.flatMap(({ channels }, to) => channels.map((coins, from) => [`${from} ${to}`, coins])),
        ),
      };
      const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
      const all = total([...cut.processes.map(([balance]) => balance), ...Object.values(cut.channels)]);
      if (all !== total(balances)) return false;
      if (!between) return true;
      const [since, now] = [parties[0]!.since!, purseOf(state)];
      const key = [since, cut, now].map(textOf).join();
      const verdict = verdicts.get(key) ?? (canCome(since, cut) && canCome(cut, now));
      verdicts.set(key, verdict);
      return verdict;
    },
  };
}
