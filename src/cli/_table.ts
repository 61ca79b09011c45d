import { widthOf } from "./_paint.ts";

/** Rows with aligned columns; the last column is cut where the terminal ends. */
export function table(
  rows: readonly (readonly string[])[],
  options: { indent?: number; width?: number } = {},
): string {
  const { indent = 0, width = Infinity } = options;
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(0, ...rows.filter((row) => row.length > at + 1).map((row) => widthOf(row[at] ?? ""))),
  );
  return rows.map((row) => line(row, widths, indent, width)).join("\n");
}

/** The same, but the last column goes on in the next lines: where its end is what matters. */
export function wrappedTable(
  rows: readonly (readonly string[])[],
  { indent = 0, width = Infinity }: { indent?: number; width?: number } = {},
): string {
  const heads = rows.map((row) => row.slice(0, -1));
  const starts = table(
    heads.map((head) => [...head, ""]),
    { indent },
  ).split("\n");
  const longest = Math.max(...starts.map((start) => widthOf(start))) + GAP.length;
  // Too narrow for columns: the last one stands below the others.
  const isNarrow = width - longest < 30;
  const left = isNarrow ? indent + 2 : longest;
  return rows
    .map((row, at) => {
      const start = starts[at]!;
      const lines = indented(wrapped(row.at(-1) ?? "", Math.max(20, width - left)), left);
      const first = start + " ".repeat(longest - widthOf(start));
      return isNarrow ? `${start}\n${lines}` : `${first}${lines.slice(left)}`.trimEnd();
    })
    .join("\n");
}

const GAP = "  ";

function line(
  row: readonly string[],
  widths: readonly number[],
  indent: number,
  width: number,
): string {
  const head = row.slice(0, -1).map((cell, at) => cell + " ".repeat(widths[at]! - widthOf(cell)));
  const start = " ".repeat(indent) + head.map((cell) => cell + GAP).join("");
  const last = row.at(-1) ?? "";
  const room = width - widthOf(start);
  return (start + (room >= 8 ? shorten(last, room) : last)).trimEnd();
}

/** A coloured cell is never cut in the middle of a colour: it loses its colour instead. */
export function shorten(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  const plain = [...text.replace(/\u001b\[\d+m/g, "")];
  let used = 0;
  const kept = plain.filter((one) => (used += widthOf(one)) < room);
  return `${kept.join("")}…`;
}

/** Every line of a text moved to the right. */
export const indented = (text: string, by: number): string =>
  text
    .split("\n")
    .map((one) => (one === "" ? "" : " ".repeat(by) + one))
    .join("\n");

/** Words broken into lines of at most `width` columns. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
