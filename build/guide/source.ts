import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { commandOutput } from './command-output.ts';
import { machineTables } from './machine-tables.ts';
import { guidePages, pageText } from './page.ts';

/**
 * Writes the pages as the generator of the site takes them: a copy of each, with its tables filled in and its pictures drawn.
 *
 * Details: `<!-- table: config cell -->` becomes the table of that name. A block of commands that is marked `picture="…"` is carried out, and
 * the SVG file that its last command writes is shown below it, with these words as its description. With `drawn` the files are taken as the tests of
 * the guide have left them, where these have just carried out the same commands.
 */
export async function writePages(target: string, drawn = false): Promise<void> {
  mkdirSync(`${target}/public/pictures`, { recursive: true });
  for (const page of guidePages()) {
    const file = `${target}/${page}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await withPictures(await withTables(page, pageText(page)), target, drawn));
  }
  for (const picture of readdirSync('docs').filter((name) => /\.(?:png|svg)$/.test(name)))
    cpSync(`docs/${picture}`, `${target}/${picture}`);
}

async function withTables(page: string, text: string): Promise<string> {
  const parts = text.split(/<!-- table: (\w+) ([\w-]+) -->/);
  for (let index = 1; index < parts.length; index += 3) {
    const make = machineTables[parts[index]!];
    if (!make)
      throw new Error(
        `docs/${page}: found no table "${parts[index]}", expected ${Object.keys(machineTables).join(', ')}`,
      );
    parts[index] = await make(parts[index + 1]!);
    parts[index + 1] = '';
  }
  return parts.join('');
}

async function withPictures(text: string, target: string, drawn: boolean): Promise<string> {
  const parts = text.split(/^(```sh) picture="([^"]*)"\n([\s\S]*?^```\n)/m);
  let whole = parts[0]!;
  for (let index = 1; index < parts.length; index += 4) {
    const [fence, words, body, rest] = parts.slice(index, index + 4) as [string, string, string, string];
    const commands = body.split('\n').filter((one) => one.startsWith('npx lockstep '));
    const svg = commands.flatMap((line) => /\S+\.svg/.exec(line)?.[0]?.replace(/^.*=/, '') ?? []).at(-1);
    if (svg === undefined || !drawn || !existsSync(svg))
      for (const line of commands) {
        const [command = '', comment = ''] = line.split(/ +# /);
        const exitCode = Number(/^exit code (\d+)/.exec(comment)?.[1] ?? 0);
        await commandOutput(command.split(' ').slice(2), [exitCode]);
      }
    if (svg === undefined) throw new Error(`found no SVG file in the commands of the picture "${words}"`);
    cpSync(svg, `${target}/public/pictures/${basename(svg)}`);
    whole += `${fence}\n${body}\n<figure class="picture"><img src="/pictures/${basename(svg)}" alt="${words}"><figcaption>${words}</figcaption></figure>\n${rest}`;
  }
  return whole;
}
