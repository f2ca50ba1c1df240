import { describe, expect, test } from 'vitest';
import { simulate } from '../simulate.ts';
import { ping } from '../testing/ping.ts';
import { read } from '../testing/read.ts';
import { exportText } from './exporter.ts';
import { exporters } from './exporters.ts';

/** The text of an export of two rounds among two players, with faults. */
async function exported(kind: string, faults: string): Promise<string> {
  const text = `name: a\nmachine: ping\nconfig: { players: 2, rounds: 2 }\nfaults: [${faults}]\n`;
  const { scenario } = await read(text);
  let end = () => '';
  simulate(scenario as never, ping, {
    observe: (run) => {
      end = exportText(exporters[kind]!, run);
    },
  });
  return end();
}

const drop = '{ drop: { type: "**", probability: 1, budget: 1 } }';

describe('a fault that struck is shown by', () => {
  test.each([
    [
      'csv',
      /^\d+,0,,Server,Player\[0\],fault\.drop,\d+,"\{""type"":""ball\.hit"",""what"":""never delivered""\}"$/m,
    ],
    ['mermaid', /^ {2}Note over a\d,a\d: fault drop of ball\.hit: never delivered$/m],
    ['plantuml', /^note over a\d, a\d : fault drop of ball\.hit: never delivered$/m],
    [
      'perfetto',
      /"ts":0,"tid":2,"name":"fault drop","cat":"fault","args":\{"from":"Server","seq":\d+,"type":"ball\.hit"/,
    ],
    [
      'shiviz',
      /^Server \{"Server":1\}\nfault drop of ball\.hit: never delivered from Server to Player\[0\] tick 0$/m,
    ],
    [
      'vcd',
      /^\$comment fault in tick 0: drop ball\.hit \$end$[\s\S]*^\$var integer 32 (\S+) faults_struck \$end$[\s\S]*^#0$[\s\S]*^b1 \1$[\s\S]*^#1\n([^#].*\n)*b0 \1$/m,
    ],
    ['itf', /"tick":0,.*"faults":\["fault drop of ball\.hit: never delivered, Server -> Player\[0\]"\]/],
  ])('%s', async (kind, shown) => {
    expect(await exported(kind, drop)).toMatch(shown);
  });

  test('every export there is', async () => {
    for (const kind of Object.keys(exporters)) {
      const [with_, without] = [await exported(kind, drop), await exported(kind, '')];
      expect(with_, kind).toContain('drop');
      expect(without, kind).not.toContain('fault');
    }
  });
});

test('a sequence diagram has it behind the delivery during which it struck', async () => {
  const lines = (await exported('mermaid', drop)).split('\n');

  const at = lines.findIndex((line) => line.includes('fault drop'));
  expect(lines[at - 1]).toMatch(/->>/);
});
