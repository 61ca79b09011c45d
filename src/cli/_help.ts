import { VERSION } from "../version.ts";
import type { Answer, Call } from "./_call.ts";
import { EVERYWHERE, GROUPS, type Group, type OptionFacts, type VerbFacts } from "./_facts.ts";
import type { Paint } from "./_paint.ts";
import { operandText, unknownVerb } from "./_parse.ts";
import { table, wrapped } from "./_table.ts";
import { VERBS, verbNamed } from "./_verbs.ts";

/** `help`, `help <verb>`, `--help` and `<verb> --help`. */
export async function help({ operands, paint, width }: Call): Promise<Answer> {
  const [verb] = operands;
  if (verb === undefined)
    return {
      exit: 0,
      json: { version: VERSION, verbs: Object.keys(VERBS).map(verbJson) },
      text: overview(paint, width),
    };
  const facts = verbNamed(verb);
  if (!facts) throw unknownVerb(verb);
  return { exit: 0, json: verbJson(verb), text: aboutVerb(verb, facts, paint, width) };
}

const TITLES = {
  start: "Start",
  connect: "Connect harnesses",
  author: "Write hooks",
  watch: "Watch them",
  run: "Run",
  lifecycle: "Where there are no hooks",
  memory: "Remember",
} as const satisfies Record<Group, string>;

const EXAMPLES = [
  ["anyhook demo", "see it work"],
  ["anyhook list", "what runs here?"],
  [`anyhook simulate claude PreToolUse --command "git push --force"`, "who would run?"],
  ["anyhook why", "who denied that, and why?"],
] as const;

const EXITS = "Exit codes: 0 fine, 1 problem found, 2 wrong usage, 3 our fault, 130 interrupted.";

function overview(paint: Paint, width: number): string {
  const groups = GROUPS.map((group) => {
    const rows = Object.entries(VERBS)
      .filter(([, facts]) => facts.group === group)
      .map(([name, facts]) => [paint.name(usage(name, facts)), facts.summary]);
    return `${paint.strong(TITLES[group])}\n${table(padded(rows), { indent: 2, width })}`;
  });
  return [
    `${paint.strong("anyhook")} ${VERSION}: write a hook once, every coding agent obeys it`,
    "Usage: anyhook <verb> [options]",
    ...groups,
    `${paint.strong("Every verb takes")}\n${optionTable(EVERYWHERE, paint, width)}`,
    `${paint.strong("Examples")}\n${exampleTable(EXAMPLES, paint)}`,
    paint.quiet(EXITS),
  ].join("\n\n");
}

const usage = (name: string, { operands = [] }: VerbFacts): string =>
  [name, ...operands.map(operandText)].join(" ");

/** One left column for all groups, so that the page reads as one list. */
function padded(rows: readonly string[][]): string[][] {
  const longest = Math.max(
    ...Object.entries(VERBS).map(([name, facts]) => usage(name, facts).length),
  );
  return rows.map(([left = "", right = ""]) => {
    const plain = left.replace(/\u001b\[\d+m/g, "");
    return [left + " ".repeat(longest - plain.length), right];
  });
}

function aboutVerb(verb: string, facts: VerbFacts, paint: Paint, width: number): string {
  const room = Math.min(width, 88);
  const parts = [
    `${paint.strong(`anyhook ${usage(verb, facts)}`)}\n${wrapped(`${facts.summary}.`, room)}`,
    ...(facts.about ? [wrapped(facts.about, room)] : []),
    `${paint.strong("Options")}\n${optionTable({ ...facts.options, ...EVERYWHERE }, paint, width)}`,
    `${paint.strong(facts.examples.length > 1 ? "Examples" : "Example")}\n${exampleTable(facts.examples, paint)}`,
  ];
  return parts.join("\n\n");
}

function optionTable(
  options: Readonly<Record<string, OptionFacts>>,
  paint: Paint,
  width: number,
): string {
  const rows = Object.entries(options).map(([name, { short, value, about }]) => {
    const flags = `${short ? `-${short}, ` : "    "}--${name}${value ? ` <${value}>` : ""}`;
    return [paint.name(flags), about];
  });
  return table(rows, { indent: 2, width });
}

const exampleTable = (examples: readonly (readonly [string, string])[], paint: Paint): string =>
  table(
    examples.map(([command, about]) => [command, paint.quiet(`# ${about}`)]),
    { indent: 2 },
  );

function verbJson(name: string): unknown {
  const { group, summary, about = "", operands = [], options = {}, examples } = VERBS[name]!;
  return {
    ...{ name, group, summary, about },
    operands: operands.map((one) => ({ name: one.name, optional: one.optional ?? false })),
    options: Object.entries({ ...options, ...EVERYWHERE }).map(([option, facts]) => ({
      ...{ name: option, short: facts.short ?? "", value: facts.value ?? "", about: facts.about },
    })),
    examples: examples.map(([command, does]) => ({ command, about: does })),
  };
}
