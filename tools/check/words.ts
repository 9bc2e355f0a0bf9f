/** The step `words` of `npm run check`: the words and constructions at which a native reader stops, with what to write instead. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Avoided {
  /** Global, and matched against text without line breaks, so a construction may go over two lines. */
  readonly words: RegExp;
  readonly instead: string;
  /** Paths in which the words have a meaning of their own. */
  readonly except?: RegExp;
}

export const AVOIDED: readonly Avoided[] = [
  { words: /\btold\b/gi, instead: 'raised (an alert), issued (a forecast), reported, shown' },
  { words: /\b(anew|afresh)\b/gi, instead: 'again, or a verb with re-: recompute, restart' },
  { words: /\bnobody\b/gi, instead: 'the passive, or the noun that is meant: no vessel, no operator' },
  { words: /\b(lest|thereof|lain)\b/gi, instead: 'so that … not; of it; been' },
  {
    words: /(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more\b|less\b|later\b|earlier\b|one\b)\w+/gi,
    instead: 'is not a, does not count as, does not mean',
  },
  { words: /\bso (many|much)\b/gi, instead: 'the number itself, by its name; this many' },
  {
    words: /\b(of|from) (before|then)\b(?!\)|\.\w| \()/gi,
    instead: 'earlier, former, at that time; as they were before',
  },
  { words: /\bof which\b/gi, instead: 'two sentences; where, with, for which' },
  { words: /\bOf [a-z]\w*/g, instead: 'the subject first: half of all ports are …' },
  {
    words: /\b(there is nothing that|stands open|first of equals|not even none)\b/gi,
    instead: 'nothing …; is open; the first by …; even none',
  },
  {
    words: /\bheard\b/gi,
    instead: 'received',
    except: /positions?\b|position-|reception|\bnotes\.ts|day-step|-ais\//,
  },
];

export interface WordFault {
  /** From 1. */
  readonly line: number;
  readonly words: string;
  readonly instead: string;
}

/** Line breaks, indents and the marks of comments, so that sentences over several lines can be read as one. */
const BREAK = /\s*\n[ \t]*(\*(?!\/)|\/\/|#)?[ \t]*/g;

/** Returns the words to avoid in a file's text, by line. */
export function wordFaults(text: string, path: string): WordFault[] {
  // Where each stretch between two breaks begins, in the text without breaks.
  const starts: number[] = [0];
  let [joined, from] = ['', 0];
  const lines: number[] = [1];
  for (const { index, 0: gap } of text.matchAll(BREAK)) {
    joined += `${text.slice(from, index)} `;
    from = index + gap.length;
    starts.push(joined.length);
    lines.push((lines.at(-1) ?? 1) + gap.split('\n').length - 1);
  }
  joined += text.slice(from);
  return AVOIDED.filter(({ except }) => !except?.test(path))
    .flatMap(({ words, instead }) =>
      [...joined.matchAll(words)].map(({ index, 0: found }) => {
        const stretch = starts.findLastIndex((start) => start <= index);
        return { line: lines[stretch] ?? 1, words: found, instead };
      }),
    )
    .sort((a, b) => a.line - b.line);
}

/** Generated, recorded, or fixed by the contract; and this list of the words itself, with its test. */
const LEFT_OUT = /^recordings\/|^packages\/client\/api\.ts$|\btools\/check\/words\.(test\.)?ts$/;

/** Prints the words to avoid in tracked text, and sets the exit code where there are any. */
function checkTree(): void {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.sh', '*.py'], {
    encoding: 'utf8',
  });
  for (const path of listed.split('\n').filter((path) => path !== '' && !LEFT_OUT.test(path)))
    for (const { line, words, instead } of wordFaults(readFileSync(path, 'utf8'), path)) {
      console.error(`${path}:${line}: "${words}". Better: ${instead}`);
      process.exitCode = 1;
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) checkTree();
