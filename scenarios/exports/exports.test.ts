import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { Run } from '../../kernel/run.ts';
import { memberOf, Wiring } from '../../kernel/wiring.ts';
import { simulate } from '../simulate.ts';
import { ping } from '../testing/ping.ts';
import { read } from '../testing/read.ts';
import { csv } from './csv.ts';
import { type Export, type Exporter, type ExportOptions, exportText } from './exporter.ts';
import { exporters } from './exporters.ts';
import { itf } from './itf.ts';
import { mermaid } from './mermaid.ts';
import { perfetto } from './perfetto.ts';
import { plantuml } from './plantuml.ts';
import { shiviz } from './shiviz.ts';
import { vcd } from './vcd.ts';

/** The text of an export of two rounds among two players. */
async function exported(exporter: Exporter, options?: ExportOptions): Promise<string> {
  const { scenario } = await read('name: a\nmachine: ping\nconfig: { players: 2, rounds: 2 }\n');
  let text = () => '';
  simulate(scenario as never, ping, {
    observe: (run) => {
      text = exportText(exporter, run, options);
    },
  });
  return text();
}

/** A run in which an actor with an odd name calls others to life, with data of all kinds. */
function oddRun(): Run {
  type Event = {
    type: 'call; "all"';
    big: bigint;
    bytes: Uint8Array;
    table: Map<number, string>;
    text: string;
  };
  interface Context {
    readonly to: readonly Address[];
    readonly half: number;
    readonly seen: ReadonlySet<number>;
  }
  const { post } = component<Context, Event>();
  const machine = setup({
    types: {} as { context: Context; events: Event; input: readonly Address[] },
    actions: { callAll: post((c, event) => c.to.map((to) => ({ ...event, to, delay: 3 }) as never)) },
  }).createMachine({
    id: 'odd',
    context: ({ input }) => ({ to: input, half: 0.5, seen: new Set([1]) }),
    initial: 'here',
    states: { here: { on: { 'call; "all"': { target: 'there', actions: 'callAll' } } }, there: {} },
  });
  const wiring = new Wiring();
  const first = wiring.family('Request', () => ({ machine, input: [] }));
  const odd = wiring.place('The "odd" one; #1', machine, [memberOf(first, 0), memberOf(first, 7)]);
  const event = {
    to: odd,
    type: 'call; "all"',
    big: 10n,
    bytes: Uint8Array.of(1, 2),
    table: new Map([[1, 'a']]),
    text: 'a,"b"\nc',
  };
  wiring.boot.push(event);
  return new Run(wiring);
}

function ofOddRun(exporter: Exporter): string {
  const run = oddRun();
  const text = exportText(exporter, run);
  run.toEnd();
  return text();
}

describe('every export', () => {
  const all = Object.entries(exporters);

  it.each(all)('%s gives the same text for the same run', async (_, exporter) => {
    expect(await exported(exporter)).toBe(await exported(exporter));
  });

  it.each(all)('%s shows less, and says so, when its limit is low', async (_, exporter) => {
    const [cut, whole] = [await exported(exporter, { limit: 2 }), await exported(exporter)];

    expect(cut).not.toBe(whole);
    expect(cut.length).toBeLessThan(whole.length);
  });

  it.each(all)('%s copes with odd names, odd data and actors that come to life later', (_, exporter) => {
    // Waveforms have no brackets in names.
    expect(ofOddRun(exporter)).toMatch(/Request(?:\[7\]|_7)/);
  });

  it.each(all)('%s changes nothing in the run', async (_, exporter) => {
    const { scenario } = await read(
      'name: a\nmachine: ping\nconfig: { players: 2, rounds: 2 }\nschedule: random\n',
    );

    const watched = simulate(scenario as never, ping, { observe: (run) => exportText(exporter, run) });

    expect(watched.fingerprint).toBe(simulate(scenario as never, ping).fingerprint);
  });
});

describe('csv', () => {
  it('has a row for each delivery', async () => {
    expect((await exported(csv)).split('\n').slice(0, 5)).toEqual([
      'seq,tick,index,from,to,type,cause,payload',
      '0,0,0,world,Server,serve,-1,',
      '1,1,1,Server,Player[0],ball.hit,0,"{""round"":1}"',
      '2,1,2,Server,Player[1],ball.hit,0,"{""round"":1}"',
      '3,2,3,Player[0],Server,ball.back,1,"{""player"":0,""strength"":1}"',
    ]);
  });

  it('puts fields with separators in quotes, and all data into JSON', () => {
    const [, row] = ofOddRun(csv).split('\n');

    expect(row).toBe(
      '0,0,0,world,"The ""odd"" one; #1","call; ""all""",-1,"{""big"":""10"",""bytes"":[1,2],""table"":[[1,""a""]],""text"":""a,\\""b\\""\\nc""}"',
    );
  });
});

