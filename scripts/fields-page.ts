import { FIELD_NAMES, FIELDS, type FieldName } from "../src/compile/fields.ts";
import { code, WRITTEN } from "../src/install/_markdown.ts";

type Schema = Readonly<Record<string, unknown>>;

const ROLES = {
  limits: "When the hook runs",
  handler: "What the hook runs",
  plain: "How the hook behaves",
  extra: "Settings of a handler",
} as const;

/** docs/fields.md, from the table that reads the fields. */
export function fieldsPage(): string {
  const groups = Object.entries(ROLES).map(([role, title]) => {
    const names = FIELD_NAMES.filter((name) => FIELDS[name].role === role);
    return `## ${title}\n\n${names.map(section).join("\n\n")}`;
  });
  return `${WRITTEN}

# Fields of a hook

The same fields in every form. In a script's header the name is written as in prose (\`On-Failure:\`),
in YAML, JSON and modules with an underscore (\`on_failure\`); capitals, dashes and underscores do not
matter. \`event\` is accepted for \`events\`, and \`Hook:\` in a header is the \`name\`. An unknown field
is reported with a suggestion, and is an error when it looks like a slip in a field that limits the
hook, because a hook that runs more often than its author meant is worse than one that does not run.
A slip in a field that makes the hook stronger (\`block\`, \`on_failure\`, \`reentrant\`, \`timeout\`) is an
error too, and every session says so; but a guard that is not run guards nothing, so that hook runs,
with \`block: true\`, \`reentrant: true\` and every \`on_failure\` but \`allow\` read as they were meant.
A JSON schema of \`hooks.yaml\` and \`hooks.json\` is in the package: \`schemas/hooks.schema.json\`.

${groups.join("\n\n")}
`;
}

const section = (name: FieldName): string => {
  const { about, schema } = FIELDS[name];
  return `### ${code(name)}\n\n${about}.\n\nValue: ${valueOf(schema)}.`;
};

/** A JSON schema in a few words. */
function valueOf(schema: Schema): string {
  const choices = schema["oneOf"] as Schema[] | undefined;
  if (choices) return choices.map(valueOf).join(", or ");
  const values = schema["enum"] as string[] | undefined;
  if (values)
    return values
      .filter((value) => value === value.toLowerCase())
      .map(code)
      .join(" or ");
  return [schema["type"]]
    .flat()
    .map((type) => wordFor(type, schema))
    .join(" or ");
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "`true` or `false`",
  integer: "a whole number",
  object: "a map",
};

function wordFor(type: unknown, schema: Schema): string {
  if (type === "array")
    return `a list (each: ${valueOf((schema["items"] as Schema | undefined) ?? {})})`;
  if (type === "string" && schema["pattern"]) return 'a text such as `"5s"`';
  if (type === "integer" && schema["minimum"]) return "a whole number above 0";
  return WORDS[String(type)] ?? "anything";
}
