/** The large archive over a local HTTP server that supports ranges or not, and the addresses in their order. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, ZipPassThrough, zipSync } from 'fflate';
import { downloadMembers } from '../../../core/sources/antaq-berthing/archive-download.ts';
import { type Address, fetchYears } from '../../../core/sources/antaq-berthing/source.ts';
import { fetchHttpClient } from '../../../core/upstream/http/fetch-client.ts';
import type { HttpClient } from '../../../core/upstream/http/http-client.ts';
import { closeUpstreams, scriptedUpstream, type Turn } from '../../builders/scripted-upstream.ts';
import { berthingTable, LATEST, parseFiles, timesTable } from './yearly-tables.ts';

afterEach(closeUpstreams);

const MEGABYTE = 1_000_000;
/** Bytes that do not compress, as most of the archive is made of what is not wanted. */
const noise = (bytes: number): Uint8Array => {
  let state = 1;
  return Uint8Array.from({ length: bytes }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 0xff;
  });
};
const TABLES = {
  'estatistico/2025Atracacao.txt': strToU8(berthingTable([{}])),
  'estatistico/2025TemposAtracacao.txt': strToU8(timesTable([{}])),
  'estatistico/2026Atracacao.txt': strToU8(berthingTable([LATEST])),
  'estatistico/2026TemposAtracacao.txt': strToU8(timesTable([LATEST])),
};
const ARCHIVE = zipSync({
  'estatistico/2025Carga.txt': [noise(3 * MEGABYTE), { level: 0 }],
  ...TABLES,
  'estatistico/2026Carga.txt': [noise(3 * MEGABYTE), { level: 0 }],
});

/** As written by a program that does not know a member's size before its end: sizes follow the data. */
function streamedArchive(): Uint8Array {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    parts.push(chunk);
  });
  const noisy = new ZipPassThrough('estatistico/2025Carga.txt');
  zip.add(noisy);
  noisy.push(noise(100_000), true);
  for (const [name, content] of Object.entries(TABLES)) {
    const member = new ZipDeflate(name);
    zip.add(member);
    member.push(content, true);
  }
  zip.end();
  return Uint8Array.from(Buffer.concat(parts));
}

interface Sent {
  readonly path: string;
  readonly range: string | undefined;
  bytes: number;
}

/** A server on a free port of the loopback address, a client that may ask it, and what it sent. */
async function serving(respond: Turn) {
  const sent: Sent[] = [];
  const counted: Turn = (request, response) => {
    const one: Sent = { path: request.url ?? '', range: request.headers.range, bytes: 0 };
    sent.push(one);
    const write = response.write.bind(response);
    response.write = ((chunk: Uint8Array, ...rest: []) => {
      one.bytes += chunk.length;
      return write(chunk, ...rest);
    }) as typeof response.write;
    respond(request, response);
  };
  const { host } = await scriptedUpstream([counted]);
  const http: HttpClient = fetchHttpClient(
    { hosts: [host, '127.0.0.1:1'], maxReplyBytes: MEGABYTE },
    {
      now: Date.now,
      random: () => 0,
      sleep: async () => undefined,
      allowLoopback: true,
      limits: { tries: 2 },
    },
  );
  return { http, sent, url: `http://${host}/ea/estatistico.zip`, folder: `http://${host}/ea/txt` };
}

/** Sends `bytes` in chunks of 64 kB, as fast as they are taken. */
function stream(response: ServerResponse, bytes: Uint8Array): void {
  let at = 0;
  const next = (): void => {
    while (at < bytes.length) {
      const chunk = bytes.subarray(at, at + 65_536);
      at += chunk.length;
      if (!response.write(chunk)) {
        response.once('drain', next);
        return;
      }
    }
    response.end();
  };
  next();
}

/** Serves ranges of `archiveOf()`, which may be another one at each request. */
const withRanges =
  (archiveOf: () => Uint8Array, etagOf: () => string = () => '"1"'): Turn =>
  ({ headers: { range = '', 'if-range': ifRange } }, response) => {
    const archive = archiveOf();
    const etag = etagOf();
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
    if (ifRange !== undefined && ifRange !== etag) {
      response.writeHead(200, { etag });
      stream(response, archive);
      return;
    }
    const first = from === '' ? Math.max(0, archive.length - Number(to)) : Number(from);
    const last = from === '' ? archive.length - 1 : Number(to);
    response.writeHead(206, { etag, 'content-range': `bytes ${first}-${last}/${archive.length}` });
    stream(response, archive.subarray(first, last + 1));
  };

const withoutRanges =
  (archive: Uint8Array): Turn =>
  (_, response) => {
    response.writeHead(200);
    stream(response, archive);
  };

const WANTED = {
  names: new Set(Object.keys(TABLES).map((name) => name.replace('estatistico/', ''))),
  maxCompressedBytes: MEGABYTE,
  maxBytes: MEGABYTE,
};
const textsIn = (members: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    [...members].map(([name, zip]) => [name, strFromU8(unzipSync(zip)[name] ?? new Uint8Array())]),
  );
const TEXTS = Object.fromEntries(
  Object.entries(TABLES).map(([name, content]) => [name.replace('estatistico/', ''), strFromU8(content)]),
);
const bytesOf = (sent: readonly Sent[]): number => sent.reduce((sum, { bytes }) => sum + bytes, 0);

