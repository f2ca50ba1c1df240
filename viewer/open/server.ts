import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentPolicy, pageText, simulatorPolicy } from './page-text.ts';
import type { Served } from './served.ts';

/** A server that runs, and the address of its page. */
export interface RunningServer {
  readonly address: string;
  readonly server: Server;
}

const kinds: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  css: 'text/css',
  map: 'application/json',
};

/**
 * Serves a page on this computer alone, below a name that nobody can guess, and nothing but what was opened.
 *
 * Details: `port` 0 takes a free one. Errors: those of the system, for a port that is taken.
 */
export function serve(served: Served, port: number): Promise<RunningServer> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    void answer(
      served,
      token,
      request.method ?? '',
      request.url ?? '/',
      request.headers.host ?? '',
      response,
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({ server, address: `http://127.0.0.1:${taken}/${token}/` });
    });
  });
}

async function answer(
  served: Served,
  token: string,
  method: string,
  url: string,
  host: string,
  response: ServerResponse,
): Promise<void> {
  const send = (kind: string, body: string | Uint8Array, policy = contentPolicy) => {
    response.writeHead(200, {
      'content-type': `${kind}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    response.end(body);
  };
  const refuse = (status: number) => {
    response.writeHead(status, { 'content-type': 'text/plain' });
    response.end();
  };
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  // A name of another computer that leads here is not ours.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return refuse(403);
  if (method !== 'GET') return refuse(405);
  if (!pathname.startsWith(`/${token}/`)) return refuse(404);
  const places = pathname.slice(token.length + 2).split('/');
  const name = places.pop()!;
  let page: Served | undefined = served;
  try {
    for (const place of places) page = /^\d+$/.test(place) ? await page?.page?.(Number(place)) : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // What is wrong with a file is told by the page that was to show it.
    if (name === 'opening.json')
      return send('application/json', JSON.stringify({ kind: 'refused', message }));
    page = { files: served.files, opening: served.opening };
  }
  if (!page) return refuse(404);
  const { files, opening, charts } = page;
  if (name === '') return send('text/html', pageText);
  if (name === 'opening.json') return send('application/json', JSON.stringify(opening));
  if (name === 'chart') {
    const picture = await charts?.of(searchParams.get('machine') ?? '').catch(() => undefined);
    return picture === undefined ? refuse(404) : send('image/svg+xml', picture);
  }
  const file = files.get(name);
  if (!file) return refuse(404);
  send(
    kinds[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    file,
    name === 'simulator.js' ? simulatorPolicy : contentPolicy,
  );
}
