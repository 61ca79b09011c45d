import type { Condition, EventSettings, Hook } from "../model.ts";

/**
 * The manifest's text form: one line per hook × event, tab-separated, the first four columns being
 * event, order, block, script. The shell lane splits the same lines in awk.
 */
export function encodeRow(hook: Hook): string {
  const flags =
    (hook.async ? "a" : "") +
    (hook.once ? "o" : "") +
    (hook.reentrant ? "r" : "") +
    (hook.payload === "canonical" ? "c" : "") +
    (hook.payload === "native" ? "w" : "") +
    (hook.args.length > 0 ? "v" : "") +
    (hook.notify ? "n" : "");
  return [
    hook.event,
    String(hook.order),
    String(hook.block),
    escapeCell(hook.script),
    hook.name,
    hook.kind,
    hook.layer,
    String(hook.timeout),
    hook.onFailure,
    hook.chain || "-",
    flags || "-",
    hook.harness.join(",") || "-",
    encodeMatcher(hook.matcher) || "-",
    hook.needs.map(escapeCell).join("\\n") || "-",
    escapeCell(hook.broken) || "",
    escapeCell(hook.source),
    hook.args.join(",") || "-",
    escapeCell(hook.extra) || "-",
  ].join("\t");
}

/** undefined for a damaged line: the other lines still count. */
export function decodeRow(line: string): Hook | undefined {
  const c = line.split("\t");
  if (c.length !== 18) return undefined;
  const flags = c[10]!;
  return {
    event: c[0]!,
    order: Number(c[1]),
    block: c[2] === "true",
    script: unescapeCell(c[3]!),
    name: c[4]!,
    kind: c[5] as Hook["kind"],
    layer: c[6] as Hook["layer"],
    timeout: Number(c[7]),
    onFailure: c[8] as Hook["onFailure"],
    chain: dash(c[9]!) as Hook["chain"],
    async: flags.includes("a"),
    once: flags.includes("o"),
    reentrant: flags.includes("r"),
    notify: flags.includes("n"),
    payload: flags.includes("c") ? "canonical" : flags.includes("w") ? "native" : "",
    harness: list(c[11]!, ","),
    matcher: decodeMatcher(dash(c[12]!)),
    needs: list(unescapeCell(c[13]!), "\n"),
    broken: unescapeCell(c[14]!),
    source: unescapeCell(c[15]!),
    args: list(c[16]!, ","),
    extra: dash(unescapeCell(c[17]!)),
  };
}

/** First line of an event's index: what settings say about the event. */
export function encodeMeta(settings: EventSettings, manifest: string, rows: number): string {
  const bit = (on: boolean): string => (on ? "1" : "0");
  return [
    "@",
    settings.chain,
    bit(settings.blockable),
    bit(settings.raw),
    bit(settings.recordPayload),
    String(settings.contextLimit),
    manifest,
    String(rows),
    String(settings.failureBudget),
    String(settings.asyncLimit),
  ].join("\t");
}

export function decodeMeta(line: string): EventSettings & { manifest: string } {
  const c = line.split("\t");
  return {
    chain: c[1] === "first-block" ? "first-block" : "run-all",
    blockable: c[2] === "1",
    raw: c[3] === "1",
    recordPayload: c[4] === "1",
    contextLimit: Number(c[5] ?? 10_000),
    failureBudget: Number(c[8] ?? 0),
    asyncLimit: Number(c[9] ?? 1),
    manifest: c[6] ?? "",
  };
}

function encodeMatcher(matcher: readonly Condition[]): string {
  return matcher
    .map((c) =>
      c.op === "re" ? `${c.path}=r:${c.dfa}` : `${c.path}=e:${c.values.map(percent).join("|")}`,
    )
    .join("&");
}

function decodeMatcher(text: string): Condition[] {
  if (text === "") return [];
  return text.split("&").map((part) => {
    const at = part.indexOf("=");
    const path = part.slice(0, at);
    const operand = part.slice(at + 3);
    if (part[at + 1] === "r") return { path, op: "re", dfa: operand, text: "" };
    return { path, op: "eq", values: operand.split("|").map(unpercent) };
  });
}

const percent = (text: string): string =>
  text.replace(
    /[%|&=\\ \u0000-\u001f]/g,
    (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );

const unpercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** The JSON escapes, because awk already knows how to read them. */
const escapeCell = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');

const unescapeCell = (text: string): string =>
  text.includes("\\") ? (JSON.parse(`"${text.replaceAll('"', '\\"')}"`) as string) : text;

const dash = (text: string): string => (text === "-" ? "" : text);

const list = (text: string, separator: string): string[] =>
  text === "-" || text === "" ? [] : text.split(separator);