describe('a host that supports ranges', () => {
  it('is asked for the directory and the wanted members alone', async () => {
    const { http, sent, url } = await serving(withRanges(() => ARCHIVE));
    expect(textsIn(await downloadMembers(http, url, WANTED))).toEqual(TEXTS);
    expect(sent).toHaveLength(5);
    expect(sent[0]?.range).toBe('bytes=-65557');
    expect(bytesOf(sent)).toBeLessThan(100_000);
  });

  it('that replaces the archive meanwhile is refused', async () => {
    let version = 0;
    const respond = withRanges(
      () => ARCHIVE,
      () => `"${version++}"`,
    );
    const { http, url } = await serving(respond);
    await expect(downloadMembers(http, url, WANTED)).rejects.toMatchObject({ reason: 'refused' });
  });

  it.each([
    ['a damaged member', (archive: Uint8Array) => archive.with(3 * MEGABYTE + 200, 0xff)],
    ['no directory', (archive: Uint8Array) => archive.slice(0, -100)],
  ])('with %s is refused as malformed', async (_, damage) => {
    const { http, url } = await serving(withRanges(() => damage(ARCHIVE)));
    await expect(downloadMembers(http, url, WANTED)).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('with a member larger than allowed is refused before it is asked for', async () => {
    const { http, sent, url } = await serving(withRanges(() => ARCHIVE));
    const wanted = { ...WANTED, names: new Set(['2025Carga.txt']) };
    await expect(downloadMembers(http, url, wanted)).rejects.toMatchObject({ reason: 'too-large' });
    expect(sent).toHaveLength(1);
  });
});

describe('a host that does not support ranges', () => {
  it.each([
    ['with sizes before the data', ARCHIVE],
    ['with sizes after the data', streamedArchive()],
  ])('is read as a stream, %s', async (_, archive) => {
    const { http, sent, url } = await serving(withoutRanges(archive));
    expect(textsIn(await downloadMembers(http, url, WANTED))).toEqual(TEXTS);
    expect(sent).toHaveLength(1);
  });

  it('is read to the end when a member is not there', async () => {
    const { http, url } = await serving(withoutRanges(ARCHIVE));
    const wanted = { ...WANTED, names: new Set([...WANTED.names, '2027Atracacao.txt']) };
    expect(textsIn(await downloadMembers(http, url, wanted))).toEqual(TEXTS);
  });

  it.each([
    ['cut off', ARCHIVE.slice(0, 2 * MEGABYTE)],
    ['a web page', strToU8('<html>manutenção</html>')],
  ])('and sends %s is refused as malformed', async (_, archive) => {
    const { http, url } = await serving(withoutRanges(archive));
    await expect(downloadMembers(http, url, WANTED)).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('and sends a wanted member larger than allowed is refused', async () => {
    const { http, url } = await serving(withoutRanges(ARCHIVE));
    const wanted = { ...WANTED, names: new Set(['2025Carga.txt']) };
    await expect(downloadMembers(http, url, wanted)).rejects.toMatchObject({ reason: 'too-large' });
  });
});

describe('the addresses', () => {
  const dead: Address = { form: 'archive', url: 'http://127.0.0.1:1/ea/estatistico.zip' };

  it('are tried in order: the archive serves the tables when the first host is dead', async () => {
    const { http, url } = await serving(withRanges(() => ARCHIVE));
    const files = await fetchYears(http, [2025, 2026], [dead, { form: 'archive', url }]);
    expect([...files.keys()]).toEqual([
      '2025Atracacao.zip',
      '2025TemposAtracacao.zip',
      '2026Atracacao.zip',
      '2026TemposAtracacao.zip',
    ]);
    expect(parseFiles(files).reports.length).toBeGreaterThan(20);
  });

  it('are tried in order: the folder serves the years that the archive lacks', async () => {
    const { http, sent, url, folder } = await serving((request, response) => {
      if (request.url?.endsWith('estatistico.zip')) withRanges(() => ARCHIVE)(request, response);
      else {
        const table = /(\d{4}\w+)\.zip$/.exec(request.url ?? '')?.[1] ?? '';
        response.writeHead(table.startsWith('2024') ? 200 : 404);
        response.end(zipSync({ [`${table}.txt`]: strToU8('x') }));
      }
    });
    const addresses: Address[] = [
      { form: 'archive', url },
      { form: 'folder', url: folder },
    ];
    const files = await fetchYears(http, [2023, 2024], addresses);
    expect([...files.keys()]).toEqual(['2024Atracacao.zip', '2024TemposAtracacao.zip']);
    expect(sent.map(({ path }) => path.split('/').at(-1))).toEqual([
      'estatistico.zip',
      '2023Atracacao.zip',
      '2024Atracacao.zip',
      '2024TemposAtracacao.zip',
    ]);
  });

  it('that all fail give one failure with the details of each', async () => {
    const { http, folder } = await serving((_, response) => {
      response.writeHead(503, { 'retry-after': '3600' });
      response.end();
    });
    const failure = await fetchYears(http, [2025], [dead, { form: 'folder', url: folder }]).catch(
      (e: unknown) => e,
    );
    expect(failure).toMatchObject({ reason: 'refused', retryAfterSeconds: 3600 });
    expect(String(failure)).toContain('/ea/txt/2025Atracacao.zip: status 503');
  });
});
