import { parseArgs, type ParseArgsConfig } from "node:util";
import { suggest } from "../events.ts";
import { Misuse } from "./_call.ts";
import { EVERYWHERE, type Operand, type OptionFacts, type VerbFacts } from "./_facts.ts";
import { VERBS } from "./_verbs.ts";

export interface Parsed {
  readonly operands: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** The verb and everything else; options that every verb takes may stand before it. */
export function splitVerb(argv: readonly string[]): { verb: string; rest: readonly string[] } {
  const takesValue = (word: string): boolean => word === "-C" || word === "--project";
  let at = 0;
  while (at < argv.length && argv[at]!.startsWith("-")) at += takesValue(argv[at]!) ? 2 : 1;
  return { verb: argv[at] ?? "", rest: [...argv.slice(0, at), ...argv.slice(at + 1)] };
}

export function parse(verb: string, facts: VerbFacts, args: readonly string[]): Parsed {
  const known = { ...facts.options, ...EVERYWHERE };
  const config = { args: [...args], options: optionsOf(known), allowPositionals: true };
  refuseUnknown(verb, known, config);
  const { values, positionals } = strictly(config);
  if (values["help"] !== true) checkOperands(verb, facts, positionals);
  return { values: values as Parsed["values"], operands: positionals };
}

type Config = ParseArgsConfig & { args: string[] };

function optionsOf(
  known: Readonly<Record<string, OptionFacts>>,
): NonNullable<ParseArgsConfig["options"]> {
  const pairs = Object.entries(known).map(([name, { short, value }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  return Object.fromEntries(pairs);
}

function refuseUnknown(
  verb: string,
  known: Readonly<Record<string, OptionFacts>>,
  config: Config,
): void {
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  const odd = tokens.find((token) => token.kind === "option" && !Object.hasOwn(known, token.name));
  if (odd?.kind !== "option") return;
  const near = suggest(odd.name, Object.keys(known));
  const command = ["anyhook", ...(verb === "" ? [] : [verb])].join(" ");
  const hint =
    near && odd.rawName.startsWith("--") ? `did you mean --${near}?` : `see ${command} --help`;
  throw new Misuse(`${command} has no option ${odd.rawName}`, hint);
}

function strictly(config: Config): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ ...config, strict: true });
  } catch (error) {
    const [first] = (error as Error).message.split(/\. |\n/);
    throw new Misuse(first!.replace(/ argument missing$/, " needs a value"));
  }
}

function checkOperands(verb: string, { operands = [] }: VerbFacts, given: readonly string[]): void {
  const needed = operands.filter(({ optional }) => !optional);
  const usage = `anyhook ${[verb, ...operands.map(operandText)].join(" ")}`;
  const missing = needed[given.length];
  if (missing) throw new Misuse(`${verb} needs ${operandText(missing)}`, usage);
  if (given.length <= operands.length || operands.at(-1)?.several) return;
  throw new Misuse(`${verb} does not take "${given[operands.length]}"`, usage);
}

export const operandText = ({ name, optional, several, literal }: Operand): string => {
  const text = several ? `${name} …` : name;
  if (literal) return text;
  return optional ? `[${text}]` : `<${text}>`;
};

export function unknownVerb(verb: string): Misuse {
  const near = suggest(verb, Object.keys(VERBS));
  return new Misuse(
    `there is no verb "${verb}"`,
    near ? `did you mean ${near}?` : "anyhook --help lists them all",
  );
}
