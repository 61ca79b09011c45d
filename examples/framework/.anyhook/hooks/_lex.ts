/** A part of a word: text as it stands, and the quotes it stood in. */
export interface Piece {
  text: string;
  readonly quote: "" | "'" | '"';
}

export type Word = readonly Piece[];

export interface Lexed {
  readonly words: readonly Word[];
  /** The insides of `$(…)` and backquotes. */
  readonly nested: readonly string[];
  /** The text of a here-document. */
  readonly stdin: string;
}

interface State {
  readonly text: string;
  at: number;
  words: Piece[][];
  word: Piece[] | undefined;
  nested: string[];
  /** Ends of here-documents that start on the next line. */
  awaited: string[];
  stdin: string;
  readonly done: Lexed[];
}

/** Splits a command line into simple commands, as a POSIX shell would. */
export function lex(text: string): Lexed[] {
  const state: State = {
    text,
    at: 0,
    words: [],
    word: undefined,
    nested: [],
    awaited: [],
    stdin: "",
    done: [],
  };
  while (state.at < text.length) step(state);
  endCommand(state);
  return state.done;
}

function step(state: State): void {
  const c = state.text[state.at]!;
  const read = READERS[c];
  if (read) return read(state);
  if (c === "#" && !state.word) state.at = until(state, "\n");
  else if (c === " " || c === "\t") skip(state, () => endWord(state));
  else add(state, c, "");
}

const READERS: Readonly<Record<string, (state: State) => void>> = {
  "\\": (state) => {
    const next = state.text[state.at + 1] ?? "";
    state.at += 2;
    if (next !== "\n") piece(state, "'").text += next;
  },
  "'": (state) => {
    const end = until(state, "'", state.at + 1);
    piece(state, "'").text += state.text.slice(state.at + 1, end);
    state.at = end + 1;
  },
  '"': readDouble,
  $: (state) => readDollar(state, ""),
  "`": readBackquotes,
  "\n": (state) => skip(state, () => (endCommand(state), readHereDocuments(state))),
  ";": (state) => skip(state, () => endCommand(state)),
  "&": (state) => skip(state, () => endCommand(state)),
  "|": (state) => skip(state, () => endCommand(state)),
  "(": (state) => skip(state, () => endCommand(state)),
  ")": (state) => skip(state, () => endCommand(state)),
  "<": readRedirection,
  ">": readRedirection,
};

function readDouble(state: State): void {
  piece(state, '"');
  state.at++;
  while (state.at < state.text.length && state.text[state.at] !== '"') {
    const c = state.text[state.at]!;
    if (c === "`") readBackquotes(state);
    else if (c === "$") readDollar(state, '"');
    else if (c === "\\") {
      const next = state.text[state.at + 1] ?? "";
      piece(state, "'").text += /[$`"\\]/.test(next) ? next : `\\${next}`;
      state.at += 2;
    } else add(state, c, '"');
  }
  state.at++;
}

/** `$(…)` is a command of its own; `$'…'` is a quote; anything else is left for the expansion. */
function readDollar(state: State, quote: "" | '"'): void {
  const { text, at } = state;
  if (text[at + 1] === "(") {
    const end = closing(text, at + 1);
    state.nested.push(text.slice(at + 2, end));
    piece(state, "'").text += "\0";
    state.at = end + 1;
  } else if (text[at + 1] === "'" && quote === "") {
    const end = until(state, "'", at + 2);
    piece(state, "'").text += unescaped(text.slice(at + 2, end));
    state.at = end + 1;
  } else if (text[at + 1] === "{") {
    const end = until(state, "}", at);
    piece(state, quote).text += text.slice(at, end + 1);
    state.at = end + 1;
  } else add(state, "$", quote);
}

const unescaped = (text: string): string =>
  text.replace(
    /\\x([0-9a-f]{1,2})|\\([0-7]{1,3})|\\(.)/gi,
    (_, hex?: string, octal?: string, other?: string) =>
      other ?? String.fromCharCode(Number.parseInt(hex ?? octal!, hex ? 16 : 8)),
  );

function readBackquotes(state: State): void {
  const end = until(state, "`", state.at + 1);
  state.nested.push(state.text.slice(state.at + 1, end));
  piece(state, "'").text += "\0";
  state.at = end + 1;
}

/** Where output goes does not matter here; what comes in as a here-document may be code. */
function readRedirection(state: State): void {
  const [all, operator = "", dash, , end = ""] =
    /^([<>]{1,3}[&|]?)(-?)[ \t]*(["']?)([\w.-]*)\3/.exec(state.text.slice(state.at)) ?? [""];
  if (/^\d+$/.test(state.word?.map(({ text }) => text).join("") ?? "")) state.word = undefined;
  endWord(state);
  state.at += Math.max(1, operator === "<<" ? all.length : operator.length);
  if (operator === "<<") state.awaited.push(end);
  else if (operator !== "<<<" && dash !== undefined) skipWord(state);
}

/** The word after a redirection is a file, not an argument. */
function skipWord(state: State): void {
  while (/[ \t]/.test(state.text[state.at] ?? "")) state.at++;
  const { words, word } = state;
  state.words = [];
  state.word = undefined;
  while (state.at < state.text.length && !/[\s;&|()<>]/.test(state.text[state.at]!)) step(state);
  state.words = words;
  state.word = word;
}

function readHereDocuments(state: State): void {
  for (const end of state.awaited.splice(0)) {
    const lines = state.text.slice(state.at).split("\n");
    const count = lines.findIndex((line) => line.trim() === end);
    const body = lines.slice(0, count < 0 ? undefined : count).join("\n");
    const last = state.done.at(-1);
    if (last) state.done[state.done.length - 1] = { ...last, stdin: `${last.stdin}${body}\n` };
    state.at += body.length + (count < 0 ? 0 : lines[count]!.length + 2);
  }
}

function piece(state: State, quote: Piece["quote"]): Piece {
  const word = (state.word ??= []);
  const last = word.at(-1);
  if (last?.quote === quote) return last;
  const made: Piece = { text: "", quote };
  word.push(made);
  return made;
}

function add(state: State, c: string, quote: Piece["quote"]): void {
  piece(state, quote).text += c;
  state.at++;
}

function skip(state: State, then: () => void): void {
  state.at++;
  then();
}

function endWord(state: State): void {
  if (state.word) state.words.push(state.word);
  state.word = undefined;
}

/** Words that only group or steer commands, so that what follows them is the command. */
const KEYWORDS = /^(?:\{|\}|!|if|then|else|elif|fi|do|done|while|until|time)$/;

function endCommand(state: State): void {
  endWord(state);
  const isKeyword = (word: Word | undefined): boolean =>
    word?.length === 1 && word[0]!.quote === "" && KEYWORDS.test(word[0]!.text);
  while (isKeyword(state.words[0])) state.words.shift();
  const { words, nested, stdin } = state;
  if (words.length > 0 || nested.length > 0) state.done.push({ words, nested, stdin });
  Object.assign(state, { words: [], nested: [], stdin: "" });
}

const until = ({ text, at }: State, c: string, from = at): number => {
  const found = text.indexOf(c, from);
  return found < 0 ? text.length : found;
};

/** Where the bracket that opens at `from` closes. */
function closing(text: string, from: number): number {
  let open = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "'") i = Math.max(i, text.indexOf("'", i + 1));
    else if (text[i] === "(") open++;
    else if (text[i] === ")" && --open === 0) return i;
  }
  return text.length;
}