describe('mermaid and plantuml', () => {
  it('draw the first messages tick by tick', async () => {
    expect(await exported(mermaid, { limit: 3 })).toBe(`%% shows the first 3 messages at most
sequenceDiagram
  participant a0 as world
  participant a1 as Server
  participant a2 as Player[0]
  participant a3 as Player[1]
  Note over a0,a3: tick 0
  a0->>a1: serve
  Note over a0,a3: tick 1
  a1->>a2: ball.hit
  a1->>a3: ball.hit
  Note over a0,a3: 8 more messages are not shown (limit 3)
`);
    expect(await exported(plantuml, { limit: 2 })).toBe(`@startuml
' shows the first 2 messages at most
participant "world" as a0
participant "Server" as a1
participant "Player[0]" as a2
== tick 0 ==
a0 -> a1 : serve
== tick 1 ==
a1 -> a2 : ball.hit
== 9 more messages are not shown (limit 2) ==
@enduml
`);
  });

  it('escape what would end a statement', () => {
    expect(ofOddRun(mermaid)).toContain('participant a1 as The "odd" one#59; #35;1');
    expect(ofOddRun(plantuml)).toContain(`participant "The 'odd' one; #1" as a1`);
  });
});

describe('shiviz', () => {
  it('gives every event a clock that grows by one at its actor and holds the clock of its cause', async () => {
    const [parser, empty, ...lines] = (await exported(shiviz)).trimEnd().split('\n');

    const events = [...lines.join('\n').matchAll(/(?<host>\S*) (?<clock>{.*})\n(?<event>.*)/g)].map(
      (match) => match.groups!,
    );
    expect([parser, empty]).toEqual(['(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)', '']);
    expect(events).toHaveLength(11);
    expect(events[4]).toMatchObject({
      host: 'Server',
      clock: '{"Server":3,"Player[0]":1,"Player[1]":1}',
      event: 'ball.back from Player[1] tick 2 {"player":1,"strength":1}',
    });
    expect(events[9]?.['clock']).toBe('{"Server":6,"Player[0]":2,"Player[1]":2}');
    const own = events
      .filter((event) => event['host'] === 'Server')
      .map((event) => JSON.parse(event['clock']!).Server);
    expect(own).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('perfetto', () => {
  interface TraceEvent {
    readonly ph: string;
    readonly ts: number;
    readonly dur: number;
    readonly tid: number;
    readonly name: string;
    readonly id: number;
    readonly args: { readonly name: string };
  }
  const traced = async () =>
    (JSON.parse(await exported(perfetto)) as { traceEvents: TraceEvent[] }).traceEvents;

  it('has a track for each actor', async () => {
    const tracks = (await traced()).filter((event) => event.name === 'thread_name');

    expect(tracks.map(({ tid, args }) => [tid, args.name])).toEqual([
      [1, 'Server'],
      [2, 'Player[0]'],
      [3, 'Player[1]'],
    ]);
  });

  it('covers the time of each actor with its states, without gaps', async () => {
    const slices = (await traced()).filter((event) => event.ph === 'X' && event.tid === 2);

    expect(slices.map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      ['even', 0, 1],
      ['odd', 1, 3],
      ['even', 4, 3],
    ]);
  });

  it('draws an arrow for each message from where it was posted to where it was delivered', async () => {
    const events = await traced();

    const arrows = events
      .filter((event) => event.ph === 's')
      .map((from) => {
        const to = events.find((event) => event.ph === 'f' && event.id === from.id)!;
        return [from.id, from.tid, from.ts, to.tid, to.ts];
      });
    expect(arrows).toHaveLength(10);
    expect(arrows.slice(0, 3)).toEqual([
      [1, 1, 0, 2, 1],
      [2, 1, 0, 3, 1],
      [3, 2, 1, 1, 2],
    ]);
  });
});

describe('vcd', () => {
  it('shows the states of all actors and the messages under way, tick by tick', async () => {
    const text = await exported(vcd);

    expect(
      text.slice(0, text.indexOf('#3\n')),
    ).toBe(`$comment one time unit is one tick; a state holds from the end of its tick $end
$comment state 0 is resting $end
$comment state 1 is even $end
$comment state 2 is waitingForBalls $end
$comment state 3 is odd $end
$timescale 1 ns $end
$scope module machine $end
$var integer 32 ! messages_under_way $end
$scope module Player_0 $end
$var reg 2 $ state [1:0] $end
$upscope $end
$scope module Player_1 $end
$var reg 2 % state [1:0] $end
$upscope $end
$scope module Server $end
$var reg 2 # state [1:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
b10 !
b10 #
b1 $
b1 %
$end
#1
b11 $
b11 %
#2
b0 #
b1 !
`);
  });

  it('is what IEEE 1364 allows: simple identifiers, declared wires, times that grow', async () => {
    for (const text of [await exported(vcd), ofOddRun(vcd)]) {
      const [head, body] = text.split('$enddefinitions $end\n') as [string, string];
      const declared = [...head.matchAll(/^\$var (?:reg|integer) \d+ (\S+) (\S+)(?: \[\d+:0\])? \$end$/gm)];
      const scopes = [...head.matchAll(/^\$scope module (\S+) \$end$/gm)];
      for (const [, name] of [...scopes, ...declared.map(([all, , name]) => [all, name])])
        expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_$]*$/);
      expect(head.match(/^\$scope/gm)!.length).toBe(head.match(/^\$upscope \$end$/gm)!.length);
      expect(
        head
          .split('\n')
          .every((line) => /^(?:\$(?:comment|timescale|scope|upscope|var) .*\$end)?$/.test(line)),
      ).toBe(true);
      const ids = new Set(declared.map(([, id]) => id));
      expect(ids.size).toBe(declared.length);
      let last = -1;
      for (const line of body.trimEnd().split('\n')) {
        const time = /^#(\d+)$/.exec(line)?.[1];
        const id = /^b[01x]+ (\S+)$/.exec(line)?.[1];
        expect(time !== undefined || ids.has(id ?? '') || /^\$(?:dumpvars|end)$/.test(line)).toBe(true);
        if (time === undefined) continue;
        expect(Number(time)).toBeGreaterThan(last);
        last = Number(time);
      }
    }
  });

  it('tells the time of a machine whose ticks have a length', async () => {
    const text = await exported(vcd, { tickFemtoseconds: 4e6 });

    expect(text).toContain('$timescale 1 ns $end');
    expect([...text.matchAll(/^#(\d+)$/gm)].map(([, time]) => Number(time)).slice(0, 3)).toEqual([0, 4, 8]);
    expect(await exported(vcd, { tickFemtoseconds: 625_000 })).toContain('$timescale 1 ps $end');
  });

  it('never counts less than no message, and none at the end', async () => {
    const counts = [...(await exported(vcd)).matchAll(/^b([01]+) !$/gm)].map((match) =>
      Number.parseInt(match[1]!, 2),
    );

    expect(counts).toEqual([2, 1, 2, 1, 0]);
  });

  it('says where it was cut', async () => {
    expect(await exported(vcd, { limit: 4 })).toContain(
      '$comment cut after tick 0: 4 changes at most are shown $end',
    );
  });
});

describe('itf', () => {
  interface Trace {
    readonly vars: readonly string[];
    readonly states: readonly Record<
      string,
      { state: string; context: Record<string, unknown> } & Record<string, unknown>
    >[];
  }

  it('has every variable in every state, the first before the first tick', async () => {
    const { vars, states } = JSON.parse(await exported(itf)) as Trace;

    expect(vars).toEqual(['tick', 'Server', 'Player[0]', 'Player[1]', 'members']);
    expect(states.map((state) => state['tick'])).toEqual([-1, 0, 1, 2, 3, 4, 5, 6]);
    for (const state of states) expect(Object.keys(state).slice(1)).toEqual(vars);
    expect(states.map((state) => state['Player[0]']?.state)).toEqual([
      'even',
      'even',
      'odd',
      'odd',
      'odd',
      'even',
      'even',
      'even',
    ]);
    expect(states.at(-1)?.['Server']?.context).toMatchObject({ round: 2, strength: 4 });
  });

  it('has no more ticks than its limit', async () => {
    const { states } = JSON.parse(await exported(itf, { limit: 2 })) as Trace;

    expect(states).toHaveLength(3);
  });

  it('ends in front of the state that would make it too large, and says so', async () => {
    const whole = await exported(itf);
    const { scenario } = await read('name: a\nmachine: ping\nconfig: { players: 2, rounds: 2 }\n');
    const pieces: string[] = [];
    let begun: Export | undefined;
    simulate(scenario as never, ping, {
      observe: (run) => {
        begun = itf.attach(run, (text) => pieces.push(text), { sizeMax: whole.length / 2 });
      },
    });
    begun?.end();

    const { states } = JSON.parse(pieces.join('')) as Trace;
    expect(states.length).toBeGreaterThan(1);
    expect(states.length).toBeLessThan(8);
    expect(begun?.cut).toContain(`it ends before tick ${states.length - 1}, `);
    expect(begun?.cut).toContain('; --until ends a run earlier');
  });

  it('writes values as the format knows them', () => {
    const { states } = JSON.parse(ofOddRun(itf)) as Trace;

    expect(states[0]?.['The "odd" one; #1']?.context).toMatchObject({
      half: { '#unserializable': '0.5' },
      seen: { '#set': [1] },
    });
    expect(JSON.stringify(states.at(-1)?.['members'])).toMatch(
      /^{"#map":\[\["Request\[0\]",.*\["Request\[7\]",/,
    );
  });
});
